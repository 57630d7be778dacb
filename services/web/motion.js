/**
 * Animations at the playing table after each step: cards of the last events, or a deal. Other parts stay in place.
 *
 * @module
 */

import { ready } from "./parts.js";
import { Directive, directive } from "./vendor/lit-html/directive.js";
import { noChange } from "./vendor/lit-html/lit-html.js";

/**
 * @import { ElementPart } from "./vendor/lit-html/directive.js"
 * @import { Context } from "./app.js"
 * @import { SessionState } from "./state.js"
 * @import { Table } from "./types.js"
 */

/** The parts of a table that may grow during a deal. Each keeps its greatest height so far, so that nothing jumps. */
const GROWING = ".seats, .facts, .latest, .own-row, .statement, .hand";

/**
 * A directive on the playing table's element. After a change of the table it measures positions before and after the
 * contents are rendered, and animates the cards of the last events or of a new deal.
 */
class AnimatedTable extends Directive {
    /** @type {Table | null} */
    last = null;
    /** The last deal that was animated. */
    seen = "";
    /** Whether the focus is lost: its element is gone and the next one does not exist yet. */
    unfocused = false;
    /** @type {import("./sound.js").Sounds | null} */
    sounds = null;

    /**
     * @param {Context} _context
     * @param {SessionState} _state
     */
    render(_context, _state) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[Context, SessionState]} values
     */
    update(part, [context, state]) {
        const { last } = this;
        const { table, drawing: game, ended, dealt: now } = state;
        if (!table || !game) return noChange;
        const root = /** @type {HTMLElement} */ (part.element);
        const covered = table.status !== "over" && ended !== null;
        const [flights, dealing, noise] = [ready(context.modules.flights), ready(context.modules.dealing), ready(context.modules.sound)];
        const deal = `${table.match.number}.${table.match.deal}`;
        if (!last) {
            new ResizeObserver(() => keepHeights(root, this.seen)).observe(root);
            watchPresses(root);
        }
        queueMicrotask(() => keepHeights(root, deal));
        const changed = last !== null && last.version !== table.version;
        const dealt = !covered && deal !== this.seen && table.status === "playing" && (last !== null || now);
        if (!covered) this.seen = deal;
        this.last = table;
        if (this.unfocused) queueMicrotask(() => (this.unfocused = document.activeElement === document.body && !refocus(root)));
        if (!changed && !dealt) return noChange;
        const moving = flights?.moves();
        const fly = moving && !dealt ? flights?.flightOf(root, table, game, state.held) : undefined;
        const focused = root.contains(document.activeElement);
        const turn = changed && table.moves.length > 0 && !last.moves.length;
        putBack(root);
        queueMicrotask(() => {
            if (changed && context.settings.sound && noise) (this.sounds ??= new noise.Sounds()).play(table, turn);
            if (focused && !root.contains(document.activeElement)) this.unfocused = !refocus(root);
            if (dealt && moving) dealing?.deal(root, table, game);
            fly?.();
        });
        return noChange;
    }
}

export const animateTable = directive(AnimatedTable);

/**
 * Ignores a press if the table has changed during it, because another card is now under the finger.
 *
 * @param {HTMLElement} root
 */
function watchPresses(root) {
    /** The target of the last pointer press. @type {string | null | undefined} */
    let pressed = null;
    root.addEventListener("pointerdown", (event) => (pressed = pressable(event)), { capture: true });
    root.addEventListener(
        "click",
        (event) => {
            if (pressed !== null && pressed !== pressable(event)) event.stopPropagation();
            pressed = null;
        },
        { capture: true },
    );
}

/** @param {Event} event */
function pressable({ target }) {
    const button = /** @type {Element} */ (target).closest("button");
    return button?.getAttribute("data-place") ?? button?.textContent;
}

/**
 * Puts dragged cards back.
 *
 * @param {Element} root
 */
export function putBack(root) {
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-dragged]"))) {
        delete card.dataset.dragged;
        card.style.translate = "";
    }
}

/** @param {Element} root @returns {boolean} whether there was an element to focus */
function refocus(root) {
    const next = root.querySelector('.hand [tabindex="0"], .bar button, .over button');
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
    return next !== null;
}

/**
 * Keeps the heights of a table's parts, until the next deal or another width of the window.
 *
 * @param {HTMLElement} root
 * @param {string} deal
 */
function keepHeights(root, deal) {
    const now = `${deal} ${root.clientWidth} ${root.clientHeight}`;
    const parts = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(GROWING))];
    if (root.dataset.steady !== now) for (const { style } of parts) style.minHeight = "";
    // All heights are read before any is written, because each write in between would force another layout.
    const heights = parts.map((part) => part.getBoundingClientRect().height);
    parts.forEach(({ style }, number) => (style.minHeight = `${heights[number]}px`));
    root.dataset.steady = now;
}
