/**
 * Cards that fly from one place of the table to another, in about a quarter of a second.
 *
 * @module
 */

import { render } from "./vendor/lit-html/lit-html.js";
import { picture } from "./cards.js";

/**
 * @import { GameTable, Movement } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

const MILLISECONDS = 260;
/** Milliseconds between two cards. */
export const APART = 30;
/** The most cards of one step that start one after the other; the rest start together. */
const MOST_APART = 12;
/** The ratio of a card's height to its width, and the smallest width in flight, in pixels. */
const [SHAPE, LEAST] = [1.4, 36];

/** Whether to animate: the page's settings and the system allow it, and the page is visible. */
export function moves() {
    const { dataset } = document.documentElement;
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return dataset.motion !== "off" && !reduced && !document.hidden;
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
        const card = element.querySelector(".card") ?? element.querySelector(".face");
        // If there is little room, a pile shows only its caption.
        const seen = card?.checkVisibility() ? card : element;
        places.set(element.getAttribute("data-place") ?? "", { rect: seen.getBoundingClientRect(), element });
    }
    return places;
}

/**
 * @param {string[]} names
 * @param {Places} places
 */
export function first(names, places) {
    const name = names.find((candidate) => places.has(candidate));
    return name === undefined ? undefined : places.get(name);
}

/**
 * Measures all positions before a step is rendered. Undefined if no card moves.
 *
 * @param {Element} root
 * @param {Table} table after the step
 * @param {GameTable} game
 * @param {boolean} held whether its first event has been shown already (holding.js)
 * @returns {(() => void) | undefined} animates the cards, once it is rendered
 */
export function flightOf(root, table, game, held) {
    const movements = table.events.slice(held ? 1 : 0).flatMap((event) => game.movements(event, table.you));
    if (!movements.length) return undefined;
    const before = placesIn(root);
    return () => animate(movements, before, placesIn(root), game);
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
 * Makes animations, and starts them one frame after the table changes, as that frame takes long to render.
 *
 * @param {(layer: HTMLElement) => Animation[]} make `layer` holds the copies of cards that exist during the animation only
 */
export function begin(make) {
    const layer = document.createElement("div");
    layer.className = "layer";
    layer.setAttribute("aria-hidden", "true");
    const animations = make(layer);
    document.body.append(layer);
    for (const animation of animations) animation.pause();
    requestAnimationFrame(() => requestAnimationFrame(() => animations.forEach((animation) => animation.play())));
    void Promise.allSettled(animations.map((animation) => animation.finished)).then(() => layer.remove());
}

/**
 * @param {HTMLElement} layer
 * @param {GameTable} game
 * @param {string | null} code
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} delay
 * @param {{stays?: boolean}} [options] `stays`: the card remains until its layer is removed
 */
export function moveCard(layer, game, code, from, to, delay, { stays = false } = {}) {
    const card = document.createElement("div");
    const width = Math.max(LEAST, Math.min(from.height, innerHeight / 3) / SHAPE, Math.min(to.height, innerHeight / 3) / SHAPE);
    card.className = "moving-card";
    card.style.setProperty("--card", `${width}px`);
    render(picture(game.deck, code), card);
    layer.append(card);
    const animation = card.animate({ transform: [at(from, width), at(to, width)] }, timing(delay, "both"));
    if (!stays) void animation.finished.then(() => card.remove());
    return animation;
}

/**
 * @param {DOMRect} rect
 * @param {number} width of the card in motion
 */
function at(rect, width) {
    const scale = Math.min(1, Math.max(LEAST, rect.height / SHAPE) / width);
    const x = rect.left + rect.width / 2 - width / 2;
    const y = rect.top + rect.height / 2 - (width * SHAPE) / 2;
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
