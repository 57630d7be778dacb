/**
 * What a group has at its table besides the cards, inside Telegram: its leaderboard. The words are the bot's.
 *
 * @module
 */

import { Problem } from "../client.js";
import { problemTitle } from "../screens/frame.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Table } from "../types.js"
 */

/** @typedef {"wins" | "rating"} Order */

/**
 * The bot's answer to `POST /telegram/leaderboard`.
 *
 * @typedef {object} Leaderboard
 * @property {string} game its name
 * @property {Order} by
 * @property {Partial<Record<Order, string>>} orders to choose from, in words
 * @property {{rank: number, name: string, text: string}[]} rows
 * @property {string} note
 */

/**
 * @param {Context} context
 * @param {Table | null} table
 * @returns {boolean} whether the table is a group's, opened inside Telegram
 */
export function inGroup({ telegram }, table) {
    return Boolean(table && telegram?.isOfGroup(table.id));
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function leaderboardButton(context, actions) {
    if (!inGroup(context, actions.state.table)) return nothing;
    return html`<button type="button" class="act" @click=${() => load(context, actions, "wins")}>
        ${context.t("leaderboard")}
    </button>`;
}

/**
 * Opens the leaderboard, or shows it in another order.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Order} by
 */
async function load({ telegram, language }, actions, by) {
    actions.setUi({ sheet: "leaderboard", refused: null });
    try {
        actions.setUi({ leaderboard: await telegram?.ask("leaderboard", { by, language }) });
    } catch (error) {
        if (!(error instanceof Problem)) throw error;
        actions.setUi({ refused: error });
    }
}

/**
 * The content of its sheet.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
export function leaderboard(context, actions) {
    const { t } = context;
    const { ui } = actions.state;
    if (ui.refused) return html`<p role="alert">${problemTitle(t, ui.refused)}</p>`;
    /** @type {Leaderboard | undefined} */
    const found = ui.leaderboard;
    if (!found) return html`<p aria-busy="true">${t("loading")}</p>`;
    const order = (/** @type {[string, string]} */ [by, text]) => html`<button
        type="button"
        class="act"
        aria-pressed=${by === found.by ? "true" : "false"}
        @click=${() => load(context, actions, /** @type {Order} */ (by))}
    >
        ${text}
    </button>`;
    return html`<h3 class="ending">${found.game}</h3>
        <div class="orders" role="group" aria-label=${t("order")}>${Object.entries(found.orders).map(order)}</div>
        <ol class="places">
            ${found.rows.map(
                ({ rank, name, text }) =>
                    html`<li class="place${rank}"><b>${rank}</b> <span>${name} <small>${text}</small></span></li>`,
            )}
        </ol>
        <p class="ending">${found.note}</p>`;
}
