/** Texts of the playing table, in English. */
/** @type {import("../parts.js").Texts} */
export default {
    actions: "Moves",
    board: "The table",
    chooseWhere: "Tap where it should go.",
    clear: "Cancel",
    daysLeft: { one: "{n} day", other: "{n} days" },
    history: "History",
    hoursLeft: { one: "{n} hour", other: "{n} hours" },
    isAway: "away",
    menu: "Menu",
    minutesLeft: "{n} min",
    players: "Players",
    sending: "Sending…",
    reconnecting: "Reconnecting…",
    secondsLeft: "{n} s",
    showAll: { one: "See the card", other: "See the {n} cards" },
    spectating: "You are watching",
    toLobby: "Back to the games",
    yours: "Your seat",
};
