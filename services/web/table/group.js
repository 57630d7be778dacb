/**
 * Parts of a group's table inside Telegram: its leaderboard, and the vote to close the table. The texts come from the bot.
 *
 * @module
 */

import { Problem } from "../client.js";
import { problemTitle } from "../screens/frame.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Sheet } from "../state.js"
 * @import { Table } from "../types.js"
 */

/** @typedef {"wins" | "rating"} Order */

/**
 * The bot's answer to `POST /telegram/leaderboard`.
 *
 * @typedef {object} Leaderboard
 * @property {string} game the game's name
 * @property {Order} by
 * @property {Partial<Record<Order, string>>} orders titles of the available orders
 * @property {{rank: number, name: string, text: string}[]} rows
 * @property {string} note
 */

/**
 * The bot's answer to `POST /telegram/closing`.
 *
 * @typedef {object} Ballot
 * @property {"open" | "kept" | "closed"} outcome
 * @property {string[]} agree names of the people who agree
 * @property {number} needed
 * @property {string} text the question, or the decision
 * @property {string} rule the sentence that says who decides
 * @property {string} yes
 * @property {string} no
 */

/** Milliseconds between two requests for the state of an open vote, since others vote too. */
const LOOK_AGAIN = 4000;

/**
 * @param {Context} context
 * @param {Table | null} table
 * @returns {boolean} whether the table is a group's, opened inside Telegram
 */
export function inGroup({ telegram }, table) {
    return Boolean(table && telegram?.isOfGroup(table.id));
}

/**
 * Makes one of the bot's calls.
 *
 * @param {Context} context
 * @param {"leaderboard" | "closing"} call
 * @param {Record<string, unknown>} wanted
 * @returns {Promise<any>} its answer, or a problem
 */
async function ask({ telegram, language }, call, wanted) {
    try {
        return await telegram?.ask(call, { ...wanted, language });
    } catch (error) {
        if (error instanceof Problem) return error;
        throw error;
    }
}

/**
 * The content of a sheet without an answer.
 *
 * @param {Context} context
 * @param {"loading" | Problem} answer
 */
function without({ t }, answer) {
    return answer === "loading" ? html`<p aria-busy="true">${t("loading")}</p>` : html`<p role="alert">${problemTitle(t, answer)}</p>`;
}

// --- the leaderboard

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
async function load(context, actions, by) {
    const { sheet } = actions.state;
    if (sheet?.name !== "leaderboard") actions.set({ sheet: { name: "leaderboard", answer: "loading" } });
    const answer = await ask(context, "leaderboard", { by });
    if (actions.state.sheet?.name === "leaderboard") actions.set({ sheet: { name: "leaderboard", answer } });
}

/**
 * The content of its sheet.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Extract<Sheet, {name: "leaderboard"}>} sheet
 */
export function leaderboard(context, actions, { answer: board }) {
    const { t } = context;
    if (board === "loading" || board instanceof Problem) return without(context, board);
    const order = (/** @type {[string, string]} */ [by, text]) => html`<button
        type="button"
        class="act"
        aria-pressed=${by === board.by ? "true" : "false"}
        @click=${() => load(context, actions, /** @type {Order} */ (by))}
    >
        ${text}
    </button>`;
    return html`<h3 class="ending">${board.game}</h3>
        <div class="orders" role="group" aria-label=${t("order")}>${Object.entries(board.orders).map(order)}</div>
        <ol class="places">
            ${board.rows.map(
                ({ rank, name, text }) =>
                    html`<li class="place${rank}"><b>${rank}</b> <span>${name} <small>${text}</small></span></li>`,
            )}
        </ol>
        <p class="ending">${board.note}</p>`;
}

// --- the vote to close the table

/**
 * For those who sit at a group's table in mid-match.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
export function closingButton(context, actions) {
    const { table } = actions.state;
    if (!inGroup(context, table) || table?.you === null || table?.status !== "playing") return nothing;
    return html`<button type="button" class="act" @click=${() => look(context, actions, true)}>
        ${context.t("closeTable")}
    </button>`;
}

/**
 * Looks how the vote stands, and again while its sheet is open.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {boolean} [first]
 */
async function look(context, actions, first = false) {
    if (first) actions.set({ sheet: { name: "closing", answer: "loading", voting: false } });
    await vote(context, actions, {});
    const { sheet } = actions.state;
    const open = sheet?.name === "closing" && !(sheet.answer instanceof Problem) && sheet.answer !== "loading" && sheet.answer.outcome === "open";
    if (open) setTimeout(() => actions.state.sheet?.name === "closing" && look(context, actions), LOOK_AGAIN);
}

/**
 * The content of its sheet.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Extract<Sheet, {name: "closing"}>} sheet
 */
export function closing(context, actions, sheet) {
    const { answer: ballot, voting } = sheet;
    if (ballot === "loading" || ballot instanceof Problem) return without(context, ballot);
    if (ballot.outcome !== "open") return html`<p role="status">${ballot.text}</p>`;
    const button = (/** @type {boolean} */ agree) => html`<button
        type="button"
        class="act ${agree ? "danger" : ""}"
        ?disabled=${voting}
        @click=${() => voted(context, actions, sheet, agree)}
    >
        ${agree ? ballot.yes : ballot.no}
    </button>`;
    const { agree, needed } = ballot;
    return html`<p>${ballot.text}</p>
        <p class="ending">${ballot.rule}</p>
        <ul class="votes">
            <li>${context.t("agree", { n: agree.length, needed })} <small>${agree.join(", ")}</small></li>
        </ul>
        <div class="orders">${button(true)} ${button(false)}</div>`;
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Extract<Sheet, {name: "closing"}>} sheet
 * @param {boolean} agree
 */
async function voted(context, actions, sheet, agree) {
    actions.set({ sheet: { ...sheet, voting: true } });
    await vote(context, actions, { agree });
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 * @param {{agree?: boolean}} wanted without a vote one only looks
 */
async function vote(context, actions, wanted) {
    const answer = await ask(context, "closing", wanted);
    if (actions.state.sheet?.name === "closing") actions.set({ sheet: { name: "closing", answer, voting: false } });
}
