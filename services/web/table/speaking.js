/**
 * What one can say at a table, and whom one hears.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { fetchRemarks } from "./remarks.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { RemarkWords } from "../types.js"
 */

/** Milliseconds in which the engine takes no second remark from a seat. */
const PAUSE = 5000;

/** What may be said, in the language of the page, once it is there. @type {RemarkWords[]} */
let known = [];
/** When one may speak again. */
let free = 0;

/**
 * What one can say, and whom one hears.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {(event: Event) => void} shut closes the dialog
 */
export function choosing(context, actions, shut) {
    const say = (/** @type {Event} */ event, /** @type {RemarkWords} */ { remark }) => {
        shut(event);
        void speak(context, actions, remark);
    };
    const button = (/** @type {RemarkWords} */ each) => html`<li class=${each.sign && "sign"}>
        <button type="button" class="act" aria-label=${each.text} @click=${(/** @type {Event} */ event) => say(event, each)}>${each.sign || each.text}</button>
    </li>`;
    if (!known.length) {
        const listed = (/** @type {RemarkWords[]} */ found) => {
            known = found;
            actions.setUi({});
        };
        void fetchRemarks(context).then(listed, () => {});
    }
    return html`<ul class="remarks">${known.map(button)}</ul>
        ${heard(context, actions)}`;
}

/**
 * Whether one hears the others, and each person among them.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
function heard({ settings, configure, t }, { state: { table } }) {
    const { muted = false, mutedNames = [] } = settings;
    const flip = (/** @type {string} */ label, /** @type {boolean} */ on, /** @type {Partial<typeof settings>} */ changed) => html`<button
        type="button"
        class="act"
        role="switch"
        aria-checked=${on ? "true" : "false"}
        @click=${() => void configure(changed)}
    >
        ${label} <b aria-hidden="true">${t(on ? "on" : "off")}</b>
    </button>`;
    const people = muted ? [] : (table?.seats ?? []).filter(({ kind, seat }) => kind === "person" && seat !== table?.you);
    return html`${flip(t("others"), !muted, { muted: !muted })}
        ${people.map(({ name }) => {
            const without = mutedNames.filter((each) => each !== name);
            const on = without.length === mutedNames.length;
            return flip(t("othersOf", { name }), on, { mutedNames: on ? [...without, name] : without });
        })}`;
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 * @param {RemarkWords["remark"]} remark
 */
async function speak({ client, changed }, actions, remark) {
    const { table } = actions.state;
    if (table?.you == null || Date.now() < free) return;
    free = Date.now() + PAUSE;
    try {
        await client.say(table.id, table.you, remark, { token: actions.token });
    } catch (error) {
        const { code = "unexpected" } = /** @type {import("../client.js").Problem} */ (error);
        actions.notify({ kind: "problem", code, text: actions.say(/** @type {any} */ (error)) });
    }
    changed();
}
