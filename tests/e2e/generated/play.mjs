// @ts-check
/**
 * Plays a match with the types that openapi-typescript has generated: `tsc` checks this file against them.
 *
 *     node play.mjs http://127.0.0.1:8080 diavoletto
 */

/** @import { components, paths } from "./api.js" */

/** @typedef {components["schemas"]["Table"]} Table */
/** @typedef {components["schemas"]["PlayMove"]["move"]} Move */

const [url, game] = /** @type {any} */ (globalThis).process.argv.slice(2);

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, token?: string | null }} [given]
 */
async function call(method, path, { body, token } = {}) {
    /** @type {Record<string, string>} */
    const headers = { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.json();
}

/**
 * The first legal move, by the game's own types: nothing here is cast.
 *
 * @param {Table} table
 * @returns {Move}
 */
function chosen(table) {
    switch (table.game) {
        case "diavoletto": {
            const move = table.moves[0];
            if (move?.type === "discard") return { type: "discard", card: move.card, column: move.column };
            return /** @type {components["schemas"]["DiavolettoMove"]} */ (move);
        }
        default:
            return /** @type {Move} */ (table.moves[0]);
    }
}

/** @type {components["schemas"]["Seated"]} */
const opened = await call("POST", "/v1/tables", { body: { game, name: "Anna" } });
const path = `/v1/tables/${opened.table.id}`;
/** @type {components["schemas"]["Seated"]} */
const sat = await call("POST", `${path}/seats`, { body: { name: "Bruno" } });
const tokens = [opened.token, sat.token];
/** @type {Table} */
let table = await call("POST", `${path}/start`, { token: tokens[0] });
while (table.status !== "over") {
    const token = tokens[table.deal?.turn ?? 0];
    /** @type {Table} */
    const seen = await call("GET", path, { token });
    /** @type {paths["/v1/tables/{table}/moves"]["post"]["requestBody"]["content"]["application/json"]} */
    const body = { move: chosen(seen) };
    console.log(JSON.stringify(body.move));
    /** @type {components["schemas"]["Moved"]} */
    const moved = await call("POST", `${path}/moves`, { body, token });
    table = moved.table;
}
console.log(table.status);
