/**
 * The offer of a game's lesson to people who do not know the game.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import { Context } from "../app.js" */
/** @import { GameDetails } from "../types.js" */

/**
 * Returns the offer if the game has a lesson and the person has neither played the game nor begun its lesson.
 *
 * @param {Context} context
 * @param {GameDetails} details
 * @param {string} [table] the id of a table that has not been played at yet
 */
export function firstTime({ settings, storage, t }, { game, lesson }, table) {
    const played = storage.opponents(game) ?? storage.seats().find((seat) => seat.game === game && seat.table !== table);
    if (!lesson || played || settings.taught?.includes(game)) return nothing;
    return html`<p>${t("first_time")} <a class="link" href="#/lesson/${game}">${t("learn")}</a></p>`;
}
