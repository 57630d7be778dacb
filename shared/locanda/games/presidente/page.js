/**
 * Presidente at the playing table.
 *
 * @module
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { fan, openCard, spreadButton } from "../../cards.js";
import { handPlaces, ownOr } from "../common.js";

/** @import { GameTable, Play } from "../../table/shapes.js" */

/** More leftover cards than this are shown only on a large table; elsewhere a button shows them. */
const MOST_LAID = 8;

/** @type {GameTable} */
export const table = {
    deck: "french",
    shownAtEnd: false,
    places: handPlaces,

    board(play) {
        const { view, label } = play;
        const many = view.shown.length > MOST_LAID;
        return html`<div class="board presidente" role="group" aria-label=${play.t("board")}>
            <div class="middle ${view.inverted ? "inverted" : ""}" data-place="table">${combination(play)}</div>
            <div class="margins">
                ${view.shown.length
                    ? html`<div class="leftovers" role="group" aria-label=${label("leftovers")}>
                          <p class="title">${label("leftovers")} ${many ? html`<b>${view.shown.length}</b>` : nothing}</p>
                          ${fan(
                              view.shown.map((/** @type {string} */ code) => openCard(play, code)),
                              { kind: "small" },
                          )}
                          ${many ? spreadButton(play, label("leftovers"), view.shown) : nothing}
                      </div>`
                    : nothing}
                ${view.gone.length
                    ? html`<div class="gone">
                          <p class="title">${label("gone")} <b>${view.gone.length}</b></p>
                          ${spreadButton(play, label("gone"), view.gone)}
                      </div>`
                    : nothing}
            </div>
        </div>`;
    },

    movements(event, me) {
        switch (event.type) {
            case "played":
                return event.cards.map((/** @type {string} */ code) => ({
                    code,
                    from: ownOr(event.seat, me, `hand-${code}`),
                    to: [`table-${code}`, "table"],
                }));
            case "taxed":
                return [
                    { code: null, from: ownOr(event.seat, me), to: ownOr(event.partner, me) },
                    { code: null, from: ownOr(event.partner, me), to: ownOr(event.seat, me) },
                ];
            default:
                return [];
        }
    },
};

/** @param {Play} play */
function combination(play) {
    const { view, names, label } = play;
    if (!view.table) return html`<p class="void">${label("empty")}</p>`;
    const { cards, joker } = view.table;
    const stands = joker ? `${play.cardName("*")} ${label("stands_for")} ${play.cardName(joker)}` : "";
    return html`${fan(
            cards.map((/** @type {string} */ code) => openCard(play, code, `table-${code}`)),
            { label: label("table"), kind: "combination" },
        )}
        <p class="by">
            ${view.last === null ? nothing : names[view.last]}
            ${stands ? html`<small>${stands}</small>` : nothing}
        </p>`;
}
