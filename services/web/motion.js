/**
 * What moves at the playing table after each step: cards of the last events, or a deal. What does not move stays where it
 * is while sentences and hands above and below it shrink.
 *
 * @module
 */

import { Directive, directive } from "./vendor/lit-html/directive.js";
import { noChange } from "./vendor/lit-html/lit-html.js";
import { APART, begin, first, moveCard, moves, placesIn, shownFirst } from "./flights.js";

/**
 * @import { ElementPart } from "./vendor/lit-html/directive.js"
 * @import { TableSession } from "./session.js"
 * @import { Settings } from "./storage.js"
 * @import { Places } from "./flights.js"
 * @import { GameTable, Movement } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

/** Cards of one step that start one after the other. */
const MOST_APART = 12;
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
        if (!last) new ResizeObserver(() => keepHeights(root, this.seen)).observe(root);
        queueMicrotask(() => keepHeights(root, deal));
        const changed = last !== null && last.version !== table.version;
        const dealt = !covered && deal !== this.seen && table.status === "playing" && (last !== null || now);
        if (!covered) this.seen = deal;
        this.last = table;
        if (!changed && !dealt) return noChange;
        if (covered || table.status === "over") void prepareDeal();
        const moving = moves();
        const movements = moving && !dealt ? movementsOf(table, game) : [];
        const before = movements.length ? placesIn(root) : new Map();
        const focused = root.contains(document.activeElement);
        const turn = changed && table.moves.length > 0 && !last.moves.length;
        putBack(root);
        queueMicrotask(() => {
            if (changed && settings.sound) import("./sound.js").then(({ sound }) => sound(table, turn), () => {});
            if (focused && !root.contains(document.activeElement)) refocus(root);
            if (dealt && moving) dealing?.deal(root, table, game);
            if (movements.length) animate(movements, before, placesIn(root), game);
        });
        return noChange;
    }
}

export const animateTable = directive(AnimatedTable);

/** The animation of deals, loaded only if the table is opened before its cards are dealt. @type {typeof import("./dealing.js") | null} */
let dealing = null;

export async function prepareDeal() {
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

/**
 * @param {Table} table
 * @param {GameTable} game
 */
function movementsOf(table, game) {
    return table.events.slice(shownFirst.has(table) ? 1 : 0).flatMap((event) => game.movements(event, table.you));
}

/** @param {Element} root */
function refocus(root) {
    const next = root.querySelector('.hand [tabindex="0"], .bar button, .over button');
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
}

/**
 * @param {Movement[]} movements
 * @param {Places} before
 * @param {Places} after
 * @param {GameTable} game
 */
function animate(movements, before, after, game) {
    begin((layer) =>
        movements.flatMap(({ code, from, to }, number) => {
            const [start, end] = [first(from, before), first(to, after)];
            if (!start || !end) return [];
            const animation = moveCard(layer, game, code, start.rect, end.rect, Math.min(number, MOST_APART) * APART);
            if (end.element.matches(".lying")) hide(end.element, animation);
            return [animation];
        }),
    );
}

/**
 * Hides a card until its animation ends.
 *
 * @param {Element} element
 * @param {Animation} animation
 */
function hide(element, animation) {
    const hidden = element.animate({ opacity: [0, 0] }, { duration: 60_000, fill: "both" });
    void animation.finished.finally(() => hidden.cancel());
}

/**
 * Keeps the heights of a table's parts, until the next deal or another width of the window.
 *
 * @param {HTMLElement} root
 * @param {string} deal
 */
function keepHeights(root, deal) {
    const now = `${deal} ${root.clientWidth} ${root.clientHeight}`;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(GROWING))) {
        if (root.dataset.steady !== now) part.style.minHeight = "";
        part.style.minHeight = `${part.getBoundingClientRect().height}px`;
    }
    root.dataset.steady = now;
}
