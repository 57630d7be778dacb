/**
 * Cards in the engine's sentences: by name for those who listen, drawn for those who look.
 *
 * @module
 */

import { ART, picture } from "./cards.js";
import { stylesheet } from "./parts.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @import { Deck } from "./table/shapes.js" */
/** @import { GameDetails } from "./types.js" */

/** @typedef {string | {code: string, name: string, short: string}} Piece */

/** A sign in a card's short name, in whose place the card or its suit is drawn: not every font has it. */
const SIGN = /^[^\p{L}\p{N}♥♦♣♠]+|[^\p{L}\p{N}♥♦♣♠]+$/gu;

void stylesheet("./style/cardtext.css").catch(() => {});

/**
 * Returns a sentence in pieces, of which some are cards. Names of people are left alone, whatever they are.
 *
 * @param {string} text
 * @param {GameDetails | null} game
 * @param {readonly string[]} people
 * @returns {Piece[]}
 */
function pieces(text, game, people) {
    const cards = game?.words?.cards ?? {};
    const codes = new Map(Object.entries(cards).map(([code, { short }]) => [short, code]));
    const known = [...people, ...codes.keys()].sort((one, other) => other.length - one.length).map(escaped);
    const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.join("|")})(?![\\p{L}\\p{N}])`, "gu");
    /** @type {Piece[]} */
    const made = [];
    let end = 0;
    for (const { 0: short, index } of text.matchAll(found)) {
        const code = people.includes(short) ? undefined : codes.get(short);
        if (!code) continue;
        made.push(text.slice(end, index), { code, name: cards[code].name, short });
        end = index + short.length;
    }
    return [...made, text.slice(end)];
}

/** @param {string} text */
function escaped(text) {
    return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/**
 * A sentence with its cards by name.
 *
 * @param {string} text
 * @param {GameDetails | null} game
 * @param {readonly string[]} [people]
 */
export function spoken(text, game, people = []) {
    const all = pieces(text, game, people);
    const between = (/** @type {Piece} */ piece, /** @type {number} */ at) => piece === " " && at > 0 && at < all.length - 1;
    return all.map((piece, at) => (typeof piece !== "string" ? piece.name : between(piece, at) ? ", " : piece)).join("");
}

/**
 * A sentence with its cards as small pictures of them.
 *
 * @param {string} text
 * @param {GameDetails | null} game
 * @param {Deck} deck
 * @param {readonly string[]} [people]
 */
export function drawn(text, game, deck, people = []) {
    return pieces(text, game, people).map((piece) => (typeof piece === "string" ? piece : small(piece, deck)));
}

/**
 * @param {{code: string, name: string, short: string}} card
 * @param {Deck} deck
 */
function small({ code, name, short }, deck) {
    const letters = short.replace(SIGN, "");
    const red = /[♥♦]/.test(short) ? "red" : "";
    const sign = deck === "italian" ? html`${letters}${suit(deck, code)}` : html`${picture(deck, code)}${letters}`;
    return html`<span class="glyph ${red}" role="img" aria-label=${name}>${letters === short ? short : sign}</span>`;
}

/**
 * The suit of a card, as it is drawn on the cards of its deck.
 *
 * @param {"italian"} deck
 * @param {string} code
 */
function suit(deck, code) {
    return html`<svg class="suit" viewBox="-11 -11 22 22" aria-hidden="true" focusable="false">
        <use href="${ART}${deck}.svg#_${code.at(-1)}"></use>
    </svg>`;
}
