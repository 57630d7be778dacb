/**
 * Remarks at a table, while they are visible.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import { SessionState } from "../state.js" */
/** @import { Seat } from "../types.js" */

/**
 * A person's current remark, to be shown beside them.
 *
 * @param {SessionState} state
 * @param {Pick<Seat, "seat">} seat
 */
export function remark({ said }, { seat }) {
    const last = said.filter((line) => line.seat === seat).at(-1);
    return last ? html`<span class="did said ${last.sign ? "sign" : ""}" aria-hidden="true">${last.sign || last.text}</span>` : nothing;
}
