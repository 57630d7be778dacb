/** Texts of every screen, in English. */
/** @type {import("../parts.js").Texts} */
export default {
    // --- everywhere
    home: "Locanda, to the games",
    skip: "Skip to the content",
    navigation: "Main",
    mine: "My tables",
    settings: "Settings",
    close: "Close",
    again: "Try again",
    reload: "Reload",
    loading: "One moment…",
    table: "Table",
    to_lobby: "To the games",
    rules: "Rules",
    storage_refused:
        "This browser keeps nothing for this page. Your seats last as long as this tab: do not close it while you play.",

    // --- at a table
    leave: "Leave the table",
    television: "Show on a television",
    your_turn: "Your turn",

    // --- what goes wrong
    "problem.unexpected": "Something went wrong",
    "problem.unreachable": "The server cannot be reached",
    "advice.unreachable": "Your seats are safe. Check the connection, or try again in a moment.",
    "problem.bad_answer": "The answer could not be read",
    "advice.bad_answer": "Something stands between this page and the server. Try again, or reload the page.",
    "problem.not_played": "Your move was not made: the server cannot be reached",
    "problem.not_loaded": "A part of the page did not load",
    "advice.not_loaded": "The connection may be gone, or there is a newer version of the page: reload it.",
    "problem.stale": "The table has changed meanwhile",
    "advice.stale": "Have another look and decide again: nothing was done.",
    "problem.too_many_requests": "That was too much at once",
    "advice.too_many_requests": "Wait a moment and try again.",
    "advice.store_down": "Your seats are safe. Try again in a moment.",
};
