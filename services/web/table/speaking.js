/**
 * The sheet with the remarks that a person can make, and with switches to mute others.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { flip } from "./sheets.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { RemarkWords } from "../types.js"
 */

/** Milliseconds after a remark in which the engine accepts no other from the same seat. */
const PAUSE = 5000;

/**
 * The sheet with remarks and muted people.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {(event: Event) => void} shut closes the dialog
 */
export function choosing(context, actions, shut) {
    const { phrases } = actions.state;
    const say = (/** @type {Event} */ event, /** @type {RemarkWords} */ { remark }) => {
        shut(event);
        void speak(actions, remark);
    };
    const button = (/** @type {RemarkWords} */ remark) => html`<li class=${remark.sign && "sign"}>
        <button type="button" class="act" aria-label=${remark.text} @click=${(/** @type {Event} */ event) => say(event, remark)}>${remark.sign || remark.text}</button>
    </li>`;
    const shown = phrases === null || phrases === "loading" ? "" : Array.isArray(phrases) ? phrases.map(button) : html`<li role="alert">${actions.say(phrases)}</li>`;
    return html`<ul class="remarks">${shown}</ul>
        ${heard(context, actions)}`;
}

/**
 * The switches to hear remarks: of everybody, and of each person.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
function heard({ settings, configure, t }, { state: { table } }) {
    const { muted = false, mutedNames = [] } = settings;
    const people = muted ? [] : (table?.seats ?? []).filter(({ kind, seat }) => kind === "person" && seat !== table?.you);
    return html`${flip(t("others"), !muted, t, () => void configure({ muted: !muted }))}
        ${people.map(({ name }) => {
            const without = mutedNames.filter((muted) => muted !== name);
            const on = without.length === mutedNames.length;
            return flip(t("othersOf", { name }), on, t, () => void configure({ mutedNames: on ? [...without, name] : without }));
        })}`;
}

/**
 * @param {TableSession} actions
 * @param {RemarkWords["remark"]} remark
 */
async function speak(actions, remark) {
    const { table, spoken } = actions.state;
    if (table?.you == null || spoken) return;
    actions.set({ spoken: Date.now() + PAUSE });
    try {
        await actions.client.say(table.id, table.you, remark, { token: actions.token });
    } catch (error) {
        const problem = /** @type {import("../client.js").Problem} */ (error);
        actions.notify({ kind: "problem", code: problem.code, text: actions.say(problem) });
    }
}
