/**
 * The bar under the hand: the turn, the moves with the selected cards, the moves without cards.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { named } from "./context.js";
import { offersOf } from "./taps.js";

/**
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { GameDetails } from "../types.js"
 * @import { Translate } from "../parts.js"
 * @import { Offer, Play } from "./shapes.js"
 */

/** With more targets than this, the player taps them on the table instead of in the bar. */
const MOST_AIMED = 2;

/**
 * The line below the table: the turn, the reason of a refusal, or a hint with its reason.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Play} play
 */
export function statement(state, actions, { drawn, t }) {
    const { table, notice, hint } = state;
    if (!table) return nothing;
    return html`<div class="statement ${table.moves.length ? "mine" : ""}">
        <p class="turn">${drawn(table.words?.turn ?? "")}</p>
        ${notice
            ? html`<p class="word ${notice.kind === "advice" ? "advice" : "refused"}">
                  <span>${drawn(notice.text)}</span>
                  <button type="button" class="quiet" aria-label=${t("close")} @click=${() => actions.dismiss()}>×</button>
              </p>`
            : hint && hint !== "asked"
              ? html`<p class="word advice"><span><b>${drawn(titleOf(hint.move.type, hint.text ?? "", state.game))}.</b> ${drawn(hint.reason.text)}</span></p>`
              : nothing}
    </div>`;
}

/**
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Play & { offers: readonly Offer[] }} play
 * @param {unknown} chosen of the next move, or for who is away (ahead.js)
 * @param {Translate} t
 */
export function actionBar(state, actions, play, chosen, t) {
    const { table } = state;
    const seat = table?.seats[table.you ?? -1];
    if (!table || !seat || table.status !== "playing") return nothing;
    if (seat.away) return chosen;
    const free = named(offersOf(play.moves, []), state, play);
    const aimed = play.offers.filter(({ to }) => to !== null);
    const shown = aimed.length > MOST_AIMED ? play.offers.filter((offer) => !aimed.includes(offer)) : play.offers;
    const alone = !play.selected.length && play.moves.length === free.length;
    return html`<div class="bar" role="group" aria-label=${t("actions")}>
        ${shown.map((offer, number) => button(offer, play, actions, state, number === 0))}
        ${aimed.length > MOST_AIMED ? html`<p>${t("chooseWhere")}</p>` : nothing}
        ${free.map((offer) => button(offer, play, actions, state, alone))}
        ${chosen}
        ${play.selected.length
            ? html`<button type="button" class="act" @click=${() => clear(actions)}>${t("clear")}</button>`
            : nothing}
    </div>`;
}

/** @param {TableSession} actions */
function clear(actions) {
    actions.set({ notice: null, premove: false, selected: [] });
}

/**
 * The label of a move as a request: "Play 7♥".
 *
 * @param {string} type of the move
 * @param {string} label
 * @param {GameDetails | null} game
 */
export function titleOf(type, label, game) {
    return type === "play" ? `${game?.words?.labels.play ?? ""} ${label}` : label;
}

/**
 * @param {Offer} offer
 * @param {Play} play
 * @param {TableSession} actions
 * @param {SessionState} state
 * @param {boolean} main
 */
function button({ move, label }, play, actions, { busy, game }, main) {
    return html`<button
        type="button"
        class="act ${main ? "main" : ""}"
        ?disabled=${busy}
        @click=${() => actions.play(move)}
    >
        <span>${play.drawn(titleOf(move.type, label, game))}</span>
    </button>`;
}
