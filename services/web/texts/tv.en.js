/** Texts of a table on a television, in English. */
/** @type {import("../parts.js").Texts} */
export default {
    scan: "Scan the code to sit down",
    scanToWatch: "Scan the code to watch",
};
