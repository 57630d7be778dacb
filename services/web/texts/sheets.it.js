/** Of what lies over the playing table, in Italian. */
/** @type {import("../parts.js").Texts} */
export default {
    agree: { one: "{n} voto su {needed} per chiudere", other: "{n} voti su {needed} per chiudere" },
    closeTable: "Chiudi il tavolo",
    dealOver: "Fine della smazzata",
    goOn: "Avanti",
    leaderboard: "Classifica del gruppo",
    leaveSurely: "Sì, lascia il tavolo",
    leaveWarning: "Un giocatore del computer prenderà il tuo posto, e non potrai riaverlo.",
    matchOver: "Fine della partita",
    oppose: { one: "{n} voto per giocare ancora", other: "{n} voti per giocare ancora" },
    order: "Ordine",
    rematch: "Rivincita",
    rematchByHost: "La rivincita la comincia chi ha aperto il tavolo.",
    removePlayer: "Togli {name} dal tavolo",
    removeSurely: "Sì, togli {name}",
    youWin: "Hai vinto!",
    removeWarning: "Un giocatore del computer prenderà il posto di {name}, che non potrà riaverlo.",
};
