/**
 * The end of a match: the places, and what can be done next.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { leaderboardButton } from "./group.js";

/**
 * @import { Context } from "../app.js"
 * @import { DealEnd, TableSession } from "../session.js"
 */

const MEDALS = ["🥇", "🥈", "🥉"];
/** A line of the result: a medal or a number, the name, the points. */
const PLACE = /^(\S+) (.*) · (.*)$/s;
/** Of paper, over the winner's panel. */
const PIECES = 18;

/**
 * Why a deal ended, and the places.
 *
 * @param {readonly string[]} lines the engine's: a medal or a number, the name, the points
 * @param {DealEnd | null} ended
 */
export function resultOf(lines, ended) {
    return html`${ended?.ending ? html`<p class="ending">${ended.ending}</p>` : nothing}
        <ol class="places">
            ${lines.map(place)}
        </ol>`;
}

/** @param {string} line */
function place(line) {
    const [, mark, name, points] = PLACE.exec(line) ?? ["", "", line, ""];
    const medal = MEDALS.indexOf(mark) + 1;
    return html`<li class="place${medal}"><b>${medal || mark.replace(".", "")}</b> <span>${name}</span> ${points}</li>`;
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function matchOver(context, actions) {
    const { t } = context;
    const { table, ended, busy } = actions.state;
    if (!table) return nothing;
    const [winner = "", ...places] = table.words?.result ?? [];
    const own = table.seats[table.you ?? -1]?.name;
    const won = own !== undefined && PLACE.exec(places[0] ?? "")?.[2] === own;
    const host = table.you !== null && table.you === table.host;
    const link = `#/table/${table.id}/review`;
    return html`<section class="over ${won ? "won" : ""}" aria-label=${t("matchOver")}>
        ${won ? html`<span class="confetti" aria-hidden="true">${Array.from({ length: PIECES }, () => html`<i></i>`)}</span>` : nothing}
        <h2>${won ? t("youWin") : winner || t("matchOver")}</h2>
        ${resultOf(places, ended)}
        <div class="bar" role="group" aria-label=${t("actions")}>
            ${host
                ? html`<button type="button" class="act main" ?disabled=${busy} @click=${() => actions.start()}>
                      ${t("rematch")}
                  </button>`
                : table.you === null
                  ? nothing
                  : html`<p>${t("rematchByHost")}</p>`}
            ${table.match.deal ? html`<a class="act" href=${link}>${t("lookBack")}</a>` : nothing}
            ${leaderboardButton(context, actions)}
            <a class="act" href="#/">${t("toLobby")}</a>
        </div>
    </section>`;
}
