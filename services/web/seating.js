/**
 * The person's actions at a table before the cards are dealt, except leaving it: sit down, seat computer players, change
 * the settings, give a client seed.
 *
 * @module
 */

import { Problem } from "./client.js";

/** @import { TableSession } from "./session.js" */
/** @import { ChangeTable } from "./types.js" */

/**
 * @param {TableSession} session
 * @param {string} name
 */
export function sit(session, name) {
    const { client, id, storage } = session;
    return session.attempt(async () => {
        const { table, seat, token } = await client.sit(id, { name }, { key: storage?.pending.of({ id, name }) });
        storage?.pending.done();
        storage?.saveName(name);
        storage?.saveSeat(id, { game: table.game, seat, token: token ?? "", name });
        session.become(token, table);
    });
}

/**
 * Continues with a seat that something else has taken for the person, such as the bot in Telegram.
 *
 * @param {TableSession} session
 * @param {() => Promise<string | null>} seat returns the seat's token
 */
export function sitBy(session, seat) {
    return session.attempt(async () => {
        const token = await seat();
        session.become(token, await session.client.table(session.id, { token }));
    });
}

/**
 * @param {TableSession} session
 * @param {string} name
 * @param {string} level
 */
export function addComputer(session, name, level) {
    return session.write((conditions) => session.client.sit(session.id, { name, kind: "computer", level }, conditions));
}

/**
 * @param {TableSession} session
 * @param {{name: string, level: string, server: import("./types.js").OwnServer}} who
 */
export function addOwnPlayer(session, who) {
    return session.write(async (conditions) => {
        try {
            return await session.client.sit(session.id, { ...who, kind: "computer" }, conditions);
        } catch (error) {
            if (error instanceof Problem && error.field) error.code = `own_player.${error.field}`;
            throw error;
        }
    });
}

/**
 * @param {TableSession} session
 * @param {number} seat
 * @param {string} level
 */
export function setLevel(session, seat, level) {
    return session.write((conditions) => session.client.setLevel(session.id, seat, level, conditions));
}

/**
 * @param {TableSession} session
 * @param {ChangeTable} change
 */
export function change(session, change) {
    return session.write((conditions) => session.client.change(session.id, change, conditions));
}

/**
 * @param {TableSession} session
 * @param {string} seed the seat's client seed for the next match
 */
export async function giveSeed(session, seed) {
    const { client, id, storage } = session;
    const accepted = await session.onSeat((seat, conditions) => client.giveSeed(id, seat, seed, conditions));
    const { table } = session.state;
    if (!accepted || !table) return;
    const match = table.match.number + (table.status === "over" ? 1 : 0);
    storage?.saveSeat(id, { seeds: { ...storage.seat(id)?.seeds, [match]: seed } });
    session.set({});
}
