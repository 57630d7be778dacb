/**
 * An own player: a server that an engine asks for the moves of a seat. It plays a random legal move of any game, and
 * refuses requests that are not signed with the secret.
 *
 * With ENGINE_PLAYERS="ada=http://127.0.0.1:9000/ whsec_…" and ENGINE_OUTBOUND_PRIVATE=127.0.0.1 in .env, and `make run` in
 * another terminal:
 *
 *     node examples/own_player.mjs 9000 whsec_…
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const [port, secret = ""] = process.argv.slice(2);

/**
 * Whether a request is signed with the secret (Standard Webhooks). Libraries for that also check its age.
 *
 * @param {import("node:http").IncomingMessage} request
 * @param {string} body
 */
function isSigned({ headers }, body) {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const expected = Buffer.from(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
    const given = Buffer.from(String(headers["webhook-signature"]));
    return given.length === expected.length && timingSafeEqual(given, expected);
}

createServer(async (request, response) => {
    const body = (await request.setEncoding("utf8").toArray()).join("");
    if (!isSigned(request, body)) {
        response.writeHead(401).end();
        return;
    }
    const { moves } = JSON.parse(body);
    const move = moves[Math.floor(Math.random() * moves.length)];
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ move }));
}).listen(Number(port), "127.0.0.1");
