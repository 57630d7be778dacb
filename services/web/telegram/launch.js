/**
 * Telegram's launch data, if Telegram has opened the page as a Mini App.
 *
 * @module
 */

const KEPT = "__telegram__initParams";

/**
 * Returns the signed launch data (Bot API, WebAppInitData); empty outside Telegram. After a reload they come from the
 * session storage, where Telegram's script saves them.
 *
 * @param {string} hash of the page's address
 * @param {() => Storage} open returns the session storage; it may throw
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
