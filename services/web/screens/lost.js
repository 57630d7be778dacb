/**
 * A table that cannot be seen any more, or not with the seat that one had: what is the case and what to do.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { problemView } from "./frame.js";

/** @import { Context } from "../app.js" */
/** @import { TableSession } from "../session.js" */

/**
 * @param {Context} context
 * @param {TableSession} session
 */
export function lostScreen(context, session) {
    const { t, keeper } = context;
    const problem = session.state.problem ?? { code: "unexpected", title: "" };
    const forget = () => {
        keeper.forgetSeat(session.id);
        context.go("#/");
    };
    switch (problem.code) {
        case "wrong_token":
            return problemView(t, problem, html`<button class="button" @click=${() => session.watch()}>${t("watch")}</button>`);
        case "no_such_table":
            if (!keeper.seat(session.id)) return problemView(t, problem);
            return problemView(t, problem, html`<button class="button" @click=${forget}>${t("forget")}</button>`);
        default:
            return problemView(t, problem, html`<button class="button" @click=${() => session.retry()}>${t("again")}</button>`);
    }
}
