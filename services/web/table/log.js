/**
 * The history in words: the newest sentences, all sentences, and the points.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { SessionState } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 */

/** How many sentences there is room for. */
const LATEST = 2;

/**
 * The newest sentences, as a button that opens all of them.
 *
 * @param {SessionState} state
 * @param {Translate} t
 * @param {() => void} open
 */
export function latest(state, t, open) {
    const lines = state.log.slice(-LATEST).map(({ text }) => text);
    return html`<button type="button" class="latest quiet" @click=${open} aria-label="${t("history")}: ${lines.join(" ")}">
        <span>${lines.map((text) => html`<span>${text}</span> `)}</span>
    </button>`;
}

/**
 * Every sentence, the newest first.
 *
 * @param {SessionState} state
 * @param {Translate} t
 */
export function history(state, t) {
    const lines = [...state.log].reverse();
    return html`<section class="history" aria-label=${t("history")} tabindex="0">
        <ol>
            ${lines.map(({ text }) => html`<li>${text}</li>`)}
        </ol>
        ${lines.length ? nothing : html`<p>${t("nothingYet")}</p>`}
    </section>`;
}

/**
 * The points of the match so far.
 *
 * @param {Table} table
 * @param {readonly string[]} points in words, by seat
 * @param {Translate} t
 */
export function score(table, points, t) {
    if (!points.length) return nothing;
    return html`<section class="score" aria-label=${t("score")}>
        <h2>${t("score")}</h2>
        <dl>
            ${points.map((text, seat) => html`<dt>${table.seats[seat]?.name}</dt><dd>${text}</dd>`)}
        </dl>
    </section>`;
}
