/**
 * The playing table: who sits there, what lies there, the viewer's hand and what can be done; from a session's state.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { fan, openCard } from "../cards.js";
import { GAMES } from "../games/games.js";
import { journey } from "../motion.js";
import { actionBar, hintButton, statement } from "./bar.js";
import { playing, still } from "./context.js";
import { hand } from "./hand.js";
import { history, latest } from "./log.js";
import { modal } from "./modal.js";
import { matchOver, resultOf } from "./over.js";
import { others, seatOf } from "./seats.js";

/**
 * @import { DealEnd, SessionState, TableSession } from "../session.js"
 * @import { Settings } from "../storage.js"
 * @import { Translate } from "../texts.js"
 * @import { Table } from "../types.js"
 * @import { Play, Spread } from "./shapes.js"
 */

/**
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Settings} settings
 * @param {Translate} t
 */
export function playingScreen(state, actions, settings, t) {
    const { table } = state;
    const game = GAMES[table?.game ?? ""];
    if (!table || !game) return html`<p>${t("unknownGame")}</p>`;
    return html`<div class="play ${table.game}" ${journey(table, game, settings)}>
        ${topBar(state, actions, t)}
        <div class="felt">
            ${others(state, t)} ${table.deal ? middle(state, actions, settings, t) : nothing}
        </div>
        ${table.status === "over" ? matchOver(state, actions, t) : nothing}
        <aside class="aside">
            ${score(table, table.words?.score ?? [], t)}
            <h2>${t("history")}</h2>
            ${history(state, t)}
        </aside>
        ${sheet(state, actions, t)}
    </div>`;
}

/**
 * The way back, the game, the connection, the menu.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function topBar(state, actions, t) {
    const { table, game, status } = state;
    const name = game?.name[t("language") === "it" ? "it" : "en"] ?? "";
    const broken = status === "reconnecting" || status === "away";
    return html`<header class="bar-top">
        <a class="icon" href="#/" aria-label=${t("toLobby")}>‹</a>
        <h1>${name}</h1>
        <p class="which">${table?.words?.title ?? ""}</p>
        ${broken
            ? html`<p class="connection">
                  ${t(status === "away" ? "problem.unreachable" : "reconnecting")}
                  <button type="button" class="quiet" @click=${() => actions.retry()}>${t("tryNow")}</button>
              </p>`
            : nothing}
        ${table?.you === null ? html`<p class="spectating">${t("spectating")}</p>` : nothing}
        <button
            type="button"
            class="icon"
            aria-label=${t("menu")}
            aria-expanded=${state.ui.sheet === "menu" ? "true" : "false"}
            @click=${() => actions.setUi({ sheet: state.ui.sheet ? null : "menu" })}
        >
            ⋯
        </button>
    </header>`;
}

/**
 * What lies on the table, and under it the viewer's own part.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Settings} settings
 * @param {Translate} t
 */
function middle(state, actions, settings, t) {
    const table = /** @type {Table} */ (state.table);
    const game = GAMES[table.game];
    const names = table.seats.map((seat) => seat.name);
    if (table.status === "over") {
        return game.board(still(game, state.game, table.deal ?? {}, names, t));
    }
    const play = playing(state, actions, game, settings, t);
    const held = game.places(play.view).filter((place) => place.held);
    return html`${facts(table)} ${game.board(play)}
        ${latest(state, t, () => actions.setUi({ sheet: "history" }))}
        <section class="mine" aria-label=${t("yours")}>
            <div class="own-row">${own(state, t)} ${hintButton(state, actions, t)}</div>
            ${statement(state, actions, t)}
            ${hand(play, held, state.ui.focus ?? 0, (focus) => {
                if (focus !== state.ui.focus) actions.setUi({ focus });
            })}
            ${actionBar(state, actions, game, play, t)}
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
 * What is to be known beside the cards that lie there.
 *
 * @param {Table} table
 */
function facts({ words }) {
    const stock = words?.piles.stock;
    const lines = (words?.facts ?? []).filter((line) => !stock || !line.endsWith(stock));
    return lines.length ? html`<ul class="facts">${lines.map((line) => html`<li>${line}</li>`)}</ul>` : nothing;
}

/**
 * The points of the match so far.
 *
 * @param {Table} table
 * @param {readonly string[]} points in words, by seat
 * @param {Translate} t
 */
function score(table, points, t) {
    if (!points.length) return nothing;
    return html`<section class="score" aria-label=${t("score")}>
        <h2>${t("score")}</h2>
        <dl>
            ${points.map((text, seat) => html`<dt>${table.seats[seat]?.name}</dt><dd>${text}</dd>`)}
        </dl>
    </section>`;
}

/**
 * What lies over the table: the menu, the history, the cards of a pile.
 *
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function sheet(state, actions, t) {
    const table = /** @type {Table} */ (state.table);
    const { ui } = state;
    const close = () => actions.setUi({ sheet: null, spread: null, leaving: false });
    const points = table.words?.score ?? [];
    if (ui.spread) return dialog(ui.spread.title, spread(state, ui.spread, t), close, t);
    if (ui.sheet === "history") {
        return dialog(t("history"), html`${score(table, points, t)}${history(state, t)}`, close, t);
    }
    if (ui.sheet === "menu") return dialog(t("menu"), menu(state, actions, t), close, t);
    return state.ended ? dealOver(table, state.ended, actions, t) : nothing;
}

/**
 * How the last deal ended, while the match goes on.
 *
 * @param {Table} table
 * @param {DealEnd} ended
 * @param {TableSession} actions
 * @param {Translate} t
 */
function dealOver(table, ended, actions, t) {
    const close = () => actions.dismissDeal();
    const [title = t("dealOver"), ...places] = ended.result;
    const content = html`${resultOf(places)} ${score(table, ended.score, t)}
        <button type="button" class="act main" autofocus @click=${close}>${t("goOn")}</button>`;
    return dialog(title, content, close, t);
}

/**
 * @param {string} title
 * @param {unknown} content
 * @param {() => void} close
 * @param {Translate} t
 */
function dialog(title, content, close, t) {
    const outside = (/** @type {Event} */ event) => event.target === event.currentTarget && close();
    return html`<dialog class="sheet" aria-label=${title} ${modal()} @close=${close} @click=${outside}>
        <div class="inside">
            <header>
                <h2>${title}</h2>
                <button type="button" class="icon" aria-label=${t("close")} @click=${close}>×</button>
            </header>
            ${content}
        </div>
    </dialog>`;
}

/**
 * @param {SessionState} state
 * @param {Spread} pile
 * @param {Translate} t
 */
function spread(state, { title, codes }, t) {
    const table = /** @type {Table} */ (state.table);
    /** @type {Play} */
    const play = still(GAMES[table.game], state.game, table.deal ?? {}, [], t);
    return fan(
        codes.map((code) => openCard(play, code)),
        { label: title, kind: "laid" },
    );
}

/**
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function menu(state, actions, t) {
    const table = /** @type {Table} */ (state.table);
    const { ui } = state;
    return html`<ul class="menu">
        <li>
            <button type="button" class="act" @click=${() => actions.setUi({ sheet: "history" })}>${t("history")}</button>
        </li>
        <li><a class="act" href="#/rules/${table.game}">${t("rules")}</a></li>
        <li><a class="act" href="#/settings">${t("settings")}</a></li>
        <li><a class="act" href="#/">${t("toLobby")}</a></li>
        ${table.you !== null && table.status === "playing"
            ? html`<li>
                  ${ui.leaving ? html`<p>${t("leaveWarning")}</p>` : nothing}
                  <button
                      type="button"
                      class="act danger"
                      @click=${() => (ui.leaving ? actions.leave() : actions.setUi({ leaving: true }))}
                  >
                      ${t(ui.leaving ? "leaveSurely" : "leave")}
                  </button>
              </li>`
            : nothing}
    </ul>`;
}
