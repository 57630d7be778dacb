/**
 * The first screen inside Telegram: asks the bot for the person's table and opens it, or explains why it cannot.
 *
 * @module
 */

import { Problem } from "../client.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { problemView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */

/**
 * @param {Context} context
 * @returns {Screen}
 */
export function open(context) {
    const { telegram } = context;
    /** @type {Problem | null} */
    let problem = null;
    let asking = true;
    let gone = false;
    const ask = async (/** @type {boolean} */ sit) => {
        problem = null;
        asking = true;
        context.changed();
        try {
            const session = await telegram?.open(context, { sit });
            if (gone) return;
            if (session?.table) context.go(`#/table/${session.table}`, { replace: true });
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
            problem = error;
        }
        asking = false;
        context.changed();
    };
    void ask(false);
    return {
        title: () => context.t("table"),
        close: () => {
            gone = true;
        },
        view: () => {
            const { t } = context;
            if (problem) {
                return problemView(t, problem, html`<button class="button" @click=${() => ask(false)}>${t("again")}</button>`);
            }
            if (asking) return html`<section class="problem" aria-busy="true"><h1>${t("loading")}</h1></section>`;
            return html`
                <section class="problem">
                    <h1>${t("nobody_seated")}</h1>
                    <p class="actions">
                        ${telegram?.session?.may_sit ? html`<button class="button large" @click=${() => ask(true)}>${t("sit")}</button>` : nothing}
                    </p>
                </section>
            `;
        },
    };
}
