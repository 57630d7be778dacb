/**
 * Makes the `Play` that a game's templates render, from a session's state.
 *
 * @module
 */

import { dropCards, leadsSomewhere, offersOf, tapCard, tapTarget } from "./selection.js";

/**
 * @import { SessionState, TableSession } from "../session.js"
 * @import { Settings } from "../storage.js"
 * @import { Translate } from "../parts.js"
 * @import { GameDetails } from "../types.js"
 * @import { GameTable, Move, Place, Play, View } from "./shapes.js"
 * @import { Step } from "./selection.js"
 */

/**
 * The table of whoever only watches: a spectator, or somebody who steps through a deal that is over.
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
        live: false,
        label,
        cardName: (code) => (code === null ? label("back") : (cards[code]?.name ?? code)),
        short: (code) => cards[code]?.short ?? code,
        t,
        stateOf: () => ({ playable: false, selected: false, hinted: false }),
        tap: () => {},
        drag: () => {},
        targetOf: () => ({ open: false, hinted: false }),
        tapTarget: () => {},
        selected: [],
        spread: () => {},
    };
}

/**
 * The table of a session, with its actions.
 *
 * @param {SessionState} state with a table and a deal
 * @param {TableSession} actions
 * @param {GameTable} game
 * @param {Settings} settings
 * @param {Translate} t
 * @returns {Play & { offers: Offer[], moves: Move[] }}
 */
export function playing(state, actions, game, settings, t) {
    const table = /** @type {NonNullable<SessionState["table"]>} */ (state.table);
    const view = /** @type {View} */ (table.deal);
    const names = table.seats.map((seat) => seat.name);
    const base = watching(game, state.game, view, names, t);
    const moves = /** @type {Move[]} */ (table.moves);
    const all = game.places(view);
    const wanted = /** @type {string[]} */ (state.ui.selected ?? []);
    const selected = wanted.flatMap((id) => all.filter((place) => place.id === id));
    const hinted = /** @type {Move | undefined} */ (state.hint?.move);
    const offers = selected.length ? named(offersOf(game, moves, selected), state, base) : [];
    const open = new Set(
        selected.length
            ? offers.map((offer) => game.target(offer.move))
            : moves.filter((move) => !game.takes(move).length).map(game.target),
    );
    const hints = hinted ? hintedPlaces(game, hinted, all) : [];

    return {
        ...base,
        live: table.you !== null,
        selected,
        offers,
        moves,
        stateOf: (place) => ({
            selected: selected.some((each) => each.id === place.id),
            playable: leadsSomewhere(game, moves, game.several ? extended(selected, place) : [place]),
            hinted: hints.includes(place.id),
        }),
        tap: (place) =>
            act(tapCard(game, moves, selected, place, { confirm: settings.confirm, all, view }), actions, state),
        drag(place, down) {
            const card = /** @type {HTMLElement} */ (down.currentTarget);
            if (!moves.length || down.button || !down.isPrimary) return;
            const places = selected.some(({ id }) => id === place.id) ? selected : [place];
            const targets = offersOf(game, moves, places).map(({ move }) => game.target(move));
            const drop = (/** @type {string | null} */ target) => {
                const step = dropCards(game, moves, places, target, view);
                return step && act(step, actions, state);
            };
            // Loaded at the first press: if it comes too late, the press stays a tap.
            import("./drag.js").then(({ drag }) => drag(card, down, targets, drop), console.error);
        },
        targetOf: (target) => ({
            open: open.has(target),
            hinted: hinted !== undefined && game.target(hinted) === target,
        }),
        tapTarget: (target) => act(tapTarget(game, moves, selected, target, view), actions, state),
        spread: (pile) => actions.setUi({ spread: pile }),
    };
}

/** @typedef {{ move: Move, label: string }} Offer */

/**
 * Moves with the engine's labels, in which the tapped card replaces the equal one that the engine lists.
 *
 * @param {{ move: Move, number: number }[]} offers
 * @param {SessionState} state
 * @param {Play} play
 * @returns {Offer[]}
 */
export function named(offers, state, play) {
    const { words, moves = [] } = state.table ?? {};
    return offers.map(({ move, number }) => {
        const text = words?.moves[number] ?? move.type;
        const listed = moves[number].card;
        const label = listed && listed !== move.card ? text.replace(play.short(listed), play.short(move.card)) : text;
        return { move, label };
    });
}

/**
 * @param {readonly Place[]} selected
 * @param {Place} place
 */
function extended(selected, place) {
    return selected.some((each) => each.id === place.id) ? selected : [...selected, place];
}

/**
 * The places of the cards of a hint.
 *
 * @param {GameTable} game
 * @param {Move} move
 * @param {readonly Place[]} all
 */
function hintedPlaces(game, move, all) {
    const rest = [...all];
    return game.takes(move).flatMap((choice) => {
        const found = rest.findIndex((place) => place.choice === choice);
        return found < 0 ? [] : rest.splice(found, 1).map((place) => place.id);
    });
}

/**
 * @param {Step} step
 * @param {TableSession} actions
 * @param {SessionState} state
 * @returns {Promise<void>} once it is done
 */
async function act(step, actions, state) {
    if (state.busy) return;
    if (step.kind === "play") {
        await actions.play(step.move);
        return;
    }
    if (step.kind === "select") {
        actions.dismiss();
        actions.setUi({ selected: step.places.map((place) => place.id) });
    }
    await ask(step, actions);
}

/**
 * Asks the engine why a selection is not a legal move. If it is equal to one that the engine does not list, it is played.
 *
 * @param {Exclude<Step, { kind: "play" }>} step
 * @param {TableSession} actions
 */
async function ask(step, actions) {
    const move = step.kind === "select" ? step.ask : step.move;
    if (!move) return;
    try {
        const verdict = await actions.check(move);
        if (verdict.legal && step.kind === "ask") await actions.play(move);
        else if (!verdict.legal) {
            actions.notify({ kind: "refusal", code: verdict.code ?? "", text: verdict.text ?? verdict.code ?? "" });
        }
    } catch (error) {
        const { code = "", text = "", title = "" } = /** @type {any} */ (error);
        actions.notify({ kind: "problem", code, text: text || title });
    }
}
