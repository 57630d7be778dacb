/**
 * Buttons beside the person's own seat: a hint, the last trick, a remark.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { speaking } from "./remarks.js";

/**
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { Translate } from "../parts.js"
 */

/**
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
export function beside(state, actions, t) {
    return html`${hintButton(state, actions, t)} ${trickButton(state, actions, t)} ${speaking(actions, t)}`;
}

/**
 * The button that shows the last trick again.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function trickButton({ trick: codes }, actions, t) {
    if (!codes) return nothing;
    const title = t("lastTrick");
    return html`<button type="button" class="speak" aria-label=${title} title=${title} @click=${() => actions.set({ sheet: { name: "pile", title, codes } })}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 8l8-3 4.5 12-8 3zM15 4h5v13h-2" /></svg>
    </button>`;
}

/**
 * The button that asks for a hint, if the table has hints.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function hintButton({ table, hint }, actions, t) {
    if (!table?.hints || !table.moves.length) return nothing;
    return html`<button
        type="button"
        class="ask-hint"
        aria-busy=${hint === "asked" ? "true" : "false"}
        @click=${() => actions.hint()}
    >
        ${t(hint === "asked" ? "thinking" : "hint")}
    </button>`;
}
