/**
 * Cards in the engine's sentences: by name for screen readers, as pictures on screen.
 *
 * @module
 */

import { picture } from "./cards.js";
import { ART, stylesheet } from "./parts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import { Deck } from "./table/shapes.js" */
/** @import { GameDetails } from "./types.js" */

/** The set of pictures for each deck, by the catalogue's name of the deck. @type {Record<string, "french" | "italian" | "cuccu">} */
export const PICTURES = {
    italian_suits_40: "italian",
    italian_40: "french",
    french_52: "french",
    french_52_joker: "french",
    french_104_jokers: "french",
    cuccu_40: "cuccu",
};

/** @typedef {string | {code: string, name: string, short: string}} Piece */

/** A sign in a card's short name. The card or its suit is drawn instead, as not every font has the sign. */
const SIGN = /^[^\p{L}\p{N}♥♦♣♠]+|[^\p{L}\p{N}♥♦♣♠]+$/gu;

void stylesheet("./style/cardtext.css").catch(() => {});

/**
 * Splits a sentence into text and cards. Cards' names within people's names are not replaced.
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
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.join("|")})(?![\\p{L}\\p{N}])`, "gu");
    /** @type {Piece[]} */
    const made = [];
    let end = 0;
    for (const { 0: short, index } of text.matchAll(pattern)) {
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
 * @param {readonly {name: string}[]} [seats] the people whose names are left unchanged
 */
export function spoken(text, game, seats = []) {
    const people = seats.map(({ name }) => name);
    const all = pieces(text, game, people);
    const between = (/** @type {Piece} */ piece, /** @type {number} */ at) => piece === " " && at > 0 && at < all.length - 1;
    return all.map((piece, at) => (typeof piece !== "string" ? piece.name : between(piece, at) ? ", " : piece)).join("");
}

/**
 * A sentence with its cards as small pictures.
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
 * Functions that draw the cards named in a game's rules: by sign or numeral, and by emphasized name. Undefined if there
 * are no pictures.
 *
 * @param {GameDetails} game
 * @returns {import("./markdown.js").Drawing | undefined}
 */
export function drawing(game) {
    const deck = PICTURES[game.deck];
    const cards = Object.entries(game.words?.cards ?? {});
    if (!deck) return undefined;
    const card = (/** @type {string} */ code) => html`<span class="pictured">${picture(deck, code)}</span>`;
    const signs = new Map(cards.flatMap(([code, { short }]) => (deck === "cuccu" ? [[code, code]] : [[short, code]])));
    const longest = [...signs.keys()].sort((one, other) => other.length - one.length).map(escaped).join("|");
    // An I before a small letter is an Italian word, not a card.
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${longest})(?![\\p{L}\\p{N}])(?<!\\bI(?= \\p{Ll}))`, "gu");
    let last = "";
    return {
        text(text) {
            const parts = text.split(pattern);
            last = parts.at(-1)?.trim() ? "" : (signs.get(parts.at(-2) ?? "") ?? "");
            return parts.map((part, at) => {
                const code = at % 2 ? signs.get(part) : undefined;
                return code ? html`<span role="img" aria-label=${game.words?.cards[code].name}>${card(code)}</span>` : part;
            });
        },
        name(text) {
            const code = cards.find(([, { name }]) => name.toLowerCase() === text.toLowerCase())?.[0];
            return code && code !== last ? html`${card(code)} ` : "";
        },
    };
}

/**
 * @param {{code: string, name: string, short: string}} card
 * @param {Deck} deck
 */
function small({ code, name, short }, deck) {
    const letters = short.replace(SIGN, "");
    const [of] = /[♥♦♣]/.exec(short) ?? [];
    const sign = deck === "italian" ? html`${letters}${suit(deck, code)}` : html`${picture(deck, code)}${letters}`;
    return html`<span class="glyph" data-suit=${of ?? nothing} role="img" aria-label=${name}>${letters === short ? short : sign}</span>`;
}

/**
 * The suit of a card, drawn as on the cards of its deck.
 *
 * @param {"italian"} deck
 * @param {string} code
 */
function suit(deck, code) {
    // With width and height, so that it is small before its stylesheet has loaded: a table keeps the greatest height of its parts.
    return html`<svg class="suit" width="18" height="18" viewBox="-11 -11 22 22" aria-hidden="true" focusable="false">
        <use href="${ART}${deck}.svg#_${code.at(-1)}"></use>
    </svg>`;
}
