/**
 * The games of the playing table, each loaded when a table needs it: the engine serves their files here.
 *
 * @module
 */

import { stylesheet } from "../parts.js";

/** @import { Client } from "../client.js" */
/** @import { GameTable } from "../table/shapes.js" */

/** The games that bring a playing table of their own, as the engine has written into the page. */
const DRAWN = (document.documentElement.dataset.games ?? "").split(" ");

/** Where the decks are. */
export const ART = new URL("../art/", import.meta.url).href;

/** The games that are loaded, by name. @type {Record<string, GameTable>} */
export const GAMES = {};

/**
 * @param {string} name
 * @param {Client} client
 * @returns {Promise<void>} resolves once the game is in `GAMES`, and its pictures are asked for
 */
export async function loadGame(name, client) {
    if (DRAWN.includes(name)) {
        const [page] = await Promise.all([import(`./${name}/page.js`), stylesheet(`./games/${name}/page.css`)]);
        GAMES[name] = page.table;
    } else {
        const [{ tableOf }, details] = await Promise.all([import("./plain.js"), client.game(name), stylesheet("./games/plain.css")]);
        GAMES[name] = tableOf(details);
    }
    const { deck } = GAMES[name];
    if (typeof deck === "string") fetch(`${ART}${deck}.svg`).catch(() => {});
}
