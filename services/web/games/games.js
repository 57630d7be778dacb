/**
 * The games that the playing table knows, each loaded when a table needs it: the engine serves their files here.
 *
 * @module
 */

import { loadGameStyles } from "../parts.js";

/** @import { GameTable } from "../table/shapes.js" */

/** The games that bring a playing table of their own, as the engine has written into the page. */
const DRAWN = (document.documentElement.dataset.games ?? "").split(" ");

/** The games that are loaded, by name. @type {Record<string, GameTable>} */
export const GAMES = {};

/**
 * @param {string} name
 * @returns {Promise<void>} resolves once the game is in `GAMES`, if the page knows it
 */
export async function loadGame(name) {
    if (!DRAWN.includes(name)) return;
    const [page] = await Promise.all([import(`./${name}/page.js`), loadGameStyles(name)]);
    GAMES[name] = page.table;
}
