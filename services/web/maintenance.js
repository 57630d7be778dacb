/**
 * The line about announced maintenance. It is fetched at once, then every minute while the page is visible.
 *
 * @module
 */

/** @import { Client } from "./client.js" */

const AGAIN = 60_000;
const READING = 12_000;

/**
 * @param {object} page
 * @param {Client} page.client
 * @param {(changed: {maintenance: {text: string, isRead: boolean}}) => void} page.set gets the sentence (empty for none)
 * and whether it has been shown long enough to be read
 */
export function watch(page) {
    let known = "";
    /** @param {string} text @param {boolean} isRead */
    const show = (text, isRead) => page.set({ maintenance: { text, isRead } });
    const look = async () => {
        if (!document.hidden) {
            const server = await page.client.server().catch(() => null);
            const text = server?.maintenance?.text ?? "";
            if (server && text !== known) {
                const isNew = !known;
                show((known = text), !isNew);
                if (isNew) setTimeout(() => show(known, true), READING);
            }
        }
        setTimeout(() => void look(), AGAIN);
    };
    void look();
}
