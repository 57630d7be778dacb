/**
 * A table on a television: a large spectator's view, with a QR code of its address and nothing to press.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { loadGame } from "../games/games.js";
import { animateTable } from "../motion.js";
import { loadStyles } from "../parts.js";
import { TableSession } from "../session.js";
import { watching } from "../table/context.js";
import { face } from "../table/faces.js";
import { aside } from "../table/log.js";
import { resultOf } from "../table/over.js";
import { facts } from "../table/playing.js";
import { others } from "../table/seats.js";
import { problemTitle } from "./frame.js";
import { presenting } from "./table.js";
import { linkOf, scanned } from "./invitation.js";
import { mostPlayers, summary } from "./new-table.js";
import { gameName } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { GameTable } from "../table/shapes.js" */
/** @import { GameDetails, Table } from "../types.js" */

/** Milliseconds for which the result of a deal lies over the next one. */
const RESULT = 10_000;

/**
 * @typedef {object} Shown
 * @property {Context} context
 * @property {TableSession} session
 * @property {Table} table
 * @property {GameDetails} game
 * @property {GameTable} drawing
 */

/**
 * @param {Context} context
 * @param {string} [id] of the table
 * @returns {Promise<Screen>}
 */
export async function open(context, id = "") {
    const { client, load, t } = context;
    await Promise.allSettled([load("flights"), load("dealing"), load("code"), loadStyles("crowd")]);
    /** @type {TableSession} */
    const session = new TableSession(client, id, {
        token: null,
        resultLasts: RESULT,
        present: presenting(context, () => session.state),
        onFirst: ({ game }) => void loadGame(game, client).then((drawing) => session.set({ drawing }), console.error),
        onChange: context.changed,
    });
    session.open();
    session.learnHome().catch(() => {});
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
    return {
        title: () => t("table"),
        bare: () => true,
        close() {
            document.removeEventListener("visibilitychange", stayAwake);
            session.close();
        },
        view() {
            const { table, game, problem, drawing } = session.state;
            if (problem) return html`<p class="first">${problemTitle(t, problem)}</p>`;
            if (!table || !game || !drawing) return html`<p class="first" aria-busy="true">${t("loading")}</p>`;
            const shown = { context, session, table, game, drawing };
            return table.status === "open" ? waiting(shown) : playing(shown);
        },
    };
}

/** Asks the device not to darken its screen. Browsers allow it only with TLS. */
function stayAwake() {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

/** @param {Shown} shown */
function waiting({ context, session, table, game }) {
    const { t, language } = context;
    const free = Math.max(0, mostPlayers(game, table) - table.seats.length);
    const { link, local } = linkOf(context, session.state, table.id);
    return html`<div class="play tv open">
        <section class="tv-seats" aria-label=${t("seats")}>
            <p class="kicker">${t("table_open")}</p>
            <h1>${gameName(game, language)}</h1>
            <p class="dim">${summary(t, language, game, table).join(" · ") || t("options_usual")}</p>
            ${connection(context, session)}
            <ol>
                ${table.seats.map(({ name, seat }) => html`<li>${face(table.seats, seat)} <b>${name}</b></li>`)}
                ${free ? html`<li class="dim">${t("free_seats", { n: free })}</li>` : nothing}
            </ol>
        </section>
        <section class="tv-code" aria-label=${t("invite")}>
            ${local ? html`<p>${t("invite.local")}</p>` : html`${scanned(context, link)} <p>${t("scan")}</p>`}
        </section>
    </div>`;
}

/** @param {Shown} shown */
function playing({ context, session, table, game, drawing }) {
    const { t, language } = context;
    const { state } = session;
    const names = table.seats.map(({ name }) => name);
    const over = table.status === "over";
    const covered = !over && state.ended !== null;
    const play = { ...watching(drawing, game, table.deal ?? {}, names, t), piles: table.words?.piles ?? {} };
    const { link, local } = linkOf(context, session.state, table.id);
    return html`<div class="play tv ${table.game}" ${animateTable(context, state)}>
        <header class="bar-top">
            <h1>${gameName(game, language)}</h1>
            ${connection(context, session)}
            <p class="which">${table.words?.title ?? ""}</p>
        </header>
        <div class="felt ${over || covered ? "ended" : ""}" tabindex="0">
            ${others(state, t)} ${facts(table, play)} ${table.deal ? drawing.board(play) : nothing}
            ${over || covered ? result(context, session) : html`<p class="turn">${play.drawn(table.words?.turn ?? "")}</p>`}
        </div>
        <aside class="aside">
            ${aside(state, t)}
            ${local ? nothing : html`<section class="tv-code">${scanned(context, link)} <p>${t("scanToWatch")}</p></section>`}
        </aside>
    </div>`;
}

/**
 * How the match or the last deal ended.
 *
 * @param {Context} context
 * @param {TableSession} session
 */
function result({ t }, { state }) {
    const { table, ended } = state;
    const over = table?.status === "over";
    const [title = "", ...places] = (over ? table.words?.result : ended?.result) ?? [];
    return html`<section class="over" aria-label=${t(over ? "matchOver" : "dealOver")}>
        <h2>${title || t(over ? "matchOver" : "dealOver")}</h2>
        ${resultOf(state, places, t)}
    </section>`;
}

/**
 * @param {Context} context
 * @param {TableSession} session
 */
function connection({ t }, { state: { status } }) {
    if (status === "live") return nothing;
    return html`<p class="connection" role="status">${t(status === "away" ? "problem.unreachable" : "reconnecting")}</p>`;
}
