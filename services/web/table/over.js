/**
 * The end of a match: the places, and what can be done next.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { SessionState, TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 */

/** @param {readonly string[]} lines */
export function resultOf(lines) {
    return html`<ul class="lines">
        ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
}

/**
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
export function matchOver({ table, busy }, actions, t) {
    if (!table) return nothing;
    const [winner = "", ...places] = table.words?.result ?? [];
    const host = table.you !== null && table.you === table.host;
    const link = `#/table/${table.id}/review`;
    return html`<section class="over" aria-label=${t("matchOver")}>
        <h2>${winner || t("matchOver")}</h2>
        ${resultOf(places)}
        <div class="bar" role="group" aria-label=${t("actions")}>
            ${host
                ? html`<button type="button" class="act main" ?disabled=${busy} @click=${() => actions.start()}>
                      ${t("rematch")}
                  </button>`
                : table.you === null
                  ? nothing
                  : html`<p>${t("rematchByHost")}</p>`}
            ${table.match.deal ? html`<a class="act" href=${link}>${t("lookBack")}</a>` : nothing}
            <a class="act" href="#/">${t("toLobby")}</a>
        </div>
    </section>`;
}
