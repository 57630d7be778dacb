/**
 * Shows the end of a trick or a deal for a moment before it is swept away. A press continues at once.
 *
 * @module
 */

import { first, moveCard, moves, placesIn } from "./flights.js";

/** @import { GameTable } from "./table/shapes.js" */
/** @import { Table } from "./types.js" */

/** Milliseconds for which the last card of a trick lies, and that of a deal. */
const [TRICK, DEAL] = [800, 1700];

/**
 * Shows the cards of a step's first event on the table as it was before the step. Resolves once they have been
 * visible for a while, with whether any were shown.
 *
 * @param {Element} root the table before the step
 * @param {Table} table after it
 * @param {GameTable} game
 */
export async function hold(root, table, game) {
    const over = table.events.some(({ type }) => type === "deal_over");
    const swept = over || (moves() && table.events.some(({ type }) => /^(trick_|completed)/.test(type)));
    if (!swept || document.hidden) return false;
    const places = placesIn(root);
    const movements = table.events.length ? game.movements(table.events[0], table.you) : [];
    const layer = document.createElement("div");
    layer.className = "layer held";
    layer.setAttribute("aria-hidden", "true");
    document.body.append(layer);
    movements.forEach(({ code, from, to }, number) => {
        const [start, end] = [first(from, places), first(to, places)];
        if (!end) return;
        const landing = beside(end.element, end.rect, number);
        const animation = moveCard(layer, game, code, moves() && start ? start.rect : landing, landing, 0, { stays: true });
        if (!moves()) animation.finish();
        if (start?.element.matches("button")) start.element.classList.add("gone-now");
    });
    await moment(over ? DEAL : TRICK);
    requestAnimationFrame(() => {
        layer.remove();
        // If the hand was filled up, the played card's button now belongs to another card.
        for (const button of root.querySelectorAll(".gone-now")) button.classList.remove("gone-now");
    });
    return true;
}

/**
 * The position of a further card: on top of the last one, a little to its right.
 *
 * @param {Element} place
 * @param {DOMRect} rect of the place's first card, or of the place if it is empty
 * @param {number} number of the card
 */
function beside(place, rect, number) {
    const last = [...place.querySelectorAll(".card")].at(-1)?.getBoundingClientRect();
    if (last) return new DOMRect(last.x + last.width * (0.35 + 0.4 * number), last.y, last.width, last.height);
    const height = Math.min(rect.height, innerHeight / 5);
    const width = height / 1.4;
    return new DOMRect(rect.x + rect.width / 2 + width * (0.5 * number - 0.5), rect.y + (rect.height - height) / 2, width, height);
}

/** @param {number} milliseconds */
function moment(milliseconds) {
    return new Promise((resolve) => {
        const done = () => {
            clearTimeout(timer);
            for (const type of /** @type {const} */ (["pointerdown", "keydown"])) removeEventListener(type, done, true);
            resolve(undefined);
        };
        const timer = setTimeout(done, milliseconds);
        for (const type of /** @type {const} */ (["pointerdown", "keydown"])) addEventListener(type, done, true);
    });
}
