/**
 * Functions that the games at the playing table share.
 *
 * @module
 */

/** @import { Place, View } from "../table/shapes.js" */

/**
 * The cards of the viewer's hand.
 *
 * @param {View} view
 * @returns {Place[]}
 */
export function handPlaces(view) {
    return (view.hand ?? []).map((/** @type {string} */ card, /** @type {number} */ number, /** @type {string[]} */ hand) => ({
        // Of equal cards each has its own; it stays the same while others come and go.
        id: `hand-${card}-${hand.indexOf(card) - number}`,
        from: "hand",
        card,
    }));
}

/**
 * The place that a seat's card leaves or reaches. The viewer's seat has places of its own on the screen.
 *
 * @param {number} seat
 * @param {number | null} me
 * @param {...string} own
 */
export function ownOr(seat, me, ...own) {
    return seat === me ? [...own, "hand"] : [`seat-${seat}`];
}
