/** Texts of a table on a television, in Italian. */
/** @type {import("../parts.js").Texts} */
export default {
    scan: "Inquadra il codice per sederti",
    scanToWatch: "Inquadra il codice per guardare",
};
