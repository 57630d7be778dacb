/**
 * Screens for unknown addresses, and for tables or seats that are gone: why, and what to do.
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
 * The screen for an address without a screen.
 *
 * @param {Context} context
 */
export const open = (context) => nothingThere(context, "not_found");

/**
 * The screen for an address that cannot belong to a table.
 *
 * @param {Context} context
 */
export const noTable = (context) => nothingThere(context, "no_such_table");

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
 */
export function lostScreen({ t, storage, go }, session) {
    const { closed, problem: known } = session.state;
    const problem = known ?? { code: "unexpected", title: "" };
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) => html`<button class="button" @click=${act}>${t(text)}</button>`;
    const watch = button("watch", () => session.watch());
    if (closed) return closedView(t, closed, closed.match.deal ? watch : undefined);
    if (problem.code === "wrong_token") return problemView(t, problem, watch);
    if (problem.code !== "no_such_table") return problemView(t, problem, button("again", () => session.retry()));
    const forget = () => {
        storage.forgetSeat(session.id);
        go("#/");
    };
    return problemView(t, problem, storage.seat(session.id) ? button("forget", forget) : undefined);
}

/**
 * @param {Translate} t
 * @param {Table} table that was closed by the last person who left it
 * @param {TemplateResult} [actions]
 */
function closedView(t, { game, match, words }, actions) {
    const text = (!match.result && !words?.ending && words?.result[0]) || t("closed");
    const another = html`${actions} <a class="button ${actions ? "quiet" : ""}" href="#/new/${game}">${t("another")}</a>`;
    return problemView(t, { code: "closed", title: "", text }, another);
}
