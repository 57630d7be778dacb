/**
 * A form that opens a table: sends it, and shows the engine's refusal.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { typedName } from "../opening.js";
import { problemTitle } from "./frame.js";

/** @import { Context } from "../app.js" */
/** @import { Problem } from "../client.js" */
/** @import { GameDetails, Table } from "../types.js" */

/**
 * Returns a submit handler that sends the form and then goes to the table.
 *
 * @param {Context} context
 * @param {GameDetails} game
 * @param {{busy: boolean, problem: Problem | null}} state the form's state
 * @param {(person: string) => Promise<Table>} open takes the person's name and returns the table; throws `Problem`
 * @returns {(event: SubmitEvent) => Promise<void>}
 */
export function submitting(context, game, state, open) {
    return async (event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        Object.assign(state, { busy: true, problem: null });
        context.changed();
        try {
            const table = await open(typedName(form));
            context.go(`#/table/${table.id}`, { known: { table, game } });
        } catch (error) {
            state.problem = /** @type {Problem} */ (error);
        }
        state.busy = false;
        context.changed();
    };
}

/**
 * The engine's refusal.
 *
 * @param {Context} context
 * @param {Problem | null} problem
 */
export function refused({ t }, problem) {
    if (!problem) return nothing;
    const advice = t(`advice.${problem.code}`);
    return html`
        <div class="notice problem-notice" role="alert">
            <p><strong>${problemTitle(t, problem)}</strong> ${advice === `advice.${problem.code}` ? nothing : advice}</p>
        </div>
    `;
}

/**
 * The field for an API key, on engines where only holders of a key may open tables.
 *
 * @param {Context} context
 * @param {Problem | null} problem
 */
export function apiKeyField({ t, client, storage }, problem) {
    if (problem?.code !== "no_key" && problem?.code !== "wrong_key") return nothing;
    const keep = (/** @type {Event} */ event) => {
        const key = /** @type {HTMLInputElement} */ (event.target).value.trim();
        storage.saveApiKey(key);
        client.apiKey = key || undefined;
    };
    return html`
        <label class="field">
            <span class="label">${t("api_key")}</span>
            <input type="password" autocomplete="off" @change=${keep} />
        </label>
    `;
}
