/**
 * Finds the move for selected cards, and the cards that may still be added, in any game. The engine names the cards of
 * each legal move and their target. `locanda/texts/selection.py` does the same and is tested with the same cases.
 *
 * @module
 */

/** @import { MoveCards, SelectedCard, TakenCard } from "./types.js" */

/**
 * @param {TakenCard} taken
 * @param {SelectedCard} card
 */
const is = (taken, card) =>
    taken.from === card.from && (taken.card === card.card || Boolean(taken.equals?.includes(card.card)));

/**
 * The cards of a move other than the selected ones; null if the move does not use all selected cards.
 *
 * @param {MoveCards} move
 * @param {readonly SelectedCard[]} selected
 */
function left({ cards }, selected) {
    const rest = [...cards];
    for (const card of selected) {
        const index = rest.findIndex((taken) => is(taken, card));
        if (index < 0) return null;
        rest.splice(index, 1);
    }
    return rest;
}

/**
 * The indexes of the moves that use exactly these cards.
 *
 * @param {readonly MoveCards[]} moves
 * @param {readonly SelectedCard[]} selected
 */
export function movesWith(moves, selected) {
    return moves.flatMap((move, number) =>
        move.cards.length === selected.length && left(move, selected) ? [number] : [],
    );
}

/**
 * Whether some move uses the selected cards and this one, and perhaps others too.
 *
 * @param {readonly MoveCards[]} moves
 * @param {readonly SelectedCard[]} selected
 * @param {SelectedCard} card
 */
export function mayAdd(moves, selected, card) {
    return moves.some((move) => left(move, [...selected, card]));
}

/**
 * The selection, completed if exactly one move contains it.
 *
 * @template {SelectedCard} C
 * @param {readonly MoveCards[]} moves
 * @param {readonly C[]} selected
 * @param {readonly C[]} cards all that can be selected
 * @returns {C[]}
 */
export function completed(moves, selected, cards) {
    const rests = moves.map((move) => left(move, selected)).filter((rest) => rest !== null);
    const places = [...selected];
    if (!selected.length || rests.length !== 1) return places;
    for (const taken of rests[0]) {
        const card = cards.find((place) => !places.includes(place) && is(taken, place));
        if (card) places.push(card);
    }
    return places;
}

/**
 * A legal move with the selected card instead of the equal one that the engine lists.
 *
 * @template {Record<string, any>} M
 * @param {M} move
 * @param {readonly SelectedCard[]} selected
 * @returns {M}
 */
export function withCards(move, [card]) {
    return "card" in move && card ? { ...move, card: card.card } : move;
}
