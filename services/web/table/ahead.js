/**
 * What a person does with their hand besides playing: choose the next move while others are on turn, arrange the cards, ask
 * why cards are no legal move.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { playing } from "./context.js";
import { hasWon } from "./over.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 * @import { Place } from "./shapes.js"
 * @import { Step } from "./taps.js"
 */

/**
 * Chooses a card for the next move, or cancels it.
 *
 * @param {Place} place
 * @param {TableSession} actions
 */
export function choose({ id }, actions) {
    const premove = !actions.state.selected.includes(id);
    actions.set({ notice: null, premove, selected: premove ? [id] : [] });
}

/**
 * The way back for who is away. For others, in the action bar: that the selected cards are played on the viewer's turn, or the
 * button that chooses them for it.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
export function chosen({ premove, selected, table, busy }, actions, t) {
    if (table?.seats[table.you ?? -1]?.away) {
        return html`<div class="bar">
            <p>${t("youAreAway")}</p>
            <button type="button" class="act main" ?disabled=${busy} @click=${() => actions.comeBack()}>${t("comeBack")}</button>
        </div>`;
    }
    if (!selected.length || table?.moves.length) return nothing;
    if (premove) return html`<p role="status">${t("premoveOn")}</p>`;
    return html`<button type="button" class="act main" @click=${() => actions.set({ premove: true })}>${t("premove")}</button>`;
}

/**
 * Keeps the last trick, and counts a match that has ended. Plays the chosen cards on the viewer's turn, or says that they are not a legal move.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
export function follow(context, actions) {
    const { premove, selected, table, drawing, trick } = actions.state;
    const taken = table?.events.find(({ type }) => type === "trick_taken")?.cards;
    if (taken && taken !== trick) actions.set({ trick: taken });
    if (table?.match.result && table.you !== null) count(context, table);
    if (!premove || !selected.length || !drawing || !table?.moves.length) return;
    const { offers } = playing(context, actions, drawing);
    actions.set({ premove: false });
    if (offers.length === 1) void actions.play(offers[0].move);
    else if (!offers.length) actions.set({ selected: [], notice: { kind: "advice", code: "premove", text: context.t("premoveOff") } });
}

/**
 * Counts a match, and whether the viewer has won it, in this browser; once, also if the table is opened again.
 *
 * @param {Context} context
 * @param {Table} table
 */
function count({ storage, settings, configure }, table) {
    const { id, game, match } = table;
    const seat = storage.seat(id);
    if (!seat || seat.counted === match.number) return;
    storage.saveSeat(id, { counted: match.number });
    const { matches = 0, wins = 0 } = settings.record?.[game] ?? {};
    void configure({ record: { ...settings.record, [game]: { matches: matches + 1, wins: wins + Number(hasWon(table)) } } });
}

/**
 * The cards of the hand in the viewer's own order; new ones come last.
 *
 * @param {readonly Place[]} held
 * @param {readonly string[]} [order]
 */
export function arranged(held, order = []) {
    const at = (/** @type {Place} */ { id }) => order.indexOf(id) + 1 || held.length + 1;
    return [...held].sort((one, other) => at(one) - at(other));
}

/**
 * Moves a card of the hand to another card's place.
 *
 * @param {Place} moved
 * @param {number} to its number in the hand
 * @param {TableSession} actions
 */
export function arrange({ id, from: origin }, to, actions) {
    const { table, drawing, order } = actions.state;
    if (!drawing || !table?.deal || origin !== "hand") return;
    const held = arranged(drawing.places(table.deal).filter(({ from }) => from === "hand"), order);
    const rest = held.map((place) => place.id).filter((other) => other !== id);
    actions.set({ order: [...rest.slice(0, to), id, ...rest.slice(to)] });
}

/**
 * Asks the engine why a selection is not a legal move. If it is a legal move that the engine does not list, plays it.
 *
 * @param {Exclude<Step, { kind: "play" }>} step
 * @param {TableSession} actions
 */
export async function ask(step, actions) {
    if (!step.ask) return;
    try {
        const verdict = await actions.check(step.ask);
        if (verdict.legal && step.kind === "ask" && verdict.meant) await actions.play(verdict.meant);
        else if (!verdict.legal) {
            actions.notify({ kind: "refusal", code: verdict.code ?? "", text: verdict.text ?? verdict.code ?? "" });
        }
    } catch (error) {
        const { code = "", text = "", title = "" } = /** @type {any} */ (error);
        actions.notify({ kind: "problem", code, text: text || title });
    }
}
