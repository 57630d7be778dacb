/**
 * Plays a match over the API: each seat has its own client, which plays random legal moves.
 *
 * With `make run` in another terminal:
 *
 *     node examples/play_a_match.mjs ramino [http://127.0.0.1:8080/]
 */

import { Client } from "../services/web/client.js";

const [game = "gatto_rosso", address = "http://127.0.0.1:8080/"] = process.argv.slice(2);
const engine = new Client(address, { language: "en", words: true });

/**
 * Plays a seat's turns, and returns the table once the match is over.
 *
 * @param {string} table
 * @param {string | null} token
 */
async function play(table, token) {
    for await (const { table: seen } of engine.follow(table, { token })) {
        if (seen.status === "over") return seen;
        if (seen.moves.length) {
            const move = seen.moves[Math.floor(Math.random() * seen.moves.length)];
            await engine.play(table, move, { token, version: seen.version });
        }
    }
    throw new Error("the events of a table go on until it is over");
}

const { words } = await engine.game(game);
const short = words?.presets.find(({ preset }) => preset === "quick");
const host = await engine.open({ game, name: "Anna", options: short?.options ?? {} });
const guest = await engine.sit(host.table.id, { name: "Bruno" });
await engine.start(host.table.id, { token: host.token });
const [over] = await Promise.all([host, guest].map(({ token }) => play(host.table.id, token)));

for (const line of over.words?.result ?? []) console.log(line);
for (let deal = 1; deal <= over.match.deal; deal += 1) {
    const { commitment, moves } = await engine.proof(over.id, deal);
    const kept = commitment === host.table.match.commitment ? "as committed to before" : "NOT as committed to";
    console.log(`Deal ${deal}: ${moves.length} moves, ${kept}`);
}
