/**
 * Makes moves from taps: the game says which choices a move takes, the engine's list which moves are legal.
 *
 * @module
 */

/** @import { GameTable, Move, Place, View } from "./shapes.js" */

/**
 * Whether the first list has every entry of the second, as often.
 * @param {readonly string[]} whole
 * @param {readonly string[]} part
 */
export function includes(whole, part) {
    const rest = [...whole];
    return part.every((choice) => {
        const at = rest.indexOf(choice);
        if (at >= 0) rest.splice(at, 1);
        return at >= 0;
    });
}

/** @param {readonly Place[]} places */
const choicesOf = (places) => places.map((place) => place.choice);

/**
 * The legal moves that take exactly these places, spelt with their cards.
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {readonly Place[]} places
 * @returns {{ move: Move, number: number }[]} with the number of each in the list of moves
 */
export function offersOf(game, moves, places) {
    const choices = choicesOf(places);
    return moves.flatMap((move, number) => {
        const takes = game.takes(move);
        const same = takes.length === choices.length && includes(takes, choices);
        return same ? [{ move: game.spell(move, places), number }] : [];
    });
}

/**
 * Whether some legal move takes these places, and perhaps others too.
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {readonly Place[]} places
 */
export function leadsSomewhere(game, moves, places) {
    const choices = choicesOf(places);
    return moves.some((move) => includes(game.takes(move), choices));
}

/**
 * What a tap on a card does.
 * @typedef {{ kind: "play", move: Move }
 *   | { kind: "ask", move: Move | null }
 *   | { kind: "select", places: Place[], ask: Move | null }} Step
 */

/**
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {readonly Place[]} selected
 * @param {Place} tapped
 * @param {{ confirm: boolean, all: readonly Place[], view: View }} how `confirm`: a second tap plays a single card
 * @returns {Step}
 */
export function tapCard(game, moves, selected, tapped, { confirm, all, view }) {
    const alone = offersOf(game, moves, [tapped]);
    const atOnce = alone.length === 1 && (game.playsAtOnce(moves) || !tapped.held);
    if (selected.some((place) => place.id === tapped.id)) {
        if (confirm && atOnce && selected.length === 1) return { kind: "play", move: alone[0].move };
        return { kind: "select", places: selected.filter((place) => place.id !== tapped.id), ask: null };
    }
    if (atOnce && (selected.length === 0 || !game.several)) {
        return confirm ? { kind: "select", places: [tapped], ask: null } : { kind: "play", move: alone[0].move };
    }
    if (!moves.length) return waiting(game, selected, tapped, view);
    if (!game.several || game.playsAtOnce(moves)) {
        if (leadsSomewhere(game, moves, [tapped])) return { kind: "select", places: [tapped], ask: null };
        return { kind: "ask", move: game.guess([tapped], null, view) };
    }
    const places = completed(game, moves, [...selected, tapped], all);
    const ask = leadsSomewhere(game, moves, places) ? null : game.guess(places, null, view);
    return { kind: "select", places, ask };
}

/**
 * While others are on turn: combinations can be prepared, a single card is refused with the reason.
 * @param {GameTable} game
 * @param {readonly Place[]} selected
 * @param {Place} tapped
 * @param {View} view
 * @returns {Step}
 */
function waiting(game, selected, tapped, view) {
    if (!game.several) return { kind: "ask", move: game.guess([tapped], null, view) };
    return { kind: "select", places: [...selected, tapped], ask: null };
}

/**
 * If only one legal move takes the first selected card, the other cards of that move are selected too.
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {Place[]} places
 * @param {readonly Place[]} all
 */
function completed(game, moves, places, all) {
    if (places.length !== 1) return places;
    const taking = moves.filter((move) => includes(game.takes(move), choicesOf(places)));
    if (taking.length !== 1) return places;
    const missing = [...game.takes(taking[0])];
    missing.splice(missing.indexOf(places[0].choice), 1);
    const rest = all.filter((place) => place.id !== places[0].id);
    for (const choice of missing) {
        const found = rest.findIndex((place) => place.choice === choice);
        if (found < 0) return places;
        places = [...places, ...rest.splice(found, 1)];
    }
    return places;
}

/**
 * What a tap on a target (a pile, a combination on the table) does with the selected places.
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {readonly Place[]} selected
 * @param {string} target
 * @param {View} view
 * @returns {Step} `ask` with null if a tap there has no meaning
 */
export function tapTarget(game, moves, selected, target, view) {
    const fitting = offersOf(game, moves, selected).filter((offer) => game.target(offer.move) === target);
    if (fitting.length === 1) return { kind: "play", move: fitting[0].move };
    return { kind: "ask", move: game.guess(selected, target, view) };
}

/**
 * What dropping cards on a target does, or on the table where it is null.
 * @param {GameTable} game
 * @param {readonly Move[]} moves
 * @param {readonly Place[]} places
 * @param {string | null} target
 * @param {View} view
 * @returns {Step | null} null if the cards can go to another target only
 */
export function dropCards(game, moves, places, target, view) {
    const offers = offersOf(game, moves, places);
    const fitting = offers.filter((offer) => game.target(offer.move) === target);
    if (fitting.length === 1) return { kind: "play", move: fitting[0].move };
    if (fitting.length) return { kind: "select", places: [...places], ask: null };
    return target === null && offers.length ? null : { kind: "ask", move: game.guess(places, target, view) };
}
