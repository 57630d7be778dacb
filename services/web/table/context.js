/**
 * Makes the `Play` that a game's templates render, from a session's state.
 *
 * @module
 */

import { mayAdd } from "../selection.js";
import { offersOf, tapCard, tapPile } from "./taps.js";

/**
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { Context } from "../app.js"
 * @import { Translate } from "../parts.js"
 * @import { GameDetails, JsonObject, Table } from "../types.js"
 * @import { GameTable, Listed, Move, Offer, Place, Play, View } from "./shapes.js"
 * @import { Step } from "./taps.js"
 */

/**
 * The table for watching only: for spectators, and for people who step through a finished deal.
 *
 * @param {GameTable} game
 * @param {GameDetails | null} details
 * @param {View} view
 * @param {readonly string[]} names
 * @param {Translate} t
 * @returns {Play}
 */
export function watching(game, details, view, names, t) {
    const { cards = {}, labels = {} } = details?.words ?? {};
    const label = (/** @type {string} */ key) => labels[key] ?? key;
    return {
        view,
        me: view.seat ?? null,
        names,
        deck: game.deck,
        piles: {},
        live: false,
        label,
        cardName: (code) => (code === null ? label("back") : (cards[code]?.name ?? code)),
        short: (code) => cards[code]?.short ?? code,
        t,
        drawn: (text) => game.drawn?.(text, details, names) ?? text,
        stateOf: () => ({}),
        tap: () => {},
        drag: () => {},
        targetOf: () => ({}),
        tapTarget: () => {},
        moves: [],
        selected: [],
        spread: () => {},
    };
}

/**
 * The table of a session, with its actions.
 *
 * @param {Context} context
 * @param {TableSession} actions with a table and a deal
 * @param {GameTable} game
 * @returns {Play & { offers: readonly Offer[] }}
 */
export function playing({ settings, load, t }, actions, game) {
    const { state } = actions;
    const table = /** @type {NonNullable<SessionState["table"]>} */ (state.table);
    const view = /** @type {View} */ (table.deal);
    const names = table.seats.map((seat) => seat.name);
    const base = watching(game, state.game, view, names, t);
    const moves = listedMoves(table);
    const several = state.game?.several ?? false;
    const all = game.places(view, moves);
    const selected = state.selected.flatMap((id) => all.filter((place) => place.id === id));
    const hinted = hintedMove(moves, state);
    const offers = selected.length ? named(offersOf(moves, selected), state, base) : [];
    const open = new Set((selected.length ? offers : offersOf(moves, [])).map(({ to }) => to));
    const hints = hinted ? hintedPlaces(hinted, all) : [];
    const sent = sentPlaces(state.sending, all);
    const arrange = (/** @type {Place} */ place, /** @type {number} */ to) => void load("sheets").then((sheets) => sheets.arrange(place, to, actions));

    return {
        ...base,
        piles: table.words?.piles ?? {},
        live: table.you !== null,
        selected,
        offers,
        moves,
        stateOf: (place) => ({
            selected: selected.some(({ id }) => id === place.id),
            playable:
                !sent.includes(place.id) &&
                mayAdd(moves, several ? selected.filter(({ id }) => id !== place.id) : [], place),
            hinted: hints.includes(place.id),
            sending: sent.includes(place.id),
        }),
        tap(place) {
            if (!moves.length && !several) load("sheets").then(({ choose }) => choose(place, actions));
            else void act(tapCard(moves, selected, place, { confirm: settings.confirm, several, all }), actions, state, load);
        },
        arrange,
        drag(place, down) {
            const card = /** @type {HTMLElement} */ (down.currentTarget);
            if (down.button || !down.isPrimary) return;
            const places = selected.some(({ id }) => id === place.id) ? selected : [place];
            // Loaded at the first press. If it arrives too late, the press stays a tap.
            load("drag").then(({ drag }) => drag(card, down, { moves, places, place, arrange, act: (step) => act(step, actions, state, load) }), console.error);
        },
        targetOf: (target) => ({
            open: open.has(target),
            hinted: hinted?.to === target,
        }),
        tapTarget: (target) => act(tapPile(moves, selected, target), actions, state, load),
        make: (move) => act({ kind: "play", move }, actions, state, load),
        spread: (pile) => actions.set({ sheet: { name: "pile", ...pile } }),
    };
}

/**
 * The legal moves, each with its cards and its label.
 *
 * @param {Table} table
 * @returns {Listed[]}
 */
function listedMoves({ moves, words }) {
    return moves.map((move, number) => ({
        move: /** @type {Move} */ (move),
        number,
        cards: words?.takes?.[number]?.cards ?? [],
        to: words?.takes?.[number]?.to ?? null,
    }));
}

/**
 * The listed move that a hint suggests.
 *
 * @param {readonly Listed[]} moves
 * @param {SessionState} state
 */
function hintedMove(moves, { hint }) {
    const wanted = hint && hint !== "asked" ? JSON.stringify(hint.move) : undefined;
    return moves.find(({ move }) => JSON.stringify(move) === wanted);
}

/**
 * Moves with the engine's labels. The tapped card replaces the equal one that the engine lists.
 *
 * @param {readonly Listed[]} offers
 * @param {SessionState} state
 * @param {Play} play
 * @returns {Offer[]}
 */
export function named(offers, state, play) {
    const { words, moves = [] } = state.table ?? {};
    return offers.map((offer) => {
        const { move, number } = offer;
        const text = words?.moves[number] ?? move.type;
        const listed = moves[number].card;
        const label = listed && listed !== move.card ? text.replace(play.short(listed), play.short(move.card)) : text;
        return { ...offer, label };
    });
}

/**
 * The places of the cards of a hint.
 *
 * @param {Listed} move
 * @param {readonly Place[]} all
 */
function hintedPlaces({ cards }, all) {
    const rest = [...all];
    return cards.flatMap(({ from, card }) => {
        const index = rest.findIndex((place) => place.from === from && place.card === card);
        return index < 0 ? [] : rest.splice(index, 1).map((place) => place.id);
    });
}

/**
 * The places of the cards of a move that is under way.
 *
 * @param {JsonObject | null} move
 * @param {readonly Place[]} all
 */
function sentPlaces(move, all) {
    /** @type {string[]} */
    const cards = move?.card ? [move.card] : (move?.cards ?? []);
    return cards.flatMap((card) => all.find((place) => place.card === card)?.id ?? []);
}

/**
 * @param {Step} step
 * @param {TableSession} actions
 * @param {SessionState} state
 * @param {Context["load"]} load
 * @returns {Promise<void>} resolves when it is done
 */
async function act(step, actions, state, load) {
    if (state.busy) return;
    if (step.kind === "play") {
        await actions.play(step.move);
        return;
    }
    if (step.kind === "select") {
        actions.set({ notice: null, premove: false, selected: step.places.map((place) => place.id) });
    }
    if (step.ask) await (await load("sheets").catch(() => null))?.ask(step, actions);
}
