/**
 * The frame of every screen (the header with its links, the live region for screen readers), and the screen that explains
 * a problem and offers actions.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import { Context } from "../app.js" */
/** @import { Translate } from "../parts.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

const ICON = new URL("../icon.svg", import.meta.url).href;

/**
 * @param {Context} context
 * @param {{view: TemplateResult | typeof import("../vendor/lit-html/lit-html.js").noChange, bare: boolean, route: string, announced: string, maintenance: string}} shown
 */
export function frame({ t, storage, telegram }, { view, bare, route, announced, maintenance }) {
    const forgetful = !storage.persistent && !telegram && !bare;
    return html`
        <a class="skip" href="#main" @click=${skip}>${t("skip")}</a>
        ${bare ? nothing : header(t, route)}
        ${forgetful ? html`<p class="banner" role="note">${t("storage_refused")}</p>` : nothing}
        ${maintenance ? html`<p class="banner" role="status">${maintenance}</p>` : nothing}
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
 * @param {Translate} t
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

/**
 * Returns the page's own words for a problem, or else the engine's.
 *
 * @param {Translate} t
 * @param {{code: string, title: string, text?: string}} problem
 */
export function problemTitle(t, { code, title, text }) {
    const own = t(`problem.${code}`);
    return own === `problem.${code}` ? text || title || t("problem.unexpected") : own;
}

/**
 * A problem that takes the whole screen, with the styles of `lost`.
 *
 * @param {Translate} t
 * @param {{code: string, title: string, text?: string}} problem
 * @param {TemplateResult} [actions]
 */
export function problemView(t, problem, actions) {
    const advice = t(`advice.${problem.code}`);
    return html`
        <section class="problem" aria-labelledby="problem">
            <h1 id="problem">${problemTitle(t, problem)}</h1>
            ${advice === `advice.${problem.code}` ? nothing : html`<p>${advice}</p>`}
            <p class="actions">${actions ?? nothing} <a class="button quiet" href="#/">${t("to_lobby")}</a></p>
        </section>
    `;
}

/**
 * A problem of the page itself, which may go away when it is reloaded.
 *
 * @param {Translate} t
 * @param {string} code
 */
export function reloadView(t, code) {
    const reload = html`<button class="button" @click=${() => location.reload()}>${t("reload")}</button>`;
    return problemView(t, { code, title: "" }, reload);
}
