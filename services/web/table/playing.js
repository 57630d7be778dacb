/**
 * The playing table, rendered from a session's state: seats, cards on the table, the viewer's hand, the actions.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { hand } from "../cards.js";
import { animateTable } from "../motion.js";
import { ready } from "../parts.js";
import { actionBar, statement } from "./bar.js";
import { playing, watching } from "./context.js";
import { others, seatOf } from "./seats.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { Module } from "../modules.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 * @import { GameTable, Play } from "./shapes.js"
 */

/**
 * The newest sentence, as a button that opens the history.
 *
 * @param {SessionState} state
 * @param {Play} play
 * @param {() => void} open
 */
function latest(state, { drawn, t }, open) {
    const { text = "" } = state.log.at(-1) ?? {};
    return html`<button type="button" class="latest quiet" @click=${open} aria-label="${t("history")}: ${text}">
        <span>${drawn(text)}</span>
    </button>`;
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function playingScreen(context, actions) {
    const { t } = context;
    const { state } = actions;
    const { table, drawing } = state;
    if (!table || !drawing) return html``;
    const over = table.status === "over";
    return html`<div class="play ${table.game} ${typeof drawing.deck === "string" ? drawing.deck : ""}" ${animateTable(context, state)}>
        ${topBar(state, actions, context)}
        <div class="felt ${over ? "ended" : ""}">
            ${others(state, t)} ${table.deal ? middle(context, actions, drawing) : nothing}
            ${over ? later(context, (sheets) => sheets.matchOver(context, actions)) : nothing}
        </div>
        ${context.wide ? html`<aside class="aside">${later(context, (sheets) => sheets.aside(state, t))}</aside>` : nothing}
        ${state.sheet || (!over && state.ended) ? later(context, (sheets) => sheets.sheet(context, actions)) : nothing}
    </div>`;
}

/**
 * Shows a part of the sheets, once their module is loaded.
 *
 * @param {Context} context
 * @param {(loaded: Module<"sheets">) => unknown} show
 */
function later({ modules: { sheets }, t }, show) {
    if (sheets === "failed") return html`<p class="banner" role="alert">${t("problem.not_loaded")}</p>`;
    const loaded = ready(sheets);
    return loaded ? show(loaded) : nothing;
}

/**
 * The top bar: link back, name of the game, state of the connection, menu.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Context} context
 */
function topBar(state, actions, { t, language }) {
    const { table, game, status } = state;
    const broken = status === "reconnecting" || status === "away";
    return html`<header class="bar-top">
        <a class="icon" href="#/" aria-label=${t("toLobby")}>‹</a>
        <h1>${game?.name[language]}</h1>
        <p class="which">${table?.words?.title ?? ""}</p>
        ${broken
            ? html`<p class="connection">
                  ${t(status === "away" ? "problem.unreachable" : "reconnecting")}
                  <button type="button" class="quiet" @click=${() => actions.retry()}>${t("again")}</button>
              </p>`
            : nothing}
        ${table?.you === null ? html`<p class="spectating">${t("spectating")}</p>` : nothing}
        <button
            type="button"
            class="icon"
            aria-label=${t("menu")}
            aria-expanded=${state.sheet?.name === "menu" ? "true" : "false"}
            @click=${() => actions.set({ sheet: { name: "menu" } })}
        >
            ⋯
        </button>
    </header>`;
}

/**
 * The table, and below it the viewer's own part.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {GameTable} game
 */
function middle(context, actions, game) {
    const { t } = context;
    const { state } = actions;
    const table = /** @type {Table} */ (state.table);
    if (table.status === "over") {
        return game.board(watching(game, state.game, table.deal ?? {}, table.seats.map((seat) => seat.name), t));
    }
    const play = playing(context, actions, game);
    const sheets = ready(context.modules.sheets);
    const places = game.places(play.view, play.moves).filter(({ from }) => from === "hand");
    const held = sheets?.arranged(places, state.order) ?? places;
    return html`${facts(table, play)} ${game.board(play)}
        ${latest(state, play, () => actions.set({ sheet: { name: "history" } }))}
        <section class="mine" aria-label=${t("yours")}>
            <div class="own-row">${own(state, t)} ${later(context, ({ beside }) => beside(state, actions, t))}</div>
            ${statement(state, actions, play)}
            ${hand(play, held, state.focus, (focus) => {
                if (focus !== actions.state.focus) actions.set({ focus });
            })}
            ${actionBar(state, actions, play, sheets?.chosen(state, actions, t), t)}
        </section>`;
}

/**
 * @param {SessionState} state
 * @param {Translate} t
 */
function own(state, t) {
    const { table } = state;
    const seat = table?.seats[table.you ?? -1];
    return table && seat ? seatOf(state, seat, t) : nothing;
}

/**
 * Facts beside the cards on the table.
 *
 * @param {Table} table
 * @param {Pick<Play, "drawn">} play
 */
export function facts({ words }, { drawn }) {
    const stock = words?.piles.stock;
    const lines = (words?.facts ?? []).filter((line) => !stock || !line.endsWith(stock));
    return lines.length ? html`<ul class="facts">${lines.map((line) => html`<li>${drawn(line)}</li>`)}</ul>` : nothing;
}
