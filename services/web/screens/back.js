/**
 * The link to the screen that a person came from, such as a table in play.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";

/** @import { Translate } from "../parts.js" */

/** @param {Translate} t */
export function backLink(t) {
    return html`<a class="button quiet" href="#/" @click=${back}>${t("back")}</a>`;
}

/** @param {Event} event */
function back(event) {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
}
