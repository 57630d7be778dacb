/**
 * The line about maintenance that whoever runs the server has announced: asked for at once, and then each minute in
 * which somebody looks at it.
 *
 * @module
 */

/** @import { Client } from "./client.js" */

const AGAIN = 60_000;

/**
 * @param {Client} client
 * @param {(text: string) => void} show gets the sentence, empty for none
 */
export function watch(client, show) {
    let known = "";
    const look = async () => {
        if (!document.hidden) {
            const server = await client.server().catch(() => null);
            const text = server?.maintenance?.text ?? "";
            if (server && text !== known) show((known = text));
        }
        setTimeout(() => void look(), AGAIN);
    };
    void look();
}
