/**
 * The line about maintenance that the operator has announced: fetched at once, and then each minute while the page is
 * visible.
 *
 * @module
 */

/** @import { Client } from "./client.js" */

const AGAIN = 60_000;
const READING = 12_000;

/**
 * @param {Client} client
 * @param {(text: string, isRead: boolean) => void} show gets the sentence, empty for none, and whether there was time to
 *   read it
 */
export function watch(client, show) {
    let known = "";
    const look = async () => {
        if (!document.hidden) {
            const server = await client.server().catch(() => null);
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
