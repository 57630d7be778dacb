/**
 * Telegram's launch data, if Telegram has opened the page as a Mini App.
 *
 * @module
 */

const KEPT = "__telegram__initParams";

/**
 * Returns the signed launch data (Bot API, WebAppInitData); empty outside Telegram. After a reload they are where
 * Telegram's script has kept them.
 *
 * @param {string} hash of the page's address
 * @param {() => Storage} open the storage of the browser's session, which may throw
 * @returns {string}
 */
export function launchData(hash, open) {
    const launched = new URLSearchParams(hash.slice(1)).get("tgWebAppData");
    if (launched) return launched;
    try {
        return String(JSON.parse(open().getItem(KEPT) ?? "{}").tgWebAppData ?? "");
    } catch {
        return "";
    }
}
