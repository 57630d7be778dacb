/**
 * The state of the person's own tables, in a few words.
 *
 * @module
 */

import { Problem } from "../client.js";
import { problemTitle } from "./frame.js";

/** @import { Context } from "../app.js" */
/** @import { Translate } from "../parts.js" */
/** @import { SavedSeat } from "../storage.js" */
/** @import { Table } from "../types.js" */

/** The person's tables by id, or the reason why one was not found. @typedef {Map<string, Table | Problem>} Results */

/**
 * Fetches the tables of saved seats one after the other.
 *
 * @param {Context} context
 * @param {readonly SavedSeat[]} seats
 * @param {Results} results gets each result
 */
export async function look({ client, changed }, seats, results) {
    for (const { table, token } of seats) {
        results.set(table, await client.table(table, { token }).catch((error) => error));
        changed();
    }
}

/** @param {Table | Problem | undefined} table */
export function isYours(table) {
    return table !== undefined && !(table instanceof Problem) && table.moves.length > 0;
}

/** @param {Table | Problem | undefined} table @returns {boolean} whether nothing more will happen there */
export function isPast(table) {
    return table instanceof Problem ? !table.passing : table?.status === "over";
}

/**
 * @param {Translate} t
 * @param {Table | Problem | undefined} table
 */
export function state(t, table) {
    if (table === undefined) return t("loading");
    if (table instanceof Problem) return problemTitle(t, table);
    if (table.status === "open") return t("state.open", { n: table.seats.length });
    if (table.status === "over") return t("state.over");
    return isYours(table) ? t("your_turn") : table.words?.turn || t("state.playing");
}
