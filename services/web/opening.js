/**
 * Opens a table and seats computer players at it. Idempotency keys prevent a second table or seat after a lost answer.
 *
 * @module
 */

import { Problem, freshKey } from "./client.js";

/** @import { Client } from "./client.js" */
/** @import { BrowserStorage } from "./storage.js" */
/** @import { ComputerLevel, GameDetails, OpenTable, Table } from "./types.js" */

const NAMES = ["Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Ugo", "Irene", "Luca", "Anna"];
export const LEVELS = /** @type {ComputerLevel[]} */ (["easy", "medium", "hard"]);
/**
 * @param {GameDetails} game
 * @returns {readonly string[]} the levels of a game's computer players on this server
 */
export function levelsOf(game) {
    return game.levels ?? LEVELS;
}

export const LONGEST_NAME = 32;

/**
 * @param {FormData} form
 * @returns {string} the typed name without surplus spaces
 */
export function typedName(form) {
    return String(form.get("name") ?? "").trim().replace(/\s+/gu, " ");
}

/**
 * @param {readonly {name: string}[]} seats
 * @returns {string} a name that nobody at the table has
 */
export function computerName(seats) {
    const taken = new Set(seats.map((seat) => seat.name));
    return NAMES.find((name) => !taken.has(name)) ?? `${NAMES[0]} ${seats.length}`;
}

/**
 * Opens a table and keeps the host's seat.
 *
 * @param {Client} client
 * @param {BrowserStorage} storage
 * @param {OpenTable} request
 * @returns {Promise<{table: Table, token: string}>}
 */
export async function openTable(client, storage, request) {
    const { table, seat, token } = await client.open(request, { key: storage.pending.of(request) });
    storage.pending.done();
    if (token === null) throw new Problem({ status: 0, code: "bad_answer", title: "" });
    const { number, commitment } = table.match;
    storage.saveSeat(table.id, { game: table.game, seat, token, name: request.name, commitments: { [number]: commitment } });
    return { table, token };
}

/**
 * Opens a table against computer players and starts the match. If the connection is lost in between, the waiting table
 * shows how far it got, and the host can continue.
 *
 * @param {Client} client
 * @param {BrowserStorage} storage
 * @param {OpenTable} request
 * @param {{computers: number, level: string}} opponents
 * @returns {Promise<Table>} the last known state of the table
 */
export async function playAlone(client, storage, request, { computers, level }) {
    const { table, token } = await openTable(client, storage, request);
    // The client seed is known only to the player, so the engine's operator cannot choose the shuffle.
    const seed = freshKey();
    const seats = [{ name: request.name }];
    while (seats.length <= computers) seats.push({ name: computerName(seats) });
    try {
        // Sent together: on a slow connection each answer takes longer than the engine's work.
        await Promise.all([
            ...seats.slice(1).map(({ name }) => client.sit(table.id, { name, kind: "computer", level }, { token })),
            client.giveSeed(table.id, table.you ?? 0, seed, { token }),
        ]);
        storage.saveSeat(table.id, { seeds: { [table.match.number]: seed } });
        return await client.start(table.id, { token });
    } catch (error) {
        if (!(error instanceof Problem)) throw error;
    }
    return table;
}
