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
    return (view.hand ?? []).map((/** @type {string} */ card, /** @type {number} */ number) => ({
        id: `hand-${number}-${card}`,
        from: "hand",
        card,
    }));
}

/**
 * The place from which or to which a seat's card moves: the viewer's seat has its own places on the screen.
 *
 * @param {number} seat
 * @param {number | null} me
 * @param {...string} own
 */
export function ownOr(seat, me, ...own) {
    return seat === me ? [...own, "hand"] : [`seat-${seat}`];
}
