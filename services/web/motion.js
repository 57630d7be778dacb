/**
 * Cards that are seen to travel from where they were to where they lie, in less than a quarter of a second.
 *
 * @module
 */

import { Directive, PartType, directive } from "./vendor/lit-html/directive.js";
import { noChange, render } from "./vendor/lit-html/lit-html.js";
import { picture } from "./cards.js";

/**
 * @import { ElementPart, PartInfo } from "./vendor/lit-html/directive.js"
 * @import { Settings } from "./storage.js"
 * @import { GameTable, Travel } from "./table/shapes.js"
 * @import { Table } from "./types.js"
 */

const MILLISECONDS = 220;
const APART = 30;

/**
 * Of the playing table's element: when the table has changed it looks where everything is before the element's
 * contents are rendered, and once they are, lets the cards of the last events travel.
 */
class Journey extends Directive {
    /** @param {PartInfo} part */
    constructor(part) {
        super(part);
        if (part.type !== PartType.ELEMENT) throw new TypeError("journey is for an element");
        /** @type {Table | null} */
        this.last = null;
    }

    /**
     * @param {Table} _table
     * @param {GameTable} _game
     * @param {Settings} _settings
     */
    render(_table, _game, _settings) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[Table, GameTable, Settings]} values
     */
    update(part, [table, game, settings]) {
        const { last } = this;
        this.last = table;
        if (!last || last.version === table.version) return noChange;
        const root = /** @type {HTMLElement} */ (part.element);
        const travels = settings.motion && !still() ? travelsOf(table, game) : [];
        const before = travels.length ? placesIn(root) : new Map();
        const focused = root.contains(document.activeElement);
        const turn = table.moves.length > 0 && !last.moves.length;
        queueMicrotask(() => {
            if (turn && settings.sound) void import("./sound.js").then(({ chime }) => chime());
            if (focused && !root.contains(document.activeElement)) refocus(root);
            if (travels.length) start(travels, before, placesIn(root), game);
        });
        return noChange;
    }
}

export const journey = directive(Journey);

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.visibilityState === "hidden";

/**
 * @param {Table} table
 * @param {GameTable} game
 */
function travelsOf(table, game) {
    return table.events.flatMap((event) => game.travels(event, table.you));
}

/** @typedef {Map<string, { rect: DOMRect, element: Element }>} Places */

/**
 * @param {Element} root
 * @returns {Places}
 */
function placesIn(root) {
    const places = new Map();
    for (const element of root.querySelectorAll("[data-place]")) {
        const card = element.querySelector(".card") ?? element;
        places.set(element.getAttribute("data-place") ?? "", { rect: card.getBoundingClientRect(), element });
    }
    return places;
}

/** @param {Element} root */
function refocus(root) {
    const next = root.querySelector('.hand [tabindex="0"], .bar button, .over button');
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
}

/**
 * @param {Travel[]} travels
 * @param {Places} before
 * @param {Places} after
 * @param {GameTable} game
 */
function start(travels, before, after, game) {
    const sky = document.createElement("div");
    sky.className = "sky";
    sky.setAttribute("aria-hidden", "true");
    document.body.append(sky);
    const flights = travels.flatMap((travel, number) => {
        const from = first(travel.from, before);
        const to = first(travel.to, after);
        return from && to ? [fly(sky, game, travel, from.rect, to, number)] : [];
    });
    Promise.allSettled(flights).then(() => sky.remove());
}

/**
 * @param {string[]} names
 * @param {Places} places
 */
function first(names, places) {
    const name = names.find((each) => places.has(each));
    return name === undefined ? undefined : places.get(name);
}

/**
 * @param {HTMLElement} sky
 * @param {GameTable} game
 * @param {Travel} travel
 * @param {DOMRect} from
 * @param {{ rect: DOMRect, element: Element }} to
 * @param {number} number
 */
function fly(sky, game, travel, from, to, number) {
    const card = document.createElement("div");
    card.className = "flying";
    render(picture(game.deck, travel.code), card);
    sky.append(card);
    const { width, height } = card.getBoundingClientRect();
    const timing = { duration: MILLISECONDS, delay: Math.min(number, 4) * APART, fill: /** @type {const} */ ("both") };
    const at = (/** @type {DOMRect} */ rect) => {
        const scale = Math.min(1.2, Math.max(0.35, rect.height / height));
        const x = rect.left + rect.width / 2 - width / 2;
        const y = rect.top + rect.height / 2 - height / 2;
        return `translate(${x}px, ${y}px) scale(${scale})`;
    };
    const flight = card.animate([{ transform: at(from) }, { transform: at(to.rect) }], { ...timing, easing: "ease-out" });
    if (to.element.matches(".lying")) hide(to.element, timing);
    return flight.finished.then(() => card.remove());
}

/**
 * Keeps a card from being seen while it is still on its way.
 *
 * @param {Element} element
 * @param {KeyframeAnimationOptions} timing
 */
function hide(element, timing) {
    element.animate([{ opacity: 0 }, { opacity: 0 }], { ...timing, fill: "backwards" });
}
