/**
 * Remarks at the table, shown beside the speaker for a few seconds.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { problemOf } from "../session.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { SaidRemark, Table } from "../types.js"
 */

/** Milliseconds for which a remark is visible. */
const SEEN = 4000;

/**
 * The button with which people at a table make remarks.
 *
 * @param {TableSession} actions
 * @param {Translate} t
 */
export function speaking(actions, t) {
    const { table, lesson } = actions.state;
    // In a lesson nobody would hear it.
    if (table?.you == null || lesson) return nothing;
    return html`<button type="button" class="speak" aria-label=${t("speak")} @click=${() => actions.set({ sheet: { name: "remarks" } })}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11h-8l-5 4v-4H4zM8.5 10.5h0M12 10.5h0M15.5 10.5h0" /></svg>
    </button>`;
}

/**
 * Keeps people muted who have changed their name.
 *
 * @param {Context} context
 * @param {Table} before
 * @param {Table} after
 */
export function followNames({ settings, configure }, { seats }, { events }) {
    const { mutedNames = [] } = settings;
    const renamed = events.filter(({ type, seat }) => type === "renamed" && mutedNames.includes(seats[seat].name));
    if (renamed.length) void configure({ mutedNames: [...mutedNames, ...renamed.map(({ name }) => name)] });
}

/**
 * Loads the possible remarks in the page's language, once.
 *
 * @param {TableSession} actions
 */
export async function learnPhrases(actions) {
    const { phrases: known } = actions.state;
    if (Array.isArray(known)) return known;
    actions.set({ phrases: "loading" });
    try {
        const phrases = await actions.client.remarks();
        actions.set({ phrases });
        return phrases;
    } catch (error) {
        actions.set({ phrases: problemOf(error) });
        return [];
    }
}

/**
 * Shows a remark beside the speaker's face, and announces it to screen readers once.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {SaidRemark} said
 */
export async function hear({ announce, settings }, actions, { seat, remark }) {
    const phrases = await learnPhrases(actions);
    const { table, said } = actions.state;
    const name = table?.seats[seat]?.name;
    const { muted, mutedNames = [] } = settings;
    const { text, sign } = phrases.find((phrase) => phrase.remark === remark) ?? {};
    if (name === undefined || text === undefined || (seat !== table?.you && (muted || mutedNames.includes(name)))) return;
    actions.set({ said: [...said, { seat, text, sign: sign ?? "", until: Date.now() + SEEN }] });
    announce(`${name}: ${text}`);
}
