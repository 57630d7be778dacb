/**
 * A few cards of a deck, fanned: decoration, hidden from screen readers.
 *
 * @module
 */

import { html, svg } from "./vendor/lit-html/lit-html.js";

const FRENCH = {
    sprite: new URL("./art/french.svg", import.meta.url).href,
    fans: ["7h Qs Ad Kc 3h", "Kh 8c 5d Qd 2s", "9d joker Kc 2h Ts", "Js Jh Jd Ac 4s"],
};
const CUCCU = {
    sprite: new URL("./art/cuccu-fan.svg", import.meta.url).href,
    fans: ["XII LEONE MATTO SECCHIA V"],
};

const [WIDTH, HEIGHT, STEP, TURN] = [66, 92.4, 46, 7];

/**
 * @param {string} deck as the catalogue names it
 * @param {number} index of the game: games of one deck show different cards
 */
export function fan(deck, index) {
    const { sprite, fans } = deck.startsWith("cuccu") ? CUCCU : FRENCH;
    const codes = fans[index % fans.length].split(" ");
    const middle = (codes.length - 1) / 2;
    return html`
        <svg class="fan" viewBox="0 0 300 96" aria-hidden="true">
            ${codes.map((code, place) => {
                const [x, y] = [150 - WIDTH / 2 + (place - middle) * STEP, 14 + (place - middle) ** 2 * 3];
                const turn = `rotate(${(place - middle) * TURN} ${x + WIDTH / 2} ${y + HEIGHT})`;
                return svg`<use href="${sprite}#${code}" x=${x} y=${y} width=${WIDTH} height=${HEIGHT} transform=${turn} />`;
            })}
        </svg>
    `;
}
