"use strict";
// node server.cjs PORT: boardgame.io's own server, with its state in memory.
const { Server } = require("boardgame.io/server");
const { game } = require("./game.cjs");

Server({ games: [game], origins: ["*"] }).run({
  port: Number(process.argv[2]),
  callback: () => console.log("ready"),
});
