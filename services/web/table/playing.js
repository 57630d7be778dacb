/**
 * The playing table, rendered from a session's state: seats, cards on the table, the viewer's hand, the actions.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { hand } from "../cards.js";
import { GAMES } from "../games/games.js";
import { animateTable } from "../motion.js";
import { actionBar, statement } from "./bar.js";
import { playing, watching } from "./context.js";
import { others, seatOf } from "./seats.js";

/**
 * @import { Context } from "../app.js"
 * @import { SessionState, TableSession } from "../session.js"
 * @import { Settings } from "../storage.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 * @import { Play } from "./shapes.js"
 */

/** How many sentences there is room for. */
const LATEST = 2;

/**
 * The newest sentences, as a button that opens all of them.
 *
 * @param {SessionState} state
 * @param {Play} play
 * @param {() => void} open
 */
function latest(state, { drawn, t }, open) {
    const lines = state.log.slice(-LATEST).map(({ text }) => text);
    return html`<button type="button" class="latest quiet" @click=${open} aria-label="${t("history")}: ${lines.join(" ")}">
        <span>${lines.map((text) => html`<span>${drawn(text)}</span> `)}</span>
    </button>`;
}

/** Where the history has a place beside the table (style/table.css). */
const wide = window.matchMedia("(min-width: 1400px) and (min-aspect-ratio: 11 / 10)");
/** Milliseconds that the first card has for itself. */
const QUIET = 4000;

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function playingScreen(context, actions) {
    const { settings, t } = context;
    const { state } = actions;
    const { table } = state;
    const game = GAMES[table?.game ?? ""];
    if (!table || !game) return html``;
    const over = table.status === "over";
    const covered = !over && state.ended !== null;
    return html`<div
        class="play ${table.game}"
        @pointerdown=${{ handleEvent: (/** @type {Event} */ event) => (pressed = pressable(event)), capture: true }}
        @click=${{ handleEvent: released, capture: true }}
        ${animateTable(table, game, settings, covered, state.dealt, actions)}
    >
        ${topBar(state, actions, context)}
        <div class="felt ${over ? "ended" : ""}">
            ${others(state, t)} ${table.deal ? middle(state, actions, settings, t) : nothing}
            ${over ? later(context, actions, (sheets) => sheets.matchOver(context, actions)) : nothing}
        </div>
        ${wide.matches ? html`<aside class="aside">${later(context, actions, (sheets) => sheets.aside(state, t))}</aside>` : nothing}
        ${state.ui.sheet || state.ui.spread || covered
            ? later(context, actions, (sheets) => sheets.sheet(context, actions))
            : nothing}
    </div>`;
}

/** What a pointer went down on. @type {string | null | undefined} */
let pressed = null;

/** @param {Event} event */
function pressable({ target }) {
    const button = /** @type {Element} */ (target).closest("button");
    return button?.getAttribute("data-place") ?? button?.textContent;
}

/**
 * Ignores a press where the table has changed under the finger: another card lies there now.
 *
 * @param {Event} event
 */
function released(event) {
    const [before, now] = [pressed, pressable(event)];
    pressed = null;
    if (before !== null && before !== now) event.stopPropagation();
}

/** The module of sheets, which is loaded when it is first needed. @type {typeof import("./sheets.js") | "failed" | null} */
let sheets = null;
/** @type {Promise<void> | null} */
let fetching = null;

/**
 * @param {Context["need"]} need
 * @returns {Promise<void>} resolves when the sheets are loaded, or have failed to
 */
function fetchSheets(need) {
    fetching ??= Promise.all([import("./sheets.js"), need("sheets")]).then(
        ([loaded]) => void (sheets = loaded),
        () => void (sheets = "failed"),
    );
    return fetching;
}

/**
 * Loads the module of sheets and shows one of them.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {(loaded: typeof import("./sheets.js")) => unknown} show
 */
function later({ need, t }, actions, show) {
    if (sheets === "failed") return html`<p class="banner" role="alert">${t("problem.not_loaded")}</p>`;
    if (sheets) return show(sheets);
    fetchSheets(need).then(() => actions.setUi({}));
    return nothing;
}

function loaded() {
    return sheets === "failed" ? null : sheets;
}

/**
 * Loads what lies over the table a while after the first card: it must open without a connection too.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {boolean} [hints] whether one may ask for one at once
 */
export function prepare(context, actions, hints) {
    const { changed, need } = context;
    wide.addEventListener("change", changed);
    setTimeout(async () => {
        await fetchSheets(need);
        loaded()?.hearing(context, actions);
        changed();
    }, hints ? 0 : QUIET);
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
        return game.board(watching(game, state.game, table.deal ?? {}, names, t));
    }
    const play = playing(state, actions, game, settings, t);
    const held = game.places(play.view, play.moves).filter(({ from }) => from === "hand");
    return html`${facts(table, play)} ${game.board(play)}
        ${latest(state, play, () => actions.setUi({ sheet: "history" }))}
        <section class="mine" aria-label=${t("yours")}>
            <div class="own-row">${own(state, t)} ${loaded()?.beside(state, actions, t)}</div>
            ${statement(state, actions, play)}
            ${hand(play, held, state.ui.focus ?? 0, (focus) => {
                if (focus !== state.ui.focus) actions.setUi({ focus });
            })}
            ${actionBar(state, actions, play, t)}
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
