/**
 * Animations of cards that move from one place to another, in less than a quarter of a second. What does not move stays
 * where it is while sentences and hands above and below it shrink.
 *
 * @module
 */

import { Directive, directive } from "./vendor/lit-html/directive.js";
import { noChange, render } from "./vendor/lit-html/lit-html.js";
import { picture } from "./cards.js";

/**
 * @import { ElementPart } from "./vendor/lit-html/directive.js"
 * @import { Settings } from "./storage.js"
 * @import { GameTable, Movement } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

const MILLISECONDS = 200;
export const APART = 30;
/** The class in cards.css of a card in motion. */
const [WIDTH, HEIGHT] = [64, 89.6];
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
     */
    render(_table, _game, _settings, _covered, _dealt) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[Table, GameTable, Settings, boolean, boolean]} values
     */
    update(part, [table, game, settings, covered, now]) {
        const { last } = this;
        const root = /** @type {HTMLElement} */ (part.element);
        const deal = `${table.match.number}.${table.match.deal}`;
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
            if (turn && settings.sound) void import("./sound.js").then(({ chime }) => chime());
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

/** Whether to animate: the page's settings and the system allow it, and the page is visible. */
export function moves() {
    const { dataset } = document.documentElement;
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return dataset.motion !== "off" && !reduced && document.visibilityState !== "hidden";
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
    return table.events.flatMap((event) => game.movements(event, table.you));
}

/** @typedef {{ rect: DOMRect, element: Element }} Spot */
/** @typedef {Map<string, Spot>} Places */

/**
 * @param {Element} root
 * @returns {Places}
 */
export function placesIn(root) {
    const places = new Map();
    for (const element of root.querySelectorAll("[data-place]")) {
        const card = element.querySelector(".card");
        // A pile may be only its caption, where there is little room.
        const seen = card?.checkVisibility() ? card : element;
        places.set(element.getAttribute("data-place") ?? "", { rect: seen.getBoundingClientRect(), element });
    }
    return places;
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
            const animation = moveCard(layer, game, code, start.rect, end.rect, Math.min(number, 4) * APART);
            if (end.element.matches(".lying")) hide(end.element, animation);
            return [animation];
        }),
    );
}

/**
 * @param {string[]} names
 * @param {Places} places
 */
export function first(names, places) {
    const name = names.find((each) => places.has(each));
    return name === undefined ? undefined : places.get(name);
}

/**
 * Makes animations, and starts them after the frame in which the table changes: rendering that frame takes long.
 *
 * @param {(layer: HTMLElement) => Animation[]} make `layer` holds the copies of cards that exist during the animation only
 */
export function begin(make) {
    const layer = document.createElement("div");
    layer.className = "layer";
    layer.setAttribute("aria-hidden", "true");
    const animations = make(layer);
    document.body.append(layer);
    for (const each of animations) each.pause();
    requestAnimationFrame(() => requestAnimationFrame(() => animations.forEach((each) => each.play())));
    void Promise.allSettled(animations.map((each) => each.finished)).then(() => layer.remove());
}

/**
 * @param {HTMLElement} layer
 * @param {GameTable} game
 * @param {string | null} code
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} delay
 */
export function moveCard(layer, game, code, from, to, delay) {
    const card = document.createElement("div");
    card.className = "moving-card";
    render(picture(game.deck, code), card);
    layer.append(card);
    const animation = card.animate({ transform: [at(from), at(to)] }, timing(delay, "both"));
    void animation.finished.then(() => card.remove());
    return animation;
}

/** @param {DOMRect} rect */
function at(rect) {
    const scale = Math.min(1.2, Math.max(0.35, rect.height / HEIGHT));
    const x = rect.left + rect.width / 2 - WIDTH / 2;
    const y = rect.top + rect.height / 2 - HEIGHT / 2;
    return `translate(${x}px, ${y}px) scale(${scale})`;
}

/**
 * @param {number} delay
 * @param {FillMode} fill
 * @returns {KeyframeAnimationOptions}
 */
export function timing(delay, fill) {
    return { duration: MILLISECONDS, delay, fill, easing: "ease-out" };
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
    const now = `${deal} ${root.clientWidth}`;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(GROWING))) {
        if (root.dataset.steady !== now) part.style.minHeight = "";
        part.style.minHeight = `${part.offsetHeight}px`;
    }
    root.dataset.steady = now;
}
