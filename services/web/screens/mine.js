/**
 * The person's own tables, and the state of each.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { problemTitle } from "./frame.js";
import { gameName, standing } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SavedSeat } from "../storage.js" */
/** @import { GameInfo, Table } from "../types.js" */

/**
 * @param {Context} context
 * @returns {Promise<Screen>}
 */
export async function open(context) {
    await context.need("lost");
    const { client, storage, t } = context;
    /** @type {Map<string, Table | Problem>} */
    const found = new Map();
    /** @type {GameInfo[]} */
    let games = [];
    const look = async () => {
        games = await client.games().catch(() => []);
        for (const { table, token } of storage.seats()) {
            found.set(table, await client.table(table, { token }).catch((error) => error));
            context.changed();
        }
    };
    const forget = (/** @type {string} */ table) => {
        storage.forgetSeat(table);
        context.changed();
    };
    void look();
    return { title: () => t("mine"), view: () => view(context, games, found, forget) };
}

/**
 * @param {Context} context
 * @param {GameInfo[]} games
 * @param {Map<string, Table | Problem>} found
 * @param {(table: string) => void} forget
 */
function view(context, games, found, forget) {
    const { t, storage } = context;
    const seats = storage.seats();
    return html`
        <section class="panel narrow">
            <h1>${t("mine")}</h1>
            ${seats.length ? html`<p class="dim">${t("mine.hint")}</p>` : html`<p>${t("mine_none")}</p>`}
            <ul class="rows">
                ${seats.map((seat) => html`<li class="row">${row(context, games, seat, found.get(seat.table), forget)}</li>`)}
            </ul>
            <p class="actions"><a class="button quiet" href="#/">${t("to_lobby")}</a></p>
        </section>
    `;
}

/**
 * @param {Context} context
 * @param {GameInfo[]} games
 * @param {SavedSeat} seat
 * @param {Table | Problem | undefined} table
 * @param {(table: string) => void} forget
 */
function row({ t, language }, games, seat, table, forget) {
    const game = games.find((each) => each.game === seat.game);
    const name = game ? gameName(game, language) : seat.game;
    const ended = table instanceof Problem ? !table.passing : table?.status === "over";
    return html`
        <a class="row-link" href="#/table/${seat.table}">
            <strong>${name}</strong>
            <span class=${yours(table) ? "tag" : "dim"}>${state(t, table)}</span>
            <span class="dim name">${standing(t, language, seat)}</span>
        </a>
        ${ended
            ? html`<button class="icon-button" aria-label=${t("forget_table", { game: name })} @click=${() => forget(seat.table)}>✕</button>`
            : nothing}
    `;
}

/** @param {Table | Problem | undefined} table */
function yours(table) {
    return table !== undefined && !(table instanceof Problem) && table.moves.length > 0;
}

/**
 * @param {import("../parts.js").Translate} t
 * @param {Table | Problem | undefined} table
 */
function state(t, table) {
    if (table === undefined) return t("loading");
    if (table instanceof Problem) return problemTitle(t, table);
    if (table.status === "open") return t("state.open", { n: table.seats.length });
    if (table.status === "over") return t("state.over");
    return yours(table) ? t("your_turn") : table.words?.turn || t("state.playing");
}
