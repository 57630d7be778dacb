/**
 * Buttons beside the person's own seat: a hint, a remark.
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
    return html`${hintButton(state, actions, t)} ${speaking(actions, t)}`;
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
