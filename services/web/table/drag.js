/**
 * Drag and drop of cards by mouse or finger. Dropping them on a target does the same as tapping it. A card dropped on
 * another one of the hand takes its place.
 *
 * @module
 */

import { indexOf } from "../cards.js";
import { moves as moving } from "../flights.js";
import { putBack } from "../motion.js";
import { offersOf, selection } from "./taps.js";

/** @import { Listed, Place } from "./shapes.js" */
/** @import { Step } from "./taps.js" */

/** Pixels that a pointer must move before a press becomes a drag. */
const FAR = 8;
const BACK = 150;

/** @typedef {{moves: readonly Listed[], places: readonly Place[], place: Place, arrange: (place: Place, to: number) => void, act: (step: Step) => Promise<void>}} Carried */

/**
 * @param {HTMLElement} card the card under the pointer
 * @param {PointerEvent} down
 * @param {Carried} carried the legal moves, the places of the cards, and the function that does a step
 */
export function drag(card, down, carried) {
    const root = /** @type {HTMLElement | null} */ (card.closest(".play"));
    if (!root) return; // the card has been played meanwhile
    const following = new AbortController();
    const { signal } = following;
    const chosen = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.holding[aria-pressed="true"]'));
    const cards = [...chosen].includes(card) ? [...chosen] : [card];
    const targets = offersOf(carried.moves, carried.places).map(({ to }) => to);
    let dragged = false;

    /** @param {PointerEvent} event */
    const move = ({ pointerId, buttons, clientX, clientY }) => {
        if (pointerId !== down.pointerId) return;
        const [x, y] = [clientX - down.clientX, clientY - down.clientY];
        // The pointer was released before this listener existed, or the table has changed.
        if (!buttons || (dragged && !("dragged" in card.dataset))) return end();
        if (!dragged && Math.hypot(x, y) < FAR) return;
        if (!dragged) open(root, targets);
        dragged = true;
        for (const element of cards) {
            element.dataset.dragged = "";
            element.style.translate = `${x}px ${y}px`;
        }
    };
    /** @param {PointerEvent} event */
    const up = (event) => {
        if (event.pointerId !== down.pointerId) return;
        const going = dragged && "dragged" in card.dataset && event.type === "pointerup" ? place(event, carried) : null;
        end();
        if (going) void going.finally(() => putBack(root));
        else back(root);
    };
    const end = () => {
        following.abort();
        open(root, []);
    };
    const again = (/** @type {PointerEvent} */ { pointerId }) => pointerId === down.pointerId && end();
    window.addEventListener("pointerdown", again, { signal, capture: true });
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", up, { signal });
    window.addEventListener("pointercancel", up, { signal });
}

/**
 * @param {PointerEvent} event
 * @param {Carried} carried
 * @returns {Promise<void> | null} null if the cards go back
 */
function place({ clientX, clientY }, carried) {
    const under = document.elementFromPoint(clientX, clientY);
    if (under?.closest(".hand .slot")) return Promise.resolve(carried.arrange(carried.place, indexOf(under)));
    const target = /** @type {HTMLElement | null | undefined} */ (under?.closest("[data-target]"));
    if (!target && !under?.closest(".board")) return null;
    const step = dropped(carried, target?.dataset.target ?? null);
    return step && carried.act(step);
}

/**
 * Highlights the targets.
 *
 * @param {HTMLElement} root
 * @param {readonly (string | null)[]} targets
 */
function open(root, targets) {
    for (const target of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-target]"))) {
        target.toggleAttribute("data-open", targets.includes(target.dataset.target ?? null));
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
    if (!moving()) return;
    for (const { card, translate } of from) card.animate({ translate: [translate, "0px 0px"] }, BACK);
}

/**
 * The effect of dropping cards on a pile, or on the table if `pile` is null.
 * @param {Carried} carried
 * @param {string | null} pile
 * @returns {Step | null} null if the cards can go to another pile only
 */
function dropped({ moves, places }, pile) {
    const offers = offersOf(moves, places);
    const fitting = offers.filter(({ to }) => to === pile);
    if (fitting.length === 1) return { kind: "play", move: fitting[0].move };
    if (fitting.length) return { kind: "select", places: [...places], ask: null };
    return pile === null && offers.length ? null : { kind: "ask", ask: selection(places, pile) };
}
