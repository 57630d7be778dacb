/**
 * Drag and drop of cards, by mouse or finger: dropping them on a target does what a tap there does.
 *
 * @module
 */

import { moves } from "../flights.js";
import { putBack } from "../motion.js";
import { offersOf, selection } from "./taps.js";

/** @import { Listed, Place } from "./shapes.js" */
/** @import { Step } from "./taps.js" */

/** Pixels that a pointer moves before a press becomes a drag. */
const FAR = 8;
const BACK = 150;

let following = new AbortController();

/**
 * @param {HTMLElement} card that the pointer went down on
 * @param {PointerEvent} down
 * @param {readonly (string | null)[]} targets where the cards may go, to be shown
 * @param {(target: string | null) => Promise<unknown> | null} drop on a target, or on the table (null); returns null if
 *   the cards go back
 */
export function drag(card, down, targets, drop) {
    const root = /** @type {HTMLElement | null} */ (card.closest(".play"));
    if (!root) return; // it has been played meanwhile
    following.abort();
    following = new AbortController();
    const { signal } = following;
    const chosen = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.holding[aria-pressed="true"]'));
    const cards = [...chosen].includes(card) ? [...chosen] : [card];
    let dragged = false;

    /** @param {PointerEvent} event */
    const move = ({ pointerId, buttons, clientX, clientY }) => {
        if (pointerId !== down.pointerId) return;
        const [x, y] = [clientX - down.clientX, clientY - down.clientY];
        // The pointer was released before this listened, or the table has changed.
        if (!buttons || (dragged && !("dragged" in card.dataset))) return end();
        if (!dragged && Math.hypot(x, y) < FAR) return;
        if (!dragged) open(root, targets);
        dragged = true;
        for (const each of cards) {
            each.dataset.dragged = "";
            each.style.translate = `${x}px ${y}px`;
        }
    };
    /** @param {PointerEvent} event */
    const up = (event) => {
        if (event.pointerId !== down.pointerId) return;
        const dropped = dragged && "dragged" in card.dataset && event.type === "pointerup" ? place(event, drop) : null;
        end();
        if (dropped) void dropped.finally(() => putBack(root));
        else back(root);
    };
    const end = () => {
        following.abort();
        open(root, []);
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", up, { signal });
    window.addEventListener("pointercancel", up, { signal });
}

/**
 * @param {PointerEvent} event
 * @param {(target: string | null) => Promise<unknown> | null} drop
 */
function place({ clientX, clientY }, drop) {
    const under = document.elementFromPoint(clientX, clientY);
    const target = /** @type {HTMLElement | null | undefined} */ (under?.closest("[data-target]"));
    if (target) return drop(target.dataset.target ?? null);
    return under?.closest(".board") ? drop(null) : null;
}

/**
 * Highlights the targets.
 *
 * @param {HTMLElement} root
 * @param {readonly (string | null)[]} targets
 */
function open(root, targets) {
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-target]"))) {
        each.toggleAttribute("data-open", targets.includes(each.dataset.target ?? null));
    }
}

/**
 * Moves the cards back to their places.
 *
 * @param {HTMLElement} root
 */
function back(root) {
    const cards = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-dragged]"));
    const from = [...cards].map((card) => ({ card, translate: card.style.translate }));
    putBack(root);
    if (!moves()) return;
    for (const { card, translate } of from) card.animate({ translate: [translate, "0px 0px"] }, BACK);
}

/**
 * What dropping cards on a pile does, or on the table where it is null.
 * @param {readonly Listed[]} moves
 * @param {readonly Place[]} places
 * @param {string | null} pile
 * @returns {Step | null} null if the cards can go to another pile only
 */
export function dropCards(moves, places, pile) {
    const offers = offersOf(moves, places);
    const fitting = offers.filter(({ to }) => to === pile);
    if (fitting.length === 1) return { kind: "play", move: fitting[0].move };
    if (fitting.length) return { kind: "select", places: [...places], ask: null };
    return pile === null && offers.length ? null : { kind: "ask", ask: selection(places, pile) };
}
