/**
 * The form for adding an own player, a server that chooses a seat's moves, to the host's waiting table. Loaded if the
 * engine allows own players.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { computerName } from "../opening.js";
import { addOwnPlayer } from "../seating.js";

/** @import { Context } from "../app.js" */
/** @import { TableSession } from "../session.js" */
/** @import { Table } from "../types.js" */

/**
 * @param {Context} context
 * @param {TableSession} session
 * @param {Table} table
 */
export function ownPlayerForm({ t }, session, table) {
    const bring = async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        const typed = new FormData(form);
        const [player, url, secret] = ["player", "url", "secret"].map((name) => String(typed.get(name) ?? "").trim());
        const who = { name: computerName(table.seats), level: `@${player}`, server: { url, secret: secret || null } };
        if (await addOwnPlayer(session, who)) form.reset();
    };
    return html`
        <details class="more">
            <summary><span>${t("own_player")}</span></summary>
            <p class="dim">${t("own_player.hint")}</p>
            <form @submit=${bring}>
                <label class="field">
                    <span class="label">${t("own_player.name")}</span>
                    <input name="player" required autocomplete="off" autocapitalize="none" spellcheck="false" />
                </label>
                <label class="field">
                    <span class="label">${t("own_player.url")}</span>
                    <input name="url" type="url" required autocomplete="off" placeholder="https://" />
                </label>
                <label class="field">
                    <span class="label">${t("own_player.secret")}</span>
                    <input name="secret" type="password" autocomplete="off" placeholder="whsec_…" />
                </label>
                <button class="button quiet" ?disabled=${session.state.busy}>${t("own_player.seat")}</button>
            </form>
        </details>
    `;
}
