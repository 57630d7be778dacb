/**
 * Stylesheets that only some screens need, loaded with them.
 *
 * @module
 */

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** Loads the styles of the playing table; resolves once they hold. */
export async function tableStyles() {
    await Promise.all([stylesheet("./style/table.css"), stylesheet("./style/cards.css")]);
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
