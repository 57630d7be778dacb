/**
 * Cards as pictures of a sprite, as buttons, as piles, as a hand.
 *
 * @module
 */

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { ART } from "./parts.js";

/** @import { Deck, Place, Play } from "./table/shapes.js" */

/** Effects of the arrow keys in a hand. */
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 });

/**
 * Only the picture, for places where text names the card.
 *
 * @param {Deck} deck
 * @param {string | null} code null for the back
 */
export function picture(deck, code) {
    if (typeof deck === "function") return deck(code);
    const symbol = code === "*" ? "joker" : (code ?? "back");
    return html`<svg class="card" aria-hidden="true" focusable="false">
        <use href="${ART}${deck}.svg#${symbol}"></use>
    </svg>`;
}

/**
 * A card face up, or face down if its code is null.
 *
 * @param {Play} play
 * @param {string | null} code
 * @param {string} [place] the place's name, for animations of moving cards
 */
export function openCard(play, code, place) {
    return html`<span class="lying" role="img" aria-label=${play.cardName(code)} data-place=${place ?? nothing}
        >${picture(play.deck, code)}</span
    >`;
}

/**
 * A card to tap.
 *
 * @param {Play} play
 * @param {Place} place
 * @param {{ origin: string, where?: string, onTap?: () => void, tab?: number }} extra `origin`: the place's name, for
 *   animations of moving cards; `where`: text after the card's name in its label
 */
export function cardButton(play, place, { origin, where, onTap = () => play.tap(place), tab }) {
    const { playable, selected, hinted, sending } = play.stateOf(place);
    const said = [play.cardName(place.card), where, playable ? play.label("playable") : ""].filter(Boolean).join(", ");
    return html`<button
        type="button"
        class="holding ${playable ? "playable" : ""} ${hinted ? "hinted" : ""} ${sending ? "sending" : ""}"
        aria-pressed=${selected ? "true" : "false"}
        aria-label=${said}
        tabindex=${tab ?? nothing}
        data-place=${origin}
        @click=${onTap}
        @pointerdown=${(/** @type {PointerEvent} */ down) => play.drag(place, down)}
    >
        ${picture(play.deck, place.card)}${sending ? html`<span class="sent">${play.t("sending")}</span>` : nothing}
    </button>`;
}

/**
 * Cards in a row, overlapping if there is little room.
 *
 * @param {unknown[]} cards
 * @param {{ label?: string, place?: string, kind?: string }} [extra]
 */
export function fan(cards, { label, place, kind = "" } = {}) {
    return html`<ul class="overlap ${kind}" aria-label=${label ?? nothing} data-place=${place ?? nothing}>
        ${cards.map((card) => html`<li>${card}</li>`)}
    </ul>`;
}

/**
 * A pile: its top card or its back, and the number of cards.
 *
 * @param {Play} play
 * @param {{ title: string, count: number, top?: string | null, place: string, empty?: string }} pile
 */
export function pile(play, { title, count, top = null, place }) {
    const said = [title, top === null ? "" : play.cardName(top), `${count}`].filter(Boolean).join(", ");
    return html`<div class="pile" data-place=${place} role="img" aria-label=${said}>
        ${heap(play, count, top)}
        <span class="caption">${title} <b>${count}</b></span>
    </div>`;
}

/**
 * The top of a pile without its caption.
 *
 * @param {Play} play
 * @param {number} count
 * @param {string | null} top
 */
export function heap(play, count, top) {
    return html`<span class="heap ${count > 1 ? "thick" : ""}">
        ${count ? picture(play.deck, top) : html`<span class="gap"></span>`}
    </span>`;
}

/**
 * A place on the table that selected cards can go to.
 *
 * @param {Play} play
 * @param {string} target
 * @param {{ label: string, kind?: string, place?: string, content: unknown }} shown
 */
export function targetButton(play, target, { label, kind = "", place = target, content }) {
    if (!play.live) {
        return html`<div class="target ${kind}" role="group" aria-label=${label} data-place=${place}>${content}</div>`;
    }
    const { open, hinted } = play.targetOf(target);
    return html`<button
        type="button"
        class="target ${kind} ${open ? "open" : ""} ${hinted ? "hinted" : ""}"
        aria-label=${open ? `${label}, ${play.label("playable")}` : label}
        data-place=${place}
        data-target=${target}
        @click=${() => play.tapTarget(target)}
    >
        ${content}
    </button>`;
}

/**
 * A button that shows every card of a pile.
 *
 * @param {Play} play
 * @param {string} title
 * @param {readonly string[]} codes bottom first
 */
export function spreadButton(play, title, codes) {
    if (codes.length < 2) return nothing;
    return html`<button type="button" class="spread quiet" @click=${() => play.spread({ title, codes })}>
        ${play.t("showAll", { n: codes.length })}<span class="unseen"> ${title}</span>
    </button>`;
}

/**
 * The viewer's hand: buttons in one group, with the arrow keys between them.
 *
 * @param {Play} play
 * @param {readonly Place[]} places those of the hand
 * @param {number} at index of the card that the tab key focuses
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
        @keydown=${(/** @type {KeyboardEvent} */ event) => walk(event, (at, to) => play.arrange?.(places[at], to))}
        @focusin=${(/** @type {FocusEvent} */ event) => remember(indexOf(event.target))}
    >
        ${places.map(
            (place, number) =>
                html`<span class="slot"
                    >${cardButton(play, place, { origin: `hand-${place.card}`, tab: number === focus ? 0 : -1 })}</span
                >`,
        )}
    </div>`;
}

/**
 * The number of the card of the hand that an element belongs to.
 *
 * @param {EventTarget | null} element
 */
export function indexOf(element) {
    const slot = /** @type {Element | null} */ (element)?.closest(".slot");
    return slot ? [...(slot.parentElement?.querySelectorAll(".slot") ?? [])].indexOf(slot) : 0;
}

/**
 * Moves the focus; with the shift key, the card too.
 *
 * @param {KeyboardEvent} event
 * @param {(at: number, to: number) => void} arrange
 */
function walk(event, arrange) {
    const group = /** @type {HTMLElement} */ (event.currentTarget);
    const buttons = [...group.querySelectorAll("button")];
    const now = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const last = buttons.length - 1;
    const step = STEPS[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? last : step && now + step;
    if (to === undefined || to < 0 || to > last) return;
    event.preventDefault();
    if (event.shiftKey) arrange(now, to);
    queueMicrotask(() => buttons[to].focus()); // once the card is there
}
