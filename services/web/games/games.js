/**
 * The games of the playing table, each loaded when a table needs it: the engine serves their files here.
 *
 * @module
 */

import { ART, stylesheet } from "../parts.js";

/** @import { Client } from "../client.js" */
/** @import { GameTable } from "../table/shapes.js" */

/** The games with page code of their own; the engine writes the list. */
const DRAWN = (document.documentElement.dataset.games ?? "").split(" ");

/**
 * @param {string} name
 * @param {Client} client
 * @returns {Promise<GameTable>} the functions that draw a game's table; its pictures start to load
 */
export async function loadGame(name, client) {
    const table = await (DRAWN.includes(name) ? loadDrawn(name) : loadPlain(name, client));
    if (typeof table.deck === "string") fetch(`${ART}${table.deck}.svg`).catch(() => {});
    return table;
}

/**
 * @param {string} name
 * @returns {Promise<GameTable>}
 */
async function loadDrawn(name) {
    const [page] = await Promise.all([import(`./${name}/page.js`), stylesheet(`./games/${name}/page.css`)]);
    return page.table;
}

/**
 * @param {string} name
 * @param {Client} client
 */
async function loadPlain(name, client) {
    const [{ tableOf }, details] = await Promise.all([import("./plain.js"), client.game(name), stylesheet("./games/plain.css")]);
    return tableOf(details);
}
