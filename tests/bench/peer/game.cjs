"use strict";
// A card game for two with hidden hands and a hidden stock. It never ends: an empty hand or stock begins a new deal.

const deal = (random, players) => {
  const stock = random.Shuffle([...Array(52).keys()]);
  const hands = Object.fromEntries([...Array(players).keys()].map((player) => [player, stock.splice(0, 7)]));
  return { hands, top: stock.pop(), stock };
};

const follows = (card, top) => card % 13 === top % 13 || card % 4 === top % 4;

const dealAgain = ({ G, random, ctx }) => {
  const over = G.stock.length === 0 || Object.values(G.hands).some((hand) => hand.length === 0);
  if (over) Object.assign(G, deal(random, ctx.numPlayers));
};

const play = (table, card) => {
  const { G, playerID } = table;
  const hand = G.hands[playerID];
  if (!hand.includes(card) || !follows(card, G.top)) return "INVALID_MOVE";
  hand.splice(hand.indexOf(card), 1);
  G.top = card;
  dealAgain(table);
  return undefined;
};

const draw = (table) => {
  const { G, playerID } = table;
  G.hands[playerID].push(G.stock.pop());
  dealAgain(table);
};

exports.game = {
  name: "cards",
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random, ctx }) => deal(random, ctx.numPlayers),
  playerView: ({ G, playerID }) => ({
    top: G.top,
    stock: G.stock.length,
    counts: Object.values(G.hands).map((hand) => hand.length),
    hands: { [playerID]: G.hands[playerID] },
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play: { move: play, client: false }, draw: { move: draw, client: false } },
};

// A random legal move, in the view of the player on turn.
exports.choose = (view, player) => {
  const legal = view.hands[player].filter((card) => follows(card, view.top));
  return legal.length ? ["play", legal[Math.floor(Math.random() * legal.length)]] : ["draw"];
};
