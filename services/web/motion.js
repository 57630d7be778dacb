/**
 * What moves at the playing table after each step: cards of the last events, or a deal. What does not move stays where it
 * is while sentences and hands above and below it shrink.
 *
 * @module
 */

import { Directive, directive } from "./vendor/lit-html/directive.js";
import { noChange } from "./vendor/lit-html/lit-html.js";

/**
 * @import { ElementPart } from "./vendor/lit-html/directive.js"
 * @import { TableSession } from "./session.js"
 * @import { Settings } from "./storage.js"
 * @import { GameTable } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

/** Milliseconds that the first card has for itself. */
const QUIET = 400;
/** The parts of a table that may grow during a deal; each keeps the greatest height that it has had. */
const GROWING = ".seats, .facts, .latest, .own-row, .statement, .hand";

/**
 * A directive of the playing table's element. After a change of the table it measures where everything is, before and
 * after the contents are rendered, and animates the cards of the last events, or of a new deal.
 */
class AnimatedTable extends Directive {
    /** @type {Table | null} */
    last = null;
    /** The deal that has been seen. */
    seen = "";

    /**
     * @param {Table} _table
     * @param {GameTable} _game
     * @param {Settings} _settings
     * @param {boolean} _covered whether the result of the last deal lies over the table
     * @param {boolean} _dealt whether the cards were dealt just now, where the table has not been rendered before
     * @param {TableSession} _session
     */
    render(_table, _game, _settings, _covered, _dealt, _session) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[Table, GameTable, Settings, boolean, boolean, TableSession]} values
     */
    update(part, [table, game, settings, covered, now, session]) {
        const { last } = this;
        const root = /** @type {HTMLElement} */ (part.element);
        session.present = async (next) => (await import("./holding.js")).hold(root, next, game);
        const deal = `${table.match.number}.${table.match.deal}`;
        if (!last) {
            new ResizeObserver(() => keepHeights(root, this.seen)).observe(root);
            setTimeout(prepareFlights, QUIET);
        }
        queueMicrotask(() => keepHeights(root, deal));
        const changed = last !== null && last.version !== table.version;
        const dealt = !covered && deal !== this.seen && table.status === "playing" && (last !== null || now);
        if (!covered) this.seen = deal;
        this.last = table;
        if (!changed && !dealt) return noChange;
        if (covered || table.status === "over") void prepareDeal();
        const moving = flights?.moves();
        const fly = moving && !dealt ? flights?.flightOf(root, table, game) : undefined;
        const focused = root.contains(document.activeElement);
        const turn = changed && table.moves.length > 0 && !last.moves.length;
        putBack(root);
        queueMicrotask(() => {
            if (changed && settings.sound) import("./sound.js").then(({ sound }) => sound(table, turn), () => {});
            if (focused && !root.contains(document.activeElement)) refocus(root);
            if (dealt && moving) dealing?.deal(root, table, game);
            fly?.();
        });
        return noChange;
    }
}

export const animateTable = directive(AnimatedTable);

/** The movement of cards, loaded after the first card. @type {typeof import("./flights.js") | null} */
let flights = null;
/** The animation of deals, loaded only if the table is opened before its cards are dealt. @type {typeof import("./dealing.js") | null} */
let dealing = null;

async function prepareFlights() {
    flights ??= await import("./flights.js").catch(() => null);
}

/** Loads what a deal needs to be animated. */
export async function prepareDeal() {
    await prepareFlights();
    dealing ??= await import("./dealing.js").catch(() => null);
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

/** @param {Element} root */
function refocus(root) {
    const next = root.querySelector('.hand [tabindex="0"], .bar button, .over button');
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
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
    // All are read before any is written: each write in between would lay the table out once more.
    const heights = parts.map((part) => part.getBoundingClientRect().height);
    parts.forEach(({ style }, number) => (style.minHeight = `${heights[number]}px`));
    root.dataset.steady = now;
}
