/**
 * The line about maintenance that whoever runs the server has announced: asked for a moment after the page is there, and
 * then each minute in which somebody looks at it.
 *
 * @module
 */

/** @import { Client } from "./client.js" */

const FIRST = 4_000;
const AGAIN = 60_000;

/**
 * @param {Client} client
 * @param {(text: string) => void} show gets the sentence, empty for none
 */
export function watchMaintenance(client, show) {
    let known = "";
    const look = async () => {
        if (!document.hidden) {
            const server = await client.server().catch(() => null);
            const text = server?.maintenance?.text ?? "";
            if (server && text !== known) show((known = text));
        }
        setTimeout(() => void look(), AGAIN);
    };
    setTimeout(() => void look(), FIRST);
}
