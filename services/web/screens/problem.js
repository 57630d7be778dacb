/**
 * A screen that says what is the case, and what one can do about it.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import { Translate } from "../texts.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

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
