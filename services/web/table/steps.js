/**
 * A finished deal step by step. The proof has its start and its moves; the engine's stateless calls replay them.
 *
 * @module
 */

/**
 * @import { Client } from "../client.js"
 * @import { JsonObject, Proof } from "../types.js"
 * @import { Move, Play } from "./shapes.js"
 */

/** The states of a deal between its moves, each fetched once. */
export class Steps {
    /**
     * @param {Client} client
     * @param {Proof} proof
     */
    constructor(client, proof) {
        this.client = client;
        this.proof = proof;
        this.moves = proof.moves;
        this.at = 0;
        /** @type {Promise<JsonObject>[]} the deal before each move, and the final one */
        this.deals = [Promise.resolve(proof.start)];
        /** @type {{ deal: JsonObject, view: JsonObject } | null} */
        this.shown = null;
    }

    /**
     * Goes to a step. A later call cancels an earlier one.
     *
     * @param {number} wanted
     */
    async go(wanted) {
        const { client, proof } = this;
        const at = Math.max(0, Math.min(wanted, this.moves.length));
        this.at = at;
        const deal = await this.#deal(at);
        if (this.at !== at) return;
        const view = await client.viewOf(proof.game, deal, null);
        if (this.at === at) this.shown = { deal, view };
    }

    /**
     * @param {number} at
     * @returns {Promise<JsonObject>}
     */
    #deal(at) {
        const { client, proof, deals } = this;
        while (deals.length <= at) {
            const { move } = this.moves[deals.length - 1];
            const after = deals[deals.length - 1].then((deal) => client.playOf(proof.game, deal, move));
            deals.push(after.then((answer) => answer.deal));
        }
        return deals[at];
    }
}

/**
 * The cards that a move names, in its order.
 *
 * @param {Move} move
 * @returns {string[]}
 */
export const cardsOf = ({ card, cards = [] }) => (card ? [card] : cards);

/**
 * A move in a few words, by the engine's labels.
 *
 * @param {Move} move
 * @param {Play} play
 */
export function moveText(move, play) {
    const { label, short } = play;
    const verb = move.type === "build" ? "" : label(move.type);
    const cards = cardsOf(move).map(short).join(" ");
    const joker = move.joker ? `(${short("*")} = ${short(move.joker)})` : "";
    const where = whereTo(move, play);
    return [verb, cards, joker, where && cards ? `→ ${where}` : where].filter(Boolean).join(" ");
}

/**
 * The pile that a move names: its field other than the cards and their origin.
 *
 * @param {Move} move
 * @param {Play} play
 */
function whereTo({ type: _type, card, cards: _cards, joker: _joker, from, ...rest }, { label }) {
    const [pile, number] = Object.entries(rest).find(([name]) => name !== from) ?? [];
    if (!pile) return from && !card ? label(from) : "";
    return number === null ? label(`new_${pile}`) : `${label(pile)} ${number + 1}`;
}
