/**
 * Checks in the browser that a deal was dealt from the seed that the table had committed to, as docs/fairness.md says:
 * the commitment, the deal's seed, the cards. It shares no code with the engine.
 *
 * @module
 */

/**
 * @import { JsonObject, Proof } from "../types.js"
 */

const DOMAIN = "locanda-shuffle-v1";
const RANKS = "A23456789TJQK";
const SUITS = "hdcs";
const CUCCU = (
    "MATTO LEONE MASCHERONE SECCHIA NULLA I II III IIII V VI VII VIII VIIII X XI XII XIII XIIII XV"
).split(" ");
const MOST_SHUFFLES = 1000;

/**
 * What this browser saw and gave before the match.
 *
 * @typedef {object} Published
 * @property {string | undefined} commitment
 * @property {number | null} seat
 * @property {string | undefined} seed
 */

/** @typedef {"commitment" | "published" | "given" | "seed" | "dealer" | "cards"} Question */
/** @typedef {{question: Question, agrees: boolean | null}} Finding null: there was nothing to compare with */

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
        { question: "cards", agrees: await cardsAgree(proof.game, seed, start) },
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
 * @param {string} game
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {JsonObject} start
 */
async function cardsAgree(game, seed, start) {
    const dealt = await DEALS[game]?.(seed, start);
    if (!dealt) return null;
    return Object.entries(dealt).every(([part, value]) => JSON.stringify(start[part]) === JSON.stringify(value));
}

// --- how each game is dealt

/** @type {Record<string, (seed: Uint8Array<ArrayBuffer>, start: JsonObject) => Promise<JsonObject>>} */
const DEALS = {
    async gatto_rosso(seed, start) {
        const pack = french("A234567JQK", start.options.three_suits);
        const stock = await shuffled(seed, 0, pack);
        const hands = sorted(pack, roundTheTable(stock, start, 4));
        return { hands, stock, turn: afterDealer(start) };
    },
    async ramino(seed, start) {
        const stock = await shuffled(seed, 0, [...CUCCU, ...CUCCU]);
        const hands = sorted(CUCCU, roundTheTable(stock, start, 5));
        return { hands, discards: [stock.pop()], stock, turn: afterDealer(start) };
    },
    async presidente(seed, start) {
        const pack = byRank(start.options.joker ? ["*"] : []);
        const stock = await shuffled(seed, 0, pack);
        const hands = sorted(pack, roundTheTable(stock, start, start.hands.length === 5 ? 10 : 13));
        const turn = start.dues.length ? start.dues[0][0] : afterDealer(start);
        return { hands, shown: sorted(pack, [stock])[0], turn };
    },
    async diavoletto(seed, start) {
        const pack = byRank();
        const size = start.options.mazzetto_size ?? 26;
        const dealt = await shuffled(seed, 0, pack);
        const stock = await shuffled(seed, 1, [...pack, "*", "*", ...dealt.slice(2 * size)]);
        const first = [dealt.slice(0, size), dealt.slice(size, 2 * size)];
        const { mazzetti, turn } = await begun(seed, first, start.options.start_tie);
        const hands = [[], []].map((_, seat) => (seat === turn ? stock.slice(-5) : []));
        return { hands: sorted([...pack, "*"], hands), mazzetti, stock: stock.slice(0, -5), turn };
    },
};

/**
 * Who begins in Diavoletto: the higher top card, after a tie both are shuffled again or chance decides.
 *
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {string[][]} mazzetti
 * @param {string | undefined} tie
 */
async function begun(seed, mazzetti, tie) {
    for (let shuffles = 2; shuffles < MOST_SHUFFLES; shuffles += 2) {
        const [one, other] = mazzetti.map((mazzetto) => RANKS.indexOf(mazzetto.at(-1)?.[0] ?? ""));
        if (one !== other) return { mazzetti, turn: one > other ? 0 : 1 };
        if (tie === "random") return { mazzetti, turn: (await shuffled(seed, shuffles, [0, 1]))[0] };
        const again = mazzetti.map((mazzetto, seat) => shuffled(seed, shuffles + seat, mazzetto));
        mazzetti = await Promise.all(again);
    }
    throw new RangeError("no shuffle breaks the tie for the first turn");
}

/**
 * A pack by suit, as Gatto Rosso has it.
 *
 * @param {string} ranks
 * @param {string | null} [without] a suit
 */
function french(ranks, without) {
    return [...SUITS].flatMap((suit) => (suit === without ? [] : [...ranks].map((rank) => rank + suit)));
}

/**
 * The 52 cards by rank.
 *
 * @param {string[]} jokers
 */
function byRank(jokers = []) {
    return [...[...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit)), ...jokers];
}

/** @param {JsonObject} start */
const afterDealer = (start) => (start.dealer + 1) % start.hands.length;

/**
 * Hands from the top of the stock, one card at a time from the seat after the dealer.
 *
 * @param {string[]} stock
 * @param {JsonObject} start
 * @param {number} each
 */
function roundTheTable(stock, start, each) {
    const seats = start.hands.length;
    /** @type {string[][]} */
    const hands = Array.from({ length: seats }, () => []);
    for (let number = 0; number < each * seats; number += 1) {
        hands[(start.dealer + 1 + number) % seats].push(stock.pop() ?? "");
    }
    return hands;
}

/**
 * @param {readonly string[]} pack
 * @param {readonly string[][]} hands
 */
const sorted = (pack, hands) => hands.map((hand) => [...hand].sort((a, b) => pack.indexOf(a) - pack.indexOf(b)));

// --- shuffling

/**
 * Fisher-Yates from the end, each draw a 32-bit word below the largest multiple of the number of choices.
 *
 * @template T
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {number} index
 * @param {readonly T[]} cards
 * @returns {Promise<T[]>}
 */
async function shuffled(seed, index, cards) {
    const found = [...cards];
    const words = randomWords(seed, index);
    for (let last = found.length - 1; last > 0; last -= 1) {
        const limit = 2 ** 32 - (2 ** 32 % (last + 1));
        let word;
        do word = /** @type {number} */ ((await words.next()).value);
        while (word >= limit);
        const chosen = word % (last + 1);
        [found[last], found[chosen]] = [found[chosen], found[last]];
    }
    return found;
}

/**
 * Eight words from each HMAC-SHA-256 of the shuffle's number and a counter.
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
