/**
 * The first screen: the games, the person's unfinished tables, open tables of others.
 *
 * @module
 */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { inline } from "../markdown.js";
import { problemTitle } from "./frame.js";
import { gameName, playersText, standing } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { GameInfo, ListedTable } from "../types.js" */
/** @import { SavedSeat } from "../storage.js" */

const RECENT = 3;
const PAGE = 10;

const FRENCH = {
    sprite: new URL("../art/french.svg", import.meta.url).href,
    fans: ["7h Qs Ad Kc 3h", "Kh 8c 5d Qd 2s", "9d joker Kc 2h Ts", "Js Jh Jd Ac 4s"],
};
const CUCCU = {
    sprite: new URL("../art/cuccu-fan.svg", import.meta.url).href,
    fans: ["XII LEONE MATTO SECCHIA V"],
};

const [WIDTH, HEIGHT, STEP, TURN] = [66, 92.4, 46, 7];

/**
 * @typedef {object} Lobby
 * @property {GameInfo[] | null} games
 * @property {ListedTable[]} tables
 * @property {string | null} next
 * @property {boolean} listing
 * @property {Problem | null} problem
 */

/**
 * @param {Context} context
 * @returns {Screen}
 */
export function open(context) {
    /** @type {Lobby} */
    const lobby = { games: null, tables: [], next: null, listing: true, problem: null };
    const load = async () => {
        lobby.problem = null;
        context.changed();
        try {
            lobby.games = await context.client.games();
            context.changed();
            await list();
        } catch (error) {
            lobby.problem = /** @type {Problem} */ (error);
        }
        context.changed();
    };
    const list = async (/** @type {string | null} */ cursor = null) => {
        lobby.listing = true;
        context.changed();
        try {
            const page = await context.client.tables({ cursor, limit: PAGE });
            lobby.tables = cursor ? [...lobby.tables, ...page.tables] : page.tables;
            lobby.next = page.next;
        } finally {
            lobby.listing = false;
            context.changed();
        }
    };
    void load();
    return { title: () => "", view: () => view(context, lobby, { load, list: (cursor) => void list(cursor).catch(() => {}) }) };
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {{load: () => void, list: (cursor?: string | null) => void}} actions
 */
function view(context, lobby, { load, list }) {
    const { t } = context;
    return html`
        <div class="welcome">
            <h1>${t("welcome")}</h1>
            <p class="lead">${t("welcome_lead")}</p>
        </div>
        ${lobby.problem ? trouble(context, lobby.problem, load) : nothing} ${mine(context, lobby)}
        <section aria-labelledby="games">
            <h2 id="games" class="unseen">${t("games")}</h2>
            <ul class="games" aria-busy=${lobby.games === null && !lobby.problem}>
                ${lobby.games?.map((game, index) => tile(context, game, index))}
            </ul>
        </section>
        ${lobby.games ? listed(context, lobby, list) : nothing}
        <footer class="foot"><a href="docs">${t("api")}</a></footer>
    `;
}

/**
 * @param {Context} context
 * @param {Problem} problem
 * @param {() => void} again
 */
function trouble({ t }, problem, again) {
    return html`
        <div class="notice problem-notice" role="alert">
            <p><strong>${problemTitle(t, problem)}</strong> ${t("advice.unreachable")}</p>
            <button class="button" @click=${again}>${t("again")}</button>
        </div>
    `;
}

/**
 * @param {Context} context
 * @param {GameInfo} game
 * @param {number} index
 */
function tile({ t, language }, game, index) {
    const name = gameName(game, language);
    return html`
        <li class="game" data-game=${game.game}>
            ${fan(game.deck, index)}
            <h3>${name}</h3>
            <p class="players">${playersText(t, game)}</p>
            <p class="about">${inline(game.about[language])}</p>
            <p class="actions">
                <a class="button" href="#/solo/${game.game}" aria-label=${t("solo_at", { game: name })}>${t("solo")}</a>
                <a class="button quiet" href="#/new/${game.game}" aria-label=${t("friends_at", { game: name })}>${t("friends")}</a>
                <a class="link" href="#/rules/${game.game}" aria-label=${t("rules_of", { game: name })}>${t("rules")}</a>
            </p>
        </li>
    `;
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 */
function mine({ t, storage, language }, lobby) {
    const seats = storage.seats().slice(0, RECENT);
    if (!seats.length) return nothing;
    const name = (/** @type {SavedSeat} */ seat) => {
        const game = lobby.games?.find((each) => each.game === seat.game);
        return game ? gameName(game, language) : seat.game;
    };
    return html`
        <section class="panel" aria-labelledby="mine">
            <h2 id="mine">${t("go_on")}</h2>
            <ul class="rows">
                ${seats.map(
                    (seat) => html`
                        <li class="row">
                            <a class="row-link" href="#/table/${seat.table}">
                                <strong>${name(seat)}</strong> <span class="dim">${standing(t, language, seat)}</span>
                            </a>
                        </li>
                    `,
                )}
            </ul>
            <p><a class="link" href="#/mine">${t("all_mine")}</a></p>
        </section>
    `;
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {(cursor?: string | null) => void} list
 */
function listed({ t, language }, lobby, list) {
    const name = (/** @type {string} */ game) => {
        const found = lobby.games?.find((each) => each.game === game);
        return found ? gameName(found, language) : game;
    };
    return html`
        <section class="panel" aria-labelledby="listed">
            <div class="panel-head">
                <h2 id="listed">${t("listed")}</h2>
                <button class="button quiet small" ?disabled=${lobby.listing} @click=${() => list()}>${t("refresh")}</button>
            </div>
            ${lobby.tables.length || lobby.listing ? nothing : html`<p class="dim">${t("listed_none")}</p>`}
            <ul class="rows">
                ${lobby.tables.map(
                    (table) => html`
                        <li class="row">
                            <a class="row-link" href="#/table/${table.id}">
                                <strong>${name(table.game)}</strong>
                                <span class="dim name">${t("hosted_by", { name: table.host })}</span>
                                <span class="count">${t("seats_taken", { n: table.seats, of: table.max_seats })}</span>
                            </a>
                        </li>
                    `,
                )}
            </ul>
            ${lobby.next
                ? html`<button class="button quiet" ?disabled=${lobby.listing} @click=${() => list(lobby.next)}>${t("more")}</button>`
                : nothing}
        </section>
    `;
}

/**
 * A few cards of a deck, fanned: decoration, hidden from screen readers.
 *
 * @param {string} deck as the catalogue names it
 * @param {number} index of the game: games of one deck show different cards
 */
function fan(deck, index) {
    const { sprite, fans } = deck.startsWith("cuccu") ? CUCCU : FRENCH;
    const codes = fans[index % fans.length].split(" ");
    const middle = (codes.length - 1) / 2;
    return html`
        <svg class="fan" viewBox="0 0 300 96" aria-hidden="true">
            ${codes.map((code, place) => {
                const [x, y] = [150 - WIDTH / 2 + (place - middle) * STEP, 14 + (place - middle) ** 2 * 3];
                const turn = `rotate(${(place - middle) * TURN} ${x + WIDTH / 2} ${y + HEIGHT})`;
                return svg`<use href="${sprite}#${code}" x=${x} y=${y} width=${WIDTH} height=${HEIGHT} transform=${turn} />`;
            })}
        </svg>
    `;
}
