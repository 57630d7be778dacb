/**
 * Follows a table by a stream, or by polling if other tabs already have enough streams. Browsers open at most six
 * connections to a server (HTTP/1.1) for all tabs together, and a stream occupies one of them.
 *
 * @module
 */

import { Problem } from "./client.js";

/** @import { Client } from "./client.js" */
/** @import { SaidRemark, StreamItem, Table } from "./types.js" */

/** The most streams of all tabs, and of hidden tabs. The other connections are for polls and moves. */
const [SLOTS, SLOTS_BEHIND] = [4, 3];
/** Milliseconds between two polls of a visible tab, and of a hidden one. */
const [LOOK_EVERY, LOOK_BEHIND_EVERY] = [1_000, 5_000];

/** Whether the tab is hidden. */
export function hidden() {
    return !!globalThis.document?.hidden;
}

/**
 * Yields the steps of a table.
 *
 * @param {Client} client
 * @param {string} id
 * @param {{
 *   token: string | null, after: number | undefined, signal: AbortSignal, connected: () => void, lost: () => void,
 *   heard: (remark: SaidRemark) => void,
 * }} options those of `Client.follow`
 * @returns {AsyncGenerator<StreamItem, void, void>}
 */
export async function* stepsOf(client, id, { token, after, signal, connected, lost, heard }) {
    while (!(await takeSlot(signal))) {
        try {
            const events = after === undefined ? [asItIs(await client.table(id, { token }))] : (await client.events(id, { token, after, signal })).events;
            connected();
            after = events.at(-1)?.id ?? after;
            yield* events;
        } catch (error) {
            if (!(error instanceof Problem) || !error.passing) throw error;
            lost();
        }
        await pause(hidden() ? LOOK_BEHIND_EVERY : LOOK_EVERY, signal);
        if (signal.aborted) return;
    }
    yield* client.follow(id, { token, after, signal, connected, lost, heard });
}

/**
 * @param {Table} table
 * @returns {StreamItem}
 */
const asItIs = (table) => ({ id: table.version, event: "change", table });

/**
 * Takes one of the slots for streams, and holds it until the signal aborts.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} false if other tabs hold all slots. Without TLS pages have no locks; then only visible
 * tabs have streams.
 */
async function takeSlot(signal) {
    const { locks } = globalThis.navigator ?? {};
    if (!locks) return !hidden();
    for (let slot = 0; slot < (hidden() ? SLOTS_BEHIND : SLOTS); slot += 1) {
        const held = new Promise((resolve) => signal.addEventListener("abort", resolve));
        const taken = await new Promise((resolve) => {
            locks.request(`locanda.stream.${slot}`, { ifAvailable: true }, (lock) => {
                resolve(lock !== null);
                return lock && !signal.aborted ? held : undefined;
            });
        });
        if (taken) return true;
    }
    return false;
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal ends the pause early
 */
function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    });
}
