/**
 * The history in words, and the points.
 *
 * @module
 */

import { drawn } from "../cardtext.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { SessionState } from "../state.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 */

/**
 * Every sentence, the newest first.
 *
 * @param {SessionState} state
 * @param {Translate} t
 */
export function history({ log, game, table, drawing }, t) {
    const lines = [...log].reverse();
    const people = table?.seats.map(({ name }) => name);
    return html`<section class="history" aria-label=${t("history")} tabindex="0">
        <ol>
            ${lines.map(({ text }) => html`<li>${drawing ? drawn(text, game, drawing.deck, people) : text}</li>`)}
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

/**
 * The points and the history, beside a wide table.
 *
 * @param {SessionState} state
 * @param {Translate} t
 */
export function aside(state, t) {
    return html`${score(/** @type {Table} */ (state.table), state.table?.words?.score ?? [], t)}
        <h2>${t("history")}</h2>
        ${history(state, t)}`;
}
