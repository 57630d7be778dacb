/**
 * Keeps cards and buttons where they are while sentences and hands above and below them shrink.
 *
 * @module
 */

/** What may grow during a deal; each keeps the greatest height that it has had. */
const PARTS = ".seats, .facts, .latest, .own-row, .statement, .hand";

/**
 * Keeps the heights of a table's parts, until the next deal or another width of the window.
 *
 * @param {HTMLElement} root
 * @param {string} deal
 */
export function keepHeights(root, deal) {
    const now = `${deal} ${root.clientWidth}`;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(PARTS))) {
        if (root.dataset.steady !== now) part.style.minHeight = "";
        part.style.minHeight = `${part.offsetHeight}px`;
    }
    root.dataset.steady = now;
}
