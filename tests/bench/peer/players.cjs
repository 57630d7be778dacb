"use strict";
// node players.cjs PORT MATCHES SECONDS: matches of two people, each with boardgame.io's own client over a web socket.
// The one on turn moves at once. A move counts once the other person has the new state.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { choose, game } = require("./game.cjs");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const socketOpts = { transports: ["websocket"] };
const WARM_UP = 3;
const times = [];
let counts = false;

const post = async (path, body) => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`${server}/games/cards/${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
};
const pause = (length) => new Promise((resolve) => setTimeout(resolve, length * 1000));
const share = (part) => times[Math.floor(times.length * part)];

async function begin() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const sent = {};
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: `player ${playerID}` });
    const settings = { game, matchID, playerID, credentials: playerCredentials, debug: false };
    const client = Client({ ...settings, multiplayer: SocketIO({ server, socketOpts }) });
    let last = -1;
    client.subscribe((state) => {
      if (!state || state._stateID === last) return;
      last = state._stateID;
      if (state.ctx.currentPlayer !== playerID) return;
      if (counts && sent[last]) times.push(performance.now() - sent[last]);
      delete sent[last];
      const [move, ...rest] = choose(state.G, playerID);
      setImmediate(() => {
        sent[last + 1] = performance.now();
        client.moves[move](...rest);
      });
    });
    client.start();
  }
}

(async () => {
  for (let number = 0; number < matches; number += 1) await begin();
  await pause(WARM_UP);
  console.log("ready");
  counts = true;
  const began = performance.now();
  await pause(seconds);
  counts = false;
  const length = (performance.now() - began) / 1000;
  times.sort((one, other) => one - other);
  const answers = { answers: times.length, served: times.length, failures: 0 };
  console.log(JSON.stringify({ ...answers, seconds: length, p50: share(0.5), p99: share(0.99) }));
  process.exit(0);
})();
