/**
 * Stylesheets that only some screens need, loaded with them.
 *
 * @module
 */

/** @import { Part } from "./texts.js" */

/** Of the page itself, base.css is in its HTML. @type {Record<Part, string[]>} */
const FILES = { page: [], lobby: ["forms", "lobby"], play: ["table", "cards"], review: ["review"] };

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads the styles of a part; resolves once they hold.
 *
 * @param {Part} part
 */
export async function loadStyles(part) {
    await Promise.all(FILES[part].map((name) => stylesheet(`./style/${name}.css`)));
}

/**
 * Loads the styles of a game at the playing table; they hold over those of the part `play`.
 *
 * @param {string} game
 */
export function loadGameStyles(game) {
    return stylesheet(`./style/games/${game}.css`);
}

/**
 * @param {string} name
 * @returns {Promise<void>} rejected where it does not load; the next call tries again
 */
function stylesheet(name) {
    const found = loading.get(name);
    if (found) return found;
    const loaded = new Promise((resolve, reject) => {
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.href = new URL(name, import.meta.url).href;
        link.onload = () => resolve(undefined);
        link.onerror = () => {
            link.remove();
            loading.delete(name);
            reject(new Error(name));
        };
        document.head.append(link);
    });
    loading.set(name, /** @type {Promise<void>} */ (loaded));
    return /** @type {Promise<void>} */ (loaded);
}
