/** Texts of the playing table, in Italian. */
/** @type {import("../parts.js").Texts} */
export default {
    actions: "Mosse",
    board: "Il tavolo",
    chooseWhere: "Tocca dove metterla.",
    clear: "Annulla",
    daysLeft: { one: "{n} giorno", other: "{n} giorni" },
    history: "Storia",
    hoursLeft: { one: "{n} ora", other: "{n} ore" },
    isAway: "assente",
    menu: "Menu",
    minutesLeft: "{n} min",
    players: "Giocatori",
    sending: "Invio…",
    reconnecting: "Riconnessione…",
    secondsLeft: "{n} s",
    showAll: { one: "Vedi la carta", other: "Vedi le {n} carte" },
    spectating: "Stai guardando",
    toLobby: "Torna ai giochi",
    yours: "Il tuo posto",
};
