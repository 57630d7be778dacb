/**
 * The effects of taps and drops: play a legal move, select cards, or ask the engine why it is not possible.
 *
 * @module
 */

import { completed, mayAdd, movesWith, withCards } from "../selection.js";

/** @import { Listed, Place } from "./shapes.js" */
/** @import { Selection } from "../types.js" */

/**
 * The effect of a tap; `ask`: the selection that the engine is to check, or null.
 * @typedef {{ kind: "play", move: Listed["move"] }
 *   | { kind: "ask", ask: Selection }
 *   | { kind: "select", places: Place[], ask: Selection | null }} Step
 */

/**
 * The legal moves that use exactly the cards at these places.
 * @param {readonly Listed[]} moves
 * @param {readonly Place[]} places
 * @returns {Listed[]}
 */
export function offersOf(moves, places) {
    return movesWith(moves, places).map((number) => ({
        ...moves[number],
        move: withCards(moves[number].move, places),
    }));
}

/**
 * Whether one tap on a card of the hand plays it: no legal move uses several cards or has several targets.
 * @param {readonly Listed[]} moves
 */
const playsAtOnce = (moves) => moves.every(({ cards, to }) => cards.length < 2 && to === null);

/**
 * @param {readonly Place[]} places
 * @param {string | null} to
 * @returns {Selection}
 */
export const selection = (places, to) => ({ cards: places.map(({ from, card }) => ({ from, card })), to });

/**
 * @param {readonly Listed[]} moves
 * @param {readonly Place[]} selected
 * @param {Place} tapped
 * @param {{ confirm: boolean, several: boolean, all: readonly Place[] }} how `confirm`: a single card needs a second tap;
 * `several`: the game has moves with several cards
 * @returns {Step}
 */
export function tapCard(moves, selected, tapped, { confirm, several, all }) {
    const alone = offersOf(moves, [tapped]);
    const atOnce = alone.length === 1 && (playsAtOnce(moves) || tapped.from !== "hand");
    if (selected.some((place) => place.id === tapped.id)) {
        if (confirm && atOnce && selected.length === 1) return { kind: "play", move: alone[0].move };
        return { kind: "select", places: selected.filter((place) => place.id !== tapped.id), ask: null };
    }
    if (atOnce && (selected.length === 0 || !several)) {
        return confirm ? { kind: "select", places: [tapped], ask: null } : { kind: "play", move: alone[0].move };
    }
    if (!several || (moves.length && playsAtOnce(moves))) {
        if (mayAdd(moves, [], tapped)) return { kind: "select", places: [tapped], ask: null };
        return { kind: "ask", ask: selection([tapped], null) };
    }
    const places = selected.length ? [...selected, tapped] : completed(moves, [tapped], all);
    // During other players' turns the viewer can prepare combinations.
    const refused = moves.length && !mayAdd(moves, places.slice(1), places[0]);
    return { kind: "select", places, ask: refused ? selection(places, null) : null };
}

/**
 * The effect of a tap on a pile with the selected places; if none of them can go there, the effect without them.
 * @param {readonly Listed[]} moves
 * @param {readonly Place[]} selected
 * @param {string} pile
 * @returns {Step}
 */
export function tapPile(moves, selected, pile) {
    const fitting = [...offersOf(moves, selected), ...offersOf(moves, [])].filter(({ to }) => to === pile);
    return fitting.length ? { kind: "play", move: fitting[0].move } : { kind: "ask", ask: selection(selected, pile) };
}
