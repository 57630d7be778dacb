/** Of what lies over the playing table, in English. */
/** @type {import("../parts.js").Texts} */
export default {
    agree: { one: "{n} vote of {needed} to close it", other: "{n} votes of {needed} to close it" },
    closeTable: "Close the table",
    dealOver: "End of the deal",
    goOn: "Go on",
    leaderboard: "Leaderboard of the group",
    leaveSurely: "Yes, leave the table",
    leaveWarning: "A computer player will take your seat, and you cannot have it back.",
    matchOver: "End of the match",
    oppose: { one: "{n} vote to play on", other: "{n} votes to play on" },
    order: "Order",
    rematch: "Rematch",
    rematchByHost: "Who opened the table starts the rematch.",
    removePlayer: "Remove {name} from the table",
    removeSurely: "Yes, remove {name}",
    youWin: "You win!",
    removeWarning: "A computer player takes the seat of {name}, who cannot have it back.",
};
