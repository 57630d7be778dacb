/**
 * Gatto Rosso Gatto Grigio at the playing table.
 *
 * @module
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { fan, openCard, pile } from "../../cards.js";
import { handPlaces, ownOr } from "../common.js";

/** @import { GameTable } from "../../table/shapes.js" */

/** @type {GameTable} */
export const table = {
    deck: "french",
    shownAtEnd: false,
    places: handPlaces,

    board(play) {
        const { view, me, names, label } = play;
        const cards = view.table.map((/** @type {string} */ code) => openCard(play, code, `trick-${code}`));
        return html`<div class="board gatto" role="group" aria-label=${play.t("board")}>
            ${pile(play, { title: label("stock"), count: view.stock_count, place: "stock" })}
            <div class="middle" data-place="trick">
                ${cards.length
                    ? fan(cards, { label: label("table"), kind: "trick" })
                    : html`<p class="void">${label("empty")}</p>`}
                <p class="by">${cards.length && view.last !== null ? names[view.last] : nothing}</p>
            </div>
            ${me === null
                ? nothing
                : pile(play, { title: label("captured"), count: view.captured[me], place: "captured" })}
        </div>`;
    },

    movements(event, me) {
        const { seat, card } = event;
        switch (event.type) {
            case "played":
                return [{ code: card, from: ownOr(seat, me, `hand-${card}`), to: [`trick-${card}`, "trick"] }];
            case "trick_taken":
                if (seat === null) return [];
                return event.cards.slice(-4).map((/** @type {string} */ code) => ({
                    code,
                    from: [`trick-${code}`, "trick"],
                    to: ownOr(seat, me, "captured"),
                }));
            case "refilled":
                return event.drawn.flatMap((/** @type {number} */ count, /** @type {number} */ to) =>
                    count ? [{ code: null, from: ["stock"], to: ownOr(to, me, "hand") }] : [],
                );
            default:
                return [];
        }
    },
};
