/**
 * How a hidden tab follows its table: by a stream as one that is seen does, or by looks where other tabs have streams
 * enough. Browsers open six connections to a server (HTTP/1.1), whatever the number of tabs, and a stream
 * holds one of them for as long as it lasts.
 *
 * @module
 */

import { Problem } from "./client.js";
import { hidden } from "./session.js";

/** @import { Client } from "./client.js" */
/** @import { StreamItem } from "./types.js" */

/** Streams of tabs that nobody sees. What is left is for the tab that is seen, and for moves. */
const SLOTS = 3;
/** Milliseconds between two looks. */
const LOOK_EVERY = 5_000;

/**
 * Yields what happens at a table.
 *
 * @param {Client} client
 * @param {string} id
 * @param {{
 *   token: string | null, after: number | undefined, signal: AbortSignal, connected: () => void, lost: () => void,
 * }} options as `Client.follow` takes them
 * @returns {AsyncGenerator<StreamItem, void, void>}
 */
export async function* stepsOf(client, id, { token, after, signal, connected, lost }) {
    while (hidden() && !(await takeSlot(signal))) {
        try {
            const { events } = await client.events(id, { token, after, signal });
            connected();
            after = events.at(-1)?.id ?? after;
            yield* events;
        } catch (error) {
            if (!(error instanceof Problem) || !error.passing) throw error;
            lost();
        }
        await pause(LOOK_EVERY, signal);
        if (signal.aborted) return;
    }
    yield* client.follow(id, { token, after, signal, connected, lost });
}

/**
 * Takes one of the slots for streams of hidden tabs, and holds it until the signal aborts.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} false where other tabs hold them all, or the page has no locks, as without TLS
 */
async function takeSlot(signal) {
    const { locks } = globalThis.navigator ?? {};
    for (let slot = 0; locks && slot < SLOTS; slot += 1) {
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
 * @param {AbortSignal} signal ends it sooner
 */
function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    });
}
