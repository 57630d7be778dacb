/**
 * The screens of addresses with nothing there, and of a table that cannot be shown any more, or not from the seat that
 * the person had: why, and what to do.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { problemView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { TableSession } from "../session.js" */
/** @import { Translate } from "../parts.js" */
/** @import { Table } from "../types.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

/**
 * The screen of an address that is no screen's.
 *
 * @param {Context} context
 */
export const open = (context) => nothingThere(context, "not_found");

/**
 * The screen of an address that cannot be a table's.
 *
 * @param {Context} context
 */
export async function noTable(context) {
    await context.need("lost");
    return nothingThere(context, "no_such_table");
}

/**
 * @param {Context} context
 * @param {string} code
 * @returns {Screen}
 */
const nothingThere = (context, code) => ({
    title: () => context.t(`problem.${code}`),
    view: () => problemView(context.t, { code, title: "" }),
});

/**
 * @param {Context} context
 * @param {TableSession} session with its problem
 * @returns the screen's view
 */
export function lostScreen(context, session) {
    const { t, storage } = context;
    const problem = session.state.problem ?? { code: "unexpected", title: "" };
    /** @type {Table | null} */
    let closed = null;
    if (problem.code === "wrong_token") {
        whenClosed(session).then((found) => {
            closed = found;
            context.changed();
        }, console.error);
    }
    const forget = () => {
        storage.forgetSeat(session.id);
        context.go("#/");
    };
    const watch = html`<button class="button" @click=${() => session.watch()}>${t("watch")}</button>`;
    return () => {
        if (closed) return closedView(t, closed, closed.match.deal ? watch : undefined);
        switch (problem.code) {
            case "wrong_token":
                return problemView(t, problem, watch);
            case "no_such_table":
                if (!storage.seat(session.id)) return problemView(t, problem);
                return problemView(t, problem, html`<button class="button" @click=${forget}>${t("forget")}</button>`);
            default:
                return problemView(t, problem, html`<button class="button" @click=${() => session.retry()}>${t("again")}</button>`);
        }
    };
}

/**
 * @param {Translate} t
 * @param {Table} table that was closed, by whoever was the last to leave it
 * @param {TemplateResult} [actions]
 */
function closedView(t, { match, words }, actions) {
    const text = (!match.result && !words?.ending && words?.result[0]) || t("closed");
    return problemView(t, { code: "closed", title: "", text }, actions);
}

/**
 * Follows a table from which the person's seat is gone, as a spectator, until nobody sits there any more: where a group
 * closes its table, all leave, one after the other.
 *
 * @param {TableSession} session
 * @returns {Promise<Table | null>} the table then; null if the session ends before
 */
async function whenClosed({ client, id, following }) {
    for await (const { table } of client.follow(id, { signal: following?.signal })) {
        if (table.host === null) return table;
    }
    return null;
}
