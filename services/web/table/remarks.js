/**
 * A word at the table: what people say, beside them for a few seconds.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { SaidRemark, RemarkWords } from "../types.js"
 */

/** Milliseconds for which a remark is seen. */
const SEEN = 4000;

/** What may be said, by language. @type {Map<string, Promise<RemarkWords[]>>} */
const lists = new Map();

/** @param {Context} context */
export async function fetchRemarks({ client, language }) {
    const list = lists.get(language) ?? client.remarks();
    lists.set(language, list);
    try {
        return await list;
    } catch (error) {
        lists.delete(language);
        throw error;
    }
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
 * @param {SaidRemark} remark
 */
async function show(context, { state: { table } }, { seat, remark }) {
    const name = table?.seats[seat]?.name;
    const { muted, mutedNames = [] } = context.settings;
    if (name === undefined || (seat !== table?.you && (muted || mutedNames.includes(name)))) return;
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
