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

/** The games that are loaded, by name. @type {Record<string, GameTable>} */
export const GAMES = {};

/**
 * @param {string} name
 * @returns {Promise<void>} resolves once the game is in `GAMES`, if the page knows it
 */
export async function loadGame(name) {
    if (Object.hasOwn(FILES, name)) [GAMES[name]] = await Promise.all([FILES[name](), loadGameStyles(name)]);
}
