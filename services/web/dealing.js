/**
 * The animation of a deal, in less than a second.
 *
 * @module
 */

import { APART, begin, first, moveCard, placesIn, timing } from "./flights.js";

/**
 * @import { GameTable } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

const DEALING = 500;
/** The most cards shown flying to each other player. */
const MOST_DEALT = 3;
/** Places from which cards are dealt to the dealer, or to everybody if the dealer is not shown. The first one on the table is used. */
const STOCK = ["stock", "table", "trick", "builds"];

/**
 * Animates a deal: the viewer's cards face up, a few of the others' cards face down.
 *
 * @param {Element} root
 * @param {Table} table
 * @param {GameTable} game
 */
export function deal(root, { deal, you }, game) {
    const places = placesIn(root);
    const stock = first(STOCK, places);
    const dealer = places.get(`seat-${deal?.dealer}`) ?? stock;
    if (!stock || !dealer) return;
    const own = [...root.querySelectorAll(".hand .slot")].map((slot) => ({ slot, rect: slot.getBoundingClientRect() }));
    /** @type {number[]} */
    const counts = deal?.counts ?? [];
    const seats = counts.flatMap((count, seat) => Array(seat === you ? 0 : Math.min(count, MOST_DEALT)).fill(seat));
    const apart = Math.min(APART, DEALING / Math.max(own.length, seats.length));
    begin((layer) => [
        ...own.map(({ slot, rect }, number) => arrive(slot, (deal?.dealer === you ? stock : dealer).rect, rect, number * apart)),
        ...seats.flatMap((seat, number) => {
            const to = places.get(`seat-${seat}`);
            return to ? [moveCard(layer, game, null, (to === dealer ? stock : dealer).rect, to.rect, number * apart)] : [];
        }),
    ]);
}

/**
 * Moves a card to its place.
 *
 * @param {Element} slot
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} delay
 */
function arrive(slot, from, to, delay) {
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    return slot.animate({ transform: [start, "none"], opacity: [0, 1, 1] }, timing(delay, "backwards"));
}
