/**
 * Writes the deals of a finished match as JSON, one line each: every move, with a seat's view before it.
 *
 *     node examples/export_deals.mjs http://127.0.0.1:8080/t/… 0 >deals.jsonl
 *
 * The number is the seat; without it, each view is that of the seat on turn. A proof has the deal's start and its moves;
 * the engine's stateless calls replay them. `locanda export` writes whole matches.
 */

import { Client, Problem } from "../services/web/client.js";

const [link = "", number] = process.argv.slice(2);
const [, address = "", table = ""] = /^(.+)t\/([\w-]{22})$/.exec(link) ?? [];
const seat = number === undefined ? null : Number(number);
const engine = new Client(address);

/** Yields the proofs of all deals of all finished matches. */
async function* proofs() {
    const { match } = await engine.table(table);
    const over = match.result ? match.number : match.number - 1;
    for (let number = 1; number <= over; number += 1) {
        for (let deal = 1; ; deal += 1) {
            try {
                yield await engine.proof(table, deal, { match: number });
            } catch (error) {
                if (error instanceof Problem && error.code === "no_such_deal") break;
                throw error;
            }
        }
    }
}

/**
 * Replays a deal's moves, and returns the views before each of them and after the last one.
 *
 * @param {import("../services/web/types.js").Proof} proof
 */
async function replayed({ game, start, moves }) {
    let deal = /** @type {import("../services/web/types.js").JsonObject} */ (start);
    const steps = [];
    for (const { seat: turn, move } of moves) {
        const viewer = seat ?? turn;
        const view = await engine.viewOf(game, deal, viewer);
        const legal = viewer === turn ? (await engine.movesOf(game, deal)).moves : [];
        const played = await engine.playOf(game, deal, move);
        steps.push({ turn, viewer, view, moves: legal, move, events: played.events });
        deal = played.deal;
    }
    return { steps, end: await engine.viewOf(game, deal, seat) };
}

for await (const proof of proofs()) {
    const { game, match, deal } = proof;
    console.log(JSON.stringify({ table, game, match, deal, seat, ...(await replayed(proof)), proof }));
}
