/**
 * A word at the table: what may be said, and what people say, beside them for a few seconds.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { Remark, RemarkWords } from "../types.js"
 */

/** Milliseconds for which a remark is seen. */
const SEEN = 4000;
/** Milliseconds in which the engine takes no second remark from a seat. */
const PAUSE = 5000;

/** What may be said, by language. @type {Map<string, Promise<RemarkWords[]>>} */
const lists = new Map();
/** The list in the language of the page, once it is there. @type {RemarkWords[]} */
let known = [];
/** When one may speak again. */
let free = 0;

/** @param {Context} context */
async function fetchRemarks({ client, language }) {
    const list = lists.get(language) ?? client.remarks();
    lists.set(language, list);
    try {
        known = await list;
    } catch (error) {
        lists.delete(language);
        throw error;
    }
    return known;
}

/**
 * The button by which who sits at a table says something.
 *
 * @param {TableSession} actions
 * @param {Translate} t
 */
export function speaking(actions, t) {
    const { table } = actions.state;
    // A lesson is no table, and has no one who would listen.
    if (table?.you == null || actions.ways || !actions.heard) return nothing;
    return html`<button type="button" class="speak" aria-label=${t("speak")} @click=${() => actions.setUi({ sheet: "remarks" })}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11h-8l-5 4v-4H4zM8.5 10.5h0M12 10.5h0M15.5 10.5h0" /></svg>
    </button>`;
}

/**
 * What one can say, and whether one hears others.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {(event: Event) => void} shut closes the dialog
 */
export function choosing(context, actions, shut) {
    const { settings, t } = context;
    const say = (/** @type {Event} */ event, /** @type {RemarkWords} */ { remark }) => {
        shut(event);
        void speak(context, actions, remark);
    };
    const button = (/** @type {RemarkWords} */ each) => html`<li>
        <button type="button" class="act" aria-label=${each.text} @click=${(/** @type {Event} */ event) => say(event, each)}>${each.sign || each.text}</button>
    </li>`;
    if (!known.length) void fetchRemarks(context).then(() => actions.setUi({}), () => {});
    return html`<ul class="remarks">${known.map(button)}</ul>
        <button
            type="button"
            class="act"
            role="switch"
            aria-checked=${settings.muted ? "false" : "true"}
            @click=${() => void context.configure({ muted: !settings.muted })}
        >
            ${t("others")} <b aria-hidden="true">${t(settings.muted ? "off" : "on")}</b>
        </button>`;
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

/**
 * Shows from now on what people say at a table.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
export function hearing(context, actions) {
    actions.heard = (remark) => void show(context, actions, remark);
}

/**
 * Shows what somebody says beside their face, and says it once to who listens.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Remark} remark
 */
async function show(context, { state: { table } }, { seat, remark }) {
    const name = table?.seats[seat]?.name;
    if (name === undefined || (context.settings.muted && seat !== table?.you)) return;
    const said = (await fetchRemarks(context)).find((each) => each.remark === remark);
    if (!said) return;
    const place = document.querySelector(`[data-place="seat-${seat}"]`) ?? document.querySelector(".over");
    place?.querySelector(".said")?.remove();
    const bubble = document.createElement("span");
    bubble.className = said.sign ? "did said sign" : "did said";
    bubble.ariaHidden = "true";
    bubble.textContent = said.sign || said.text;
    place?.append(bubble);
    setTimeout(() => bubble.remove(), SEEN);
    context.announce(`${name}: ${said.text}`);
}
