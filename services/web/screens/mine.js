/**
 * The person's own tables, and the state of each.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { isPast, isYours, look, state } from "./standing.js";
import { gameName, standing } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SavedSeat } from "../storage.js" */
/** @import { Results } from "./standing.js" */
/** @import { GameInfo } from "../types.js" */

/**
 * @param {Context} context
 * @returns {Promise<Screen>}
 */
export async function open(context) {
    await context.need("lost");
    const { client, storage, t } = context;
    /** @type {Results} */
    const results = new Map();
    /** @type {GameInfo[]} */
    let games = [];
    const load = async () => {
        games = await client.games().catch(() => []);
        await look(context, storage.seats(), results);
    };
    const forget = (/** @type {string} */ table) => {
        storage.forgetSeat(table);
        context.changed();
    };
    void load();
    return { title: () => t("mine"), view: () => view(context, games, results, forget) };
}

/**
 * @param {Context} context
 * @param {GameInfo[]} games
 * @param {Results} results
 * @param {(table: string) => void} forget
 */
function view(context, games, results, forget) {
    const { t, storage } = context;
    const seats = storage.seats();
    return html`
        <section class="panel narrow">
            <h1>${t("mine")}</h1>
            ${seats.length ? html`<p class="dim">${t("mine.hint")}</p>` : html`<p>${t("mine_none")}</p>`}
            <ul class="rows">
                ${seats.map((seat) => html`<li class="row">${row(context, games, seat, results.get(seat.table), forget)}</li>`)}
            </ul>
            ${record(context, games)}
            <p class="actions"><a class="button quiet" href="#/">${t("to_lobby")}</a></p>
        </section>
    `;
}

/**
 * The person's matches and wins, by game.
 *
 * @param {Context} context
 * @param {GameInfo[]} games
 */
function record({ t, language, settings }, games) {
    const known = games.flatMap((game) => {
        const counted = settings.record?.[game.game];
        return counted ? html`<li>${gameName(game, language)}: ${t("record", { n: counted.matches, wins: counted.wins })}</li>` : [];
    });
    return known.length ? html`<h2>${t("record_title")}</h2><ul class="record">${known}</ul>` : nothing;
}

/**
 * @param {Context} context
 * @param {GameInfo[]} games
 * @param {SavedSeat} seat
 * @param {ReturnType<Results["get"]>} table
 * @param {(table: string) => void} forget
 */
function row({ t, language }, games, seat, table, forget) {
    const game = games.find((entry) => entry.game === seat.game);
    const name = game ? gameName(game, language) : seat.game;
    const ended = isPast(table);
    return html`
        <a class="row-link" href="#/table/${seat.table}">
            <strong>${name}</strong>
            <span class=${isYours(table) ? "tag" : "dim"}>${state(t, table)}</span>
            <span class="dim name">${standing(t, language, seat)}</span>
        </a>
        ${ended
            ? html`<button class="icon-button" aria-label=${t("forget_table", { game: name })} @click=${() => forget(seat.table)}>✕</button>`
            : nothing}
    `;
}
