/**
 * The viewer's hand: buttons in one group, with the arrow keys between them.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { cardButton } from "../cards.js";

/** @import { Place, Play } from "./shapes.js" */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 });

/**
 * @param {Play} play
 * @param {readonly Place[]} places those of the hand
 * @param {number} at the card that the tab key comes to
 * @param {(at: number) => void} remember
 */
export function hand(play, places, at, remember) {
    if (!play.view.hand) return nothing;
    const focus = Math.min(at, places.length - 1);
    return html`<div
        class="hand n${Math.min(places.length, 21)}"
        role="group"
        aria-label=${play.label("hand")}
        data-place="hand"
        @keydown=${walk}
        @focusin=${(/** @type {FocusEvent} */ event) => remember(indexOf(event.target))}
    >
        ${places.map(
            (place, number) =>
                html`<span class="slot"
                    >${cardButton(play, place, { origin: `hand-${place.code}`, tab: number === focus ? 0 : -1 })}</span
                >`,
        )}
    </div>`;
}

/** @param {EventTarget | null} button */
function indexOf(button) {
    const slot = /** @type {Element | null} */ (button)?.closest(".slot");
    return slot ? [...(slot.parentElement?.querySelectorAll(".slot") ?? [])].indexOf(slot) : 0;
}

/** @param {KeyboardEvent} event */
function walk(event) {
    const group = /** @type {HTMLElement} */ (event.currentTarget);
    const buttons = [...group.querySelectorAll("button")];
    const now = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const last = buttons.length - 1;
    const step = STEPS[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? last : step && now + step;
    if (to === undefined || to < 0 || to > last) return;
    event.preventDefault();
    buttons[to].focus();
}
