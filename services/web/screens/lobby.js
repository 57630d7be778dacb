/**
 * The first screen: the games, the person's unfinished tables, other people's open tables, and tables to watch.
 *
 * @module
 */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { inline } from "../markdown.js";
import { problemTitle } from "./frame.js";
import { isPast, isYours, look, state } from "./standing.js";
import { gameName, playersText, standing } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { Language, Translate } from "../parts.js" */
/** @import { GameInfo, ListedTable } from "../types.js" */
/** @import { Results } from "./standing.js" */
/** @import { SavedSeat } from "../storage.js" */

const RECENT = 3;
/** The number of open tables that are shown at first. */
const FEW = 10;
const WATCHED = 3;

const FRENCH = {
    sprite: new URL("../art/french.svg", import.meta.url).href,
    fans: ["7h Qs Ad Kc 3h", "Kh 8c 5d Qd 2s", "9d joker Kc 2h Ts", "Js Jh Jd Ac 4s"],
};
const ITALIAN = {
    sprite: new URL("../art/italian.svg", import.meta.url).href,
    fans: ["7d Kc As Qh 3d", "Kd 2c 7h Js Ad", "3h Ac 4d Ks 5c"],
};
const CUCCU = {
    sprite: new URL("../art/cuccu-fan.svg", import.meta.url).href,
    fans: ["XII LEONE MATTO SECCHIA V"],
};

const [WIDTH, HEIGHT, STEP, TURN] = [66, 92.4, 46, 7];

/**
 * @typedef {object} Lobby
 * @property {GameInfo[] | null} games
 * @property {Results} results the person's own tables
 * @property {ListedTable[]} tables
 * @property {ListedTable[]} watched tables in play
 * @property {boolean} all whether all open tables are shown
 * @property {boolean} listed whether the list has arrived
 * @property {Problem | null} problem
 */

/**
 * @param {Context} context
 * @returns {Screen}
 */
export function open(context) {
    /** @type {Lobby} */
    const lobby = { games: null, results: new Map(), tables: [], watched: [], all: false, listed: false, problem: null };
    let following = new AbortController();
    let closed = false;
    const load = async () => {
        lobby.problem = null;
        context.changed();
        try {
            lobby.games = await context.client.games();
            context.changed();
            follow();
            // Most go there next.
            context.load("solo").catch(() => {});
            context.client.game(mainGame(context, lobby.games).game).catch(() => {});
            await look(context, context.storage.seats().slice(0, RECENT), lobby.results);
        } catch (error) {
            fail(/** @type {Problem} */ (error));
        }
        context.changed();
    };
    /** Follows the listed tables only while the page is visible, because browsers open at most six connections to a server. */
    const follow = () => {
        following.abort();
        following = new AbortController();
        if (lobby.games && !closed && !document.hidden) void list(following.signal).catch(fail);
    };
    const fail = (/** @type {Problem | null} */ problem) => {
        lobby.problem = problem;
        context.changed();
    };
    const list = async (/** @type {AbortSignal} */ signal) => {
        for await (const { open, playing } of context.client.lobby({ signal, lost: fail })) {
            lobby.problem = null;
            const own = new Set(context.storage.seats().map(({ table }) => table));
            lobby.tables = open;
            lobby.watched = playing.filter(({ id }) => !own.has(id)).slice(0, WATCHED);
            lobby.listed = true;
            context.changed();
        }
    };
    const more = () => {
        lobby.all = true;
        context.changed();
    };
    const again = () => void (lobby.problem && load());
    void load();
    document.addEventListener("visibilitychange", follow);
    window.addEventListener("online", again);
    return {
        title: () => "",
        view: () => view(context, lobby, { load, more }),
        close() {
            closed = true;
            document.removeEventListener("visibilitychange", follow);
            window.removeEventListener("online", again);
            following.abort();
        },
    };
}

/**
 * The game that was played last.
 *
 * @param {Context} context
 * @param {readonly GameInfo[]} games
 */
function mainGame({ storage }, games) {
    const [last] = storage.seats();
    return games.find(({ game }) => game === last?.game) ?? games[0];
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {{load: () => void, more: () => void}} actions
 */
function view(context, lobby, { load, more }) {
    const { t } = context;
    const main = lobby.games && mainGame(context, lobby.games);
    return html`
        <div class="welcome">
            <h1>${t("welcome")}</h1>
            ${context.storage.seats().length ? nothing : html`<p class="lead">${t("welcome_lead")}</p>`}
        </div>
        ${lobby.problem ? trouble(context, lobby.problem, load) : nothing} ${now(context, lobby, more)}
        <section aria-labelledby="games">
            <h2 id="games" class="unseen">${t("games")}</h2>
            <ul class="games" aria-busy=${lobby.games === null && !lobby.problem}>
                ${lobby.games?.map((game, index) => tile(context, game, index, game === main))}
            </ul>
        </section>
        ${lobby.listed && !lobby.tables.length ? html`<p class="nobody dim">${t("listed_none")}</p>` : nothing}
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
 * @param {boolean} main whether it is the game that was played last
 */
function tile({ t, language }, game, index, main) {
    const name = gameName(game, language);
    return html`
        <li class="game" data-game=${game.game}>
            ${fan(game.deck, index)}
            <h3>${name}</h3>
            <p class="players">${playersText(t, game)}</p>
            <p class="about">${inline(game.about[language])}</p>
            <p class="actions">
                <a class="button ${main ? "" : "quiet"} solo" href="#/solo/${game.game}"><span class="unseen">${name}: </span>${either(t, "solo")}</a>
                <a class="button quiet" href="#/new/${game.game}"><span class="unseen">${name}: </span>${either(t, "friends")}</a>
                ${game.lesson
                    ? html`<a class="lesson-of" href="#/lesson/${game.game}" aria-label=${t("lesson_of", { game: name })}>${either(t, "learn")}</a>`
                    : nothing}
                <a class="rules-of" href="#/rules/${game.game}" aria-label=${t("rules_of", { game: name })}>${t("rules")}</a>
            </p>
        </li>
    `;
}

/**
 * A text with a short form for narrow tiles.
 *
 * @param {Translate} t
 * @param {"solo" | "friends" | "learn"} key
 */
function either(t, key) {
    return html`<span class="long">${t(key)}</span><span class="short">${t(`${key}_short`)}</span>`;
}

/**
 * Current tables: the person's own, and those waiting for players.
 *
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {() => void} more
 */
function now(context, lobby, more) {
    const { t, storage } = context;
    const seats = storage
        .seats()
        .slice(0, RECENT)
        .filter(({ table }) => !isPast(lobby.results.get(table)));
    if (!seats.length && !lobby.tables.length && !lobby.watched.length) return nothing;
    return html`
        <section class="panel now" aria-labelledby="now">
            <h2 id="now">${t("now")}</h2>
            <ul class="rows">
                ${seats.map((seat) => html`<li class="row">${own(context, lobby, seat)}</li>`)}
                ${[...lobby.tables.slice(0, lobby.all ? undefined : FEW), ...lobby.watched].map((table) => html`<li class="row">${others(context, lobby, table)}</li>`)}
            </ul>
            ${lobby.tables.length > FEW && !lobby.all
                ? html`<button class="button quiet" @click=${more}>${t("more")}</button>`
                : nothing}
        </section>
    `;
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {SavedSeat} seat
 */
function own({ t, language }, lobby, seat) {
    const table = lobby.results.get(seat.table);
    return html`
        <a class="row-link" href="#/table/${seat.table}">
            <strong>${nameOf(lobby, seat.game, language)}</strong>
            <span class=${isYours(table) ? "tag" : "dim"}>${table ? state(t, table) : standing(t, language, seat)}</span>
        </a>
    `;
}

/**
 * @param {Context} context
 * @param {Lobby} lobby
 * @param {ListedTable} table
 */
function others({ t, language }, lobby, table) {
    return html`
        <a class="row-link" href="#/table/${table.id}">
            <strong>${nameOf(lobby, table.game, language)}</strong>
            <span class="dim name">${t("hosted_by", { name: table.host })}</span>
            <span class="count">${table.status === "playing" ? t("watch_it") : t("seats_taken", { n: table.seats, of: table.max_seats })}</span>
        </a>
    `;
}

/**
 * @param {Lobby} lobby
 * @param {string} game
 * @param {Language} language
 */
function nameOf({ games }, game, language) {
    const details = games?.find((entry) => entry.game === game);
    return details ? gameName(details, language) : game;
}

/**
 * A few cards of a deck, fanned: decoration, hidden from screen readers.
 *
 * @param {string} deck the catalogue's name of the deck
 * @param {number} index of the game, so that games of one deck show different cards
 */
function fan(deck, index) {
    const { sprite, fans } = deck.startsWith("cuccu") ? CUCCU : deck.startsWith("italian_suits") ? ITALIAN : FRENCH;
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
