/**
 * The link back from screens that several others lead to.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";

/** @import { Translate } from "../parts.js" */

/**
 * The link to the screen that a person came from, such as a table in play.
 *
 * @param {Translate} t
 */
export function backLink(t) {
    return html`<a class="button quiet" href="#/" @click=${back}>${t("back")}</a>`;
}

/** @param {Event} event */
function back(event) {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
}
