/**
 * Checks in the browser that a deal comes from the seed that the table had committed to (docs/fairness.md): the
 * commitment, the deal's seed, the cards. It shares no code with the engine.
 *
 * @module
 */

/**
 * @import { JsonObject, Proof } from "../types.js"
 */

const DOMAIN = "locanda-shuffle-v1";
const MOST_SHUFFLES = 1000;

/**
 * The commitment that this browser saw and the seed that it sent before the match.
 *
 * @typedef {object} Published
 * @property {string | undefined} commitment
 * @property {number | null} seat
 * @property {string | undefined} seed
 */

/** @typedef {"commitment" | "published" | "given" | "seed" | "dealer" | "cards"} Question */
/** @typedef {{question: Question, agrees: boolean | null}} Finding `agrees` is null if there was nothing to compare with */

/** Whether the browser has SubtleCrypto: not on plain http. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/**
 * @param {Proof} proof
 * @param {Published} published
 * @returns {Promise<Finding[]>}
 */
export async function examine(proof, published) {
    const { table, match, deal, server_seed: secret } = proof;
    const start = /** @type {JsonObject} */ (proof.start);
    const own = published.seat === null || published.seed === undefined ? null : published.seed;
    const seed = await dealSeed(secret, table, match, deal, proof.client_seeds);
    return [
        { question: "commitment", agrees: (await commitment(table, match, secret)) === proof.commitment },
        { question: "published", agrees: published.commitment ? published.commitment === proof.commitment : null },
        { question: "given", agrees: own === null ? null : proof.client_seeds[published.seat ?? 0] === own },
        { question: "seed", agrees: hex(seed) === proof.seed },
        { question: "dealer", agrees: match === 1 ? (await dealerOf(proof)) === start.dealer : null },
        { question: "cards", agrees: proof.dealing ? await cardsAgree(proof.dealing, seed, start) : null },
    ];
}

/**
 * SHA-256 of the domain, the table's id, the match's number and the server seed.
 *
 * @param {string} table
 * @param {number} match
 * @param {string} secret
 */
async function commitment(table, match, secret) {
    const data = new Uint8Array([...bytes(DOMAIN + table + match), ...unhex(secret)]);
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", data)));
}

/**
 * @param {string} secret
 * @param {string} table
 * @param {number} match
 * @param {number} deal
 * @param {readonly string[]} seeds
 */
function dealSeed(secret, table, match, deal, seeds) {
    return mac(unhex(secret), bytes(JSON.stringify([table, match, deal, seeds])));
}

/**
 * The dealer of a deal of a table's first match: deal 0 draws the first one.
 *
 * @param {Proof} proof
 */
async function dealerOf({ server_seed: secret, table, match, deal, client_seeds: seeds, start }) {
    const players = /** @type {JsonObject} */ (start).hands.length;
    const drawn = await dealSeed(secret, table, match, 0, seeds);
    const [first] = await shuffled(drawn, 0, [...Array(players).keys()]);
    return (first + deal - 1) % players;
}

/**
 * Whether the seed deals exactly this start, in every field.
 *
 * @param {JsonObject} dealing
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {JsonObject} start
 */
async function cardsAgree(dealing, seed, start) {
    const parts = Object.entries(await dealt(dealing, seed, start));
    return parts.every(([part, value]) => JSON.stringify(start[part]) === JSON.stringify(value));
}

// --- how a game is dealt, from its description (docs/fairness.md)

/**
 * The piles and hands while the cards are dealt. Piles are bottom first.
 *
 * @typedef {object} Dealt
 * @property {Uint8Array<ArrayBuffer>} seed
 * @property {JsonObject} start
 * @property {number} shuffles
 * @property {string[]} pack the cards of the last shuffle, in the order before it
 * @property {JsonObject} piles
 * @property {string[][]} hands
 * @property {number} turn
 */

/**
 * @param {JsonObject} dealing
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {JsonObject} start
 * @returns {Promise<JsonObject>} all fields of the start except options, dealer and dues
 */
async function dealt(dealing, seed, start) {
    /** @type {Dealt} */
    const so = { seed, start, shuffles: 0, pack: [], piles: {}, hands: start.hands.map(() => []), turn: 0 };
    so.turn = dealing.turn === "first_due" && start.dues.length ? start.dues[0][0] : afterDealer(start);
    for (const step of dealing.steps) await VERBS[Object.keys(step)[0]](so, step);
    const fields = Object.entries(dealing.fields).map(([name, value]) => [name, valueOf(so, value)]);
    const piles = dealing.piles.map((/** @type {string} */ name) => [name, so.piles[name]]);
    const hands = so.hands.map((hand) => sorted(so.pack, hand));
    return { ...Object.fromEntries([...fields, ...piles]), hands, turn: so.turn, shuffles: so.shuffles };
}

/**
 * A value of the description, which may depend on options, players or a tax.
 *
 * @param {{ start: JsonObject }} so
 * @param {any} value
 * @returns {any}
 */
function valueOf({ start }, value) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    if ("then" in value) return valueOf({ start }, value.if) ? value.then : value.default;
    if ("is" in value) return start.options[value.option] === value.is;
    if ("option" in value) return start.options[value.option] ?? value.default;
    if ("players" in value) return value.players[start.hands.length] ?? value.default;
    if ("due" in value) return start.dues.length ? value.due : value.default;
    return start.hands.map(() => value.each_seat);
}

/** @type {Record<string, (so: Dealt, step: JsonObject) => Promise<void> | void>} */
const VERBS = {
    async shuffle(so, step) {
        so.pack = step.shuffle.flatMap((/** @type {JsonObject} */ part) => cardsOf(so, part));
        so.piles[step.to] = await again(so, so.pack);
    },
    hands(so, step) {
        const seats = so.hands.length;
        for (let number = 0; number < valueOf(so, step.hands) * seats; number += 1) {
            so.hands[(so.start.dealer + 1 + number) % seats].push(so.piles[step.from].pop());
        }
    },
    take(so, step) {
        so.piles[step.to] = Array.from({ length: valueOf(so, step.take) }, () => so.piles[step.from].pop());
    },
    share(so, step) {
        so.piles[step.to] = so.hands.map(() => so.piles[step.from].splice(0, valueOf(so, step.share)));
    },
    async higher_top(so, step) {
        for (;;) {
            const tops = so.piles[step.higher_top].map((/** @type {string[]} */ pile) => pile.at(-1)?.[0]);
            const [one, other] = tops.map((/** @type {string} */ rank) => step.ranks.indexOf(rank));
            if (one !== other) so.turn = one > other ? 0 : 1;
            else if (valueOf(so, step.draw)) [so.turn] = await again(so, [0, 1]);
            else if (so.shuffles > MOST_SHUFFLES) throw new RangeError("no shuffle breaks the tie for the first turn");
            else {
                for (const [seat, pile] of so.piles[step.higher_top].entries()) {
                    so.piles[step.higher_top][seat] = await again(so, pile);
                }
                continue;
            }
            return;
        }
    },
    hand_of_turn(so, step) {
        so.hands[so.turn] = so.piles[step.from].splice(-valueOf(so, step.hand_of_turn));
    },
    sort(so, step) {
        so.piles[step.to] = sorted(so.pack, so.piles[step.sort]);
    },
};

/**
 * The cards in the order of the next shuffle.
 *
 * @template T
 * @param {Dealt} so
 * @param {readonly T[]} cards
 */
function again(so, cards) {
    so.shuffles += 1;
    return shuffled(so.seed, so.shuffles - 1, cards);
}

/**
 * The cards of one part of a pack.
 *
 * @param {Dealt} so
 * @param {JsonObject} part
 * @returns {string[]}
 */
function cardsOf(so, part) {
    if ("if" in part && !valueOf(so, part.if)) return [];
    if ("pile" in part) return so.piles[part.pile];
    if ("cards" in part) return part.cards;
    const [ranks, suits] = [[...part.ranks], [...part.suits]];
    const without = valueOf(so, part.without ?? null);
    const cards =
        part.by === "suit"
            ? suits.flatMap((suit) => ranks.map((rank) => rank + suit))
            : ranks.flatMap((rank) => suits.map((suit) => rank + suit));
    return without ? cards.filter((card) => !card.endsWith(without)) : cards;
}

/** @param {JsonObject} start */
const afterDealer = (start) => (start.dealer + 1) % start.hands.length;

/**
 * @param {readonly string[]} pack
 * @param {readonly string[]} hand
 */
const sorted = (pack, hand) => [...hand].sort((a, b) => pack.indexOf(a) - pack.indexOf(b));

// --- shuffling

/**
 * Fisher-Yates shuffle from the end. Each draw is a 32-bit word; words from the largest multiple of the number of choices up are rejected.
 *
 * @template T
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {number} index
 * @param {readonly T[]} cards
 * @returns {Promise<T[]>}
 */
async function shuffled(seed, index, cards) {
    const result = [...cards];
    const words = randomWords(seed, index);
    for (let last = result.length - 1; last > 0; last -= 1) {
        const limit = 2 ** 32 - (2 ** 32 % (last + 1));
        let word;
        do word = /** @type {number} */ ((await words.next()).value);
        while (word >= limit);
        const chosen = word % (last + 1);
        [result[last], result[chosen]] = [result[chosen], result[last]];
    }
    return result;
}

/**
 * Yields random words: eight from each HMAC-SHA-256 of the shuffle's number and a counter.
 *
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {number} index
 * @returns {AsyncGenerator<number, void>}
 */
async function* randomWords(seed, index) {
    for (let counter = 0; ; counter += 1) {
        const data = new DataView(new ArrayBuffer(8));
        data.setUint32(0, index);
        data.setUint32(4, counter);
        const block = new DataView((await mac(seed, new Uint8Array(data.buffer))).buffer);
        for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
    }
}

/**
 * @param {Uint8Array<ArrayBuffer>} secret
 * @param {Uint8Array<ArrayBuffer>} data
 */
async function mac(secret, data) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {string} text */
const unhex = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** @param {Uint8Array} data */
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
