/**
 * The screen for a table that cannot be shown any more, or not from the seat that the person had: why, and what to do.
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
    const { t, storage } = context;
    const problem = session.state.problem ?? { code: "unexpected", title: "" };
    const forget = () => {
        storage.forgetSeat(session.id);
        context.go("#/");
    };
    switch (problem.code) {
        case "wrong_token":
            return problemView(t, problem, html`<button class="button" @click=${() => session.watch()}>${t("watch")}</button>`);
        case "no_such_table":
            if (!storage.seat(session.id)) return problemView(t, problem);
            return problemView(t, problem, html`<button class="button" @click=${forget}>${t("forget")}</button>`);
        default:
            return problemView(t, problem, html`<button class="button" @click=${() => session.retry()}>${t("again")}</button>`);
    }
}
