/**
 * What is around every screen: the header with its links, and the one live region.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import { Context } from "../app.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

const ICON = new URL("../icon.svg", import.meta.url).href;

/**
 * @param {Context} context
 * @param {{view: TemplateResult, bare: boolean, route: string, announced: string}} shown
 */
export function frame({ t, keeper, telegram }, { view, bare, route, announced }) {
    const forgetful = !keeper.lasting && !telegram && !bare;
    return html`
        <a class="skip" href="#main" @click=${skip}>${t("skip")}</a>
        ${bare ? nothing : header(t, route)}
        ${forgetful ? html`<p class="banner" role="note">${t("storage_refused")}</p>` : nothing}
        <main id="main" tabindex="-1" class=${bare ? "bare" : "page"}>${view}</main>
        <p class="unseen" role="status" aria-live="polite">${announced}</p>
    `;
}

/** @param {Event} event */
function skip(event) {
    event.preventDefault();
    document.getElementById("main")?.focus();
}

/**
 * @param {import("../texts.js").Translate} t
 * @param {string} route
 */
function header(t, route) {
    const link = (/** @type {string} */ name, /** @type {string} */ text) => html`
        <a href="#/${name}" aria-current=${route === name ? "page" : nothing}>${text}</a>
    `;
    return html`
        <header class="top">
            <a class="brand" href="#/" aria-label=${t("home")}>
                <img class="mark" src=${ICON} alt="" width="32" height="32" />
                <span>Locanda</span>
            </a>
            <nav aria-label=${t("navigation")}>${link("mine", t("mine"))} ${link("settings", t("settings"))}</nav>
        </header>
    `;
}
