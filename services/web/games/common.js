/**
 * Functions that the games at the playing table share.
 *
 * @module
 */

/** @import { Move, Place, View } from "../table/shapes.js" */

/**
 * The cards that a move names, in its order.
 *
 * @param {Move} move
 * @returns {string[]}
 */
export function cardsOf(move) {
    return "card" in move ? [move.card] : [...(move.cards ?? [])];
}

/**
 * The cards of the viewer's hand.
 *
 * @param {View} view
 * @param {(code: string) => string} [choice] what a card is to the moves
 * @returns {Place[]}
 */
export function handPlaces(view, choice = (code) => code) {
    return (view.hand ?? []).map((/** @type {string} */ code, /** @type {number} */ number) => ({
        id: `hand-${number}-${code}`,
        code,
        choice: choice(code),
        held: true,
    }));
}

/**
 * Where a card of a seat comes from or goes to: the viewer's own have places of their own on the screen.
 *
 * @param {number} seat
 * @param {number | null} me
 * @param {...string} own
 */
export function ownOr(seat, me, ...own) {
    return seat === me ? [...own, "hand"] : [`seat-${seat}`];
}
