/**
 * The drawn faces at a table (art/faces.py). A face depends on the name, and no two people at a table have the same.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";

const SPRITE = new URL("../art/faces.svg", import.meta.url).href;
/** The number of people in the sprite. */
const PEOPLE = 10;

/**
 * The face of a seat. It is hidden from screen readers, as the name is beside it.
 *
 * @param {readonly {name: string, kind: string}[]} seats of the table
 * @param {number} seat
 */
export function face(seats, seat) {
    const taken = new Set();
    let portrait = "";
    for (const { name, kind } of seats.slice(0, seat + 1)) {
        let number = hash(name) % PEOPLE;
        while (taken.has(number)) number = (number + 1) % PEOPLE;
        if (kind === "person") taken.add(number);
        portrait = kind === "computer" ? "computer" : `p${number}`;
    }
    return html`<svg class="portrait" aria-hidden="true"><use href="${SPRITE}#${portrait}"></use></svg>`;
}

/** @param {string} name */
function hash(name) {
    let sum = 7;
    for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    return sum;
}
