/**
 * The games that the playing table knows, each loaded when a table needs it.
 *
 * @module
 */

import { loadGameStyles } from "../parts.js";

/** @import { GameTable } from "../table/shapes.js" */

/** @type {Record<string, () => Promise<GameTable>>} */
const FILES = {
    gatto_rosso: async () => (await import("./gatto_rosso.js")).gattoRosso,
    ramino: async () => (await import("./ramino.js")).ramino,
    diavoletto: async () => (await import("./diavoletto.js")).diavoletto,
    presidente: async () => (await import("./presidente.js")).presidente,
};

/** Those that have been loaded. @type {Record<string, GameTable>} */
export const GAMES = {};

/**
 * @param {string} name
 * @returns {Promise<void>} once the game is among `GAMES`, if the page knows it
 */
export async function loadGame(name) {
    if (Object.hasOwn(FILES, name)) [GAMES[name]] = await Promise.all([FILES[name](), loadGameStyles(name)]);
}
