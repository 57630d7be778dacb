/**
 * Ramino at the playing table.
 *
 * @module
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { fan, heap, openCard, spreadButton, targetButton } from "../../cards.js";
import { handPlaces, ownOr } from "../common.js";

/** @import { GameTable, Play } from "../../table/shapes.js" */

/** @type {GameTable} */
export const table = {
    deck: "cuccu",
    shownAtEnd: true,
    places: handPlaces,
    // Few fonts have the signs of this deck, so they are removed; the cards are shown anyway.
    drawn: (text, details) =>
        Object.values(details?.words?.cards ?? {}).reduce((said, { short }) => said.replaceAll(short, short.replace(/^\S+ /, "")), text),

    board(play) {
        const { view, label } = play;
        if (view.hands) return shownHands(play);
        return html`<div class="board ramino" role="group" aria-label=${play.t("board")}>
            <div class="piles">
                ${pile(play, "stock", view.stock_count, null)}
                <div class="discards">${discards(play)}${spreadButton(play, label("discards"), view.discards)}</div>
            </div>
            <div class="melds" data-place="melds">
                ${view.melds.length
                    ? view.melds.map((/** @type {string[]} */ cards, /** @type {number} */ number) =>
                          meld(play, cards, number),
                      )
                    : html`<p class="void">${label("no_melds")}</p>`}
            </div>
        </div>`;
    },

    movements(event, me) {
        const { seat, card } = event;
        const mine = ownOr(seat, me, `hand-${card}`);
        switch (event.type) {
            case "drew":
                return [{ code: card ?? null, from: [event.from], to: mine }];
            case "melded":
                return event.cards.map((/** @type {string} */ code) => ({
                    code,
                    from: ownOr(seat, me, `hand-${code}`),
                    to: [`meld-${code}`, "discards"],
                }));
            case "attached":
                return event.cards.map((/** @type {string} */ code) => ({
                    code,
                    from: code === card ? mine : [`meld-${code}`, "melds"],
                    to: ["discards"],
                }));
            case "discarded":
                return [{ code: card, from: mine, to: ["discards"] }];
            default:
                return [];
        }
    },
};

/** @param {Play} play */
function discards(play) {
    const { view, label } = play;
    const top = view.discards.at(-1) ?? null;
    return pile(play, "discards", view.discards.length, top, top === null ? `: ${label("no_discards")}` : `, ${play.cardName(top)}`);
}

/**
 * @param {Play} play
 * @param {string} name
 * @param {number} count
 * @param {string | null} top the visible card
 * @param {string} [more] a further line about the pile
 */
function pile(play, name, count, top, more = "") {
    const called = play.label(name);
    return targetButton(play, name, {
        label: `${called} ${count}${more}`,
        kind: "pile",
        content: html`${heap(play, count, top)}<span class="caption">${called} <b>${count}</b></span>`,
    });
}

/**
 * @param {Play} play
 * @param {string[]} cards
 * @param {number} number
 */
function meld(play, cards, number) {
    return targetButton(play, `meld-${number}`, {
        label: `${play.label("melds")} ${number + 1}: ${cards.map(play.cardName).join(", ")}`,
        kind: "meld",
        content: html`<span class="overlap">
            ${cards.map((code) => html`<span class="slot">${openCard(play, code, `meld-${code}`)}</span>`)}
        </span>`,
    });
}

/**
 * The cards left in all hands after a deal.
 *
 * @param {Play} play
 */
function shownHands(play) {
    const { view, names } = play;
    return html`<div class="board ramino hands" role="group" aria-label=${play.t("board")}>
        ${view.hands.map((/** @type {string[]} */ cards, /** @type {number} */ seat) =>
            cards.length
                ? html`<div class="left">
                      <p class="title">${names[seat]}</p>
                      ${fan(
                          cards.map((code) => openCard(play, code)),
                          { label: names[seat], kind: "small" },
                      )}
                  </div>`
                : nothing,
        )}
    </div>`;
}
