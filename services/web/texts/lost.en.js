/** Texts of the screens for unknown addresses and lost tables, in English. */
/** @type {import("../parts.js").Texts} */
export default {
    watch: "Watch without a seat",
    forget: "Forget this table",
    "problem.not_found": "There is nothing here",
    "advice.not_found": "The address may be incomplete: ask the sender for the whole link.",
    another: "Open another table",
    closed: "The table is closed",
    "advice.closed":
        "Nobody sits there any more: the computer finishes a match that was under way. To play again, open a new table.",
    "problem.no_such_table": "This table is no longer there",
    "advice.no_such_table":
        "It ended a while ago, was never played, or the link is incomplete. Ask for a new link, or open a table of your own.",
    "problem.wrong_token": "Your seat at this table is gone",
    "advice.wrong_token": "You left it, or the host freed it. You can still watch.",
};
