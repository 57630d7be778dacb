/**
 * The waiting table: its seats, the invitation, and the host's settings before the cards are dealt.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { LEVELS, LONGEST_NAME, computerName, levelsOf, typedName } from "../opening.js";
import { ready } from "../parts.js";
import { face } from "../table/faces.js";
import { remark } from "../table/said.js";
import { addComputer, change, giveSeed, setLevel, sit, sitBy } from "../seating.js";
import { toggle } from "./fields.js";
import { firstTime } from "./first-time.js";
import { invitation } from "./invitation.js";
import { mostPlayers, summary } from "./new-table.js";
import { mainFields, otherFields } from "./options.js";
import { gameName, levelName } from "./words.js";

/** @import { Context } from "../app.js" */
/** @import { TableSession } from "../session.js" */
/** @import { GameDetails, Seat, Table } from "../types.js" */

const LONGEST_SEED = 64;

/**
 * @typedef {object} Waiting
 * @property {Context} context
 * @property {TableSession} session
 * @property {Table} table
 * @property {GameDetails} game
 * @property {boolean} host whether the viewer is the host
 */

/**
 * @param {Context} context
 * @param {TableSession} session
 */
export function waitingScreen(context, session) {
    const { t, language } = context;
    const { table, game, status } = session.state;
    if (!table || !game) return html``;
    const waiting = { context, session, table, game, host: table.you !== null && table.you === table.host };
    return html`
        <div class="waiting">
            <header class="waiting-head">
                <p class="kicker">${t("table_open")}</p>
                <h1>${gameName(game, language)}</h1>
                <p class="dim">${summary(t, language, game, table).join(" · ") || t("options_usual")} <a class="link" href="#/rules/${game.game}">${t("rules")}</a></p>
                ${firstTime(context, game, table.id)}
            </header>
            ${status === "live" ? nothing : html`<p class="banner" role="status">${t(status === "away" ? "away_now" : "lost_connection")}</p>`}
            ${notice(waiting)}
            <div class="columns ${waiting.host ? "inviting" : ""}">
                ${waiting.host ? invitation(context, session) : nothing}
                <div>${seats(waiting)} ${table.you === null ? sitDown(waiting) : start(waiting)}</div>
                <div>${waiting.host ? nothing : invitation(context, session)} ${host(waiting)} ${seed(waiting)} ${leaving(waiting)}</div>
            </div>
        </div>
    `;
}

/** @param {Waiting} waiting */
function notice({ context: { t }, session }) {
    const message = session.state.notice;
    if (!message) return nothing;
    const advice = t(`advice.${message.code}`);
    return html`
        <div class="notice problem-notice" role="alert">
            <p>
                <strong>${message.text}</strong>
                ${advice === `advice.${message.code}` ? nothing : advice}
            </p>
            <button class="button quiet small" @click=${() => session.dismiss()}>${t("close")}</button>
        </div>
    `;
}

// --- seats

/** @param {Waiting} waiting */
function seats(waiting) {
    const { context, table, game, session, host } = waiting;
    const { t } = context;
    const free = Math.max(0, mostPlayers(game, table) - table.seats.length);
    const kept = context.storage.opponents(game.game)?.level;
    const level = levelsOf(game).find((name) => name === kept) ?? LEVELS[1];
    const add = () => addComputer(session, computerName(table.seats), level);
    return html`
        <section class="panel" aria-labelledby="seats">
            <div class="panel-head">
                <h2 id="seats">${t("seats")}</h2>
                <span class="count">${t("seats_taken", { n: table.seats.length, of: mostPlayers(game, table) })}</span>
            </div>
            <ol class="sitters">
                ${table.seats.map((seat) => html`<li class="seat">${seatRow(waiting, seat)}</li>`)}
                ${free ? html`<li class="seat free"><span class="dim">${t("free_seats", { n: free })}</span></li>` : nothing}
            </ol>
            ${host && free
                ? html`<button class="button quiet" ?disabled=${session.state.busy} @click=${add}>${t("add_computer")}</button>`
                : nothing}
            ${host && free && game.own_players ? ready(context.modules.ownPlayer)?.ownPlayerForm(context, session, table) : nothing}
        </section>
    `;
}

/**
 * @param {Waiting} waiting
 * @param {Seat} seat
 */
function seatRow({ context: { t }, table, game, session, host }, seat) {
    const own = seat.seat === table.you;
    const level = table.words?.levels?.[seat.seat];
    const tags = [
        ...(own ? [t("you")] : []),
        ...(seat.seat === table.host ? [t("host")] : []),
        ...(level && !host ? [level] : []),
    ];
    const choose = (/** @type {Event} */ event) =>
        setLevel(session, seat.seat, /** @type {HTMLSelectElement} */ (event.target).value);
    const levels = new Set([...levelsOf(game), seat.level ?? ""]);
    return html`
        ${face(table.seats, seat.seat)}
        <span class="sitter" data-place="seat-${seat.seat}">
            <span class="name">${seat.name}</span>
            ${tags.length ? html`<span class="tags dim">${tags.join(" · ")}</span>` : nothing} ${remark(session.state, seat)}
        </span>
        ${seat.kind === "computer" && host
            ? html`
                  <select aria-label=${t("level_of", { name: seat.name })} ?disabled=${session.state.busy} @change=${choose}>
                      ${[...levels].map((name) => html`<option value=${name} ?selected=${name === seat.level}>${name === seat.level ? level : levelName(game, name)}</option>`)}
                  </select>
              `
            : nothing}
        ${host && !own
            ? html`
                  <button
                      class="icon-button"
                      aria-label=${t("remove", { name: seat.name })}
                      ?disabled=${session.state.busy}
                      @click=${() => session.leave(seat.seat)}
                  >✕</button>
              `
            : nothing}
    `;
}

/** @param {Waiting} waiting */
function sitDown({ context, session, table, game }) {
    const { t, storage } = context;
    const closed = table.locked ? "table_locked" : table.seats.length >= mostPlayers(game, table) ? "table_full" : null;
    if (closed) return html`<section class="panel"><p><strong>${t(`problem.${closed}`)}</strong> ${t(`advice.${closed}`)}</p></section>`;
    if (context.telegram?.maySit(table.id)) return sitAsOneself(context, session);
    const submit = (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        void sit(session, typedName(form));
    };
    return html`
        <form class="panel" @submit=${submit} aria-labelledby="sit">
            <h2 id="sit">${t("sit_here")}</h2>
            <label class="field">
                <span class="label">${t("your_name")}</span>
                <input name="name" autocomplete="nickname" required maxlength=${LONGEST_NAME} .value=${storage.name} />
            </label>
            <button class="button large" ?disabled=${session.state.busy}>${t("sit")}</button>
        </form>
    `;
}

/**
 * In Telegram people sit down under their Telegram name: the bot seats members of its group.
 *
 * @param {Context} context
 * @param {TableSession} session
 */
function sitAsOneself(context, session) {
    const { telegram, t } = context;
    const seat = () => sitBy(session, async () => (await telegram?.open(context, { sit: true }))?.token ?? null);
    return html`
        <section class="panel" aria-labelledby="sit">
            <h2 id="sit">${t("sit_here")}</h2>
            <button class="button large" ?disabled=${session.state.busy} @click=${seat}>${t("sit_as", { name: telegram?.session?.name ?? "" })}</button>
        </section>
    `;
}

/** @param {Waiting} waiting */
function start({ context: { t }, session, table, game, host }) {
    const missing = game.players.min - table.seats.length;
    const name = table.seats.find((seat) => seat.seat === table.host)?.name ?? "";
    if (!host) return html`<p class="panel dim">${t("waits_for_host", { name })}</p>`;
    return html`
        <div class="start">
            <button class="button large" aria-disabled=${missing > 0 || session.state.busy} aria-describedby="missing" @click=${() => missing > 0 || session.start()}>
                ${t("start")}
            </button>
            <p id="missing" class="dim">${missing > 0 ? t("missing_players", { n: missing }) : t("start.hint")}</p>
        </div>
    `;
}

// --- actions of the host, and of everybody

/** @param {Waiting} waiting */
function host({ context, session, table, game, host }) {
    if (!host) return nothing;
    const { t } = context;
    const set = (/** @type {Partial<import("./options.js").TableSettings>} */ changed) => void change(session, changed);
    return html`
        <details class="panel more">
            <summary><span>${t("options")}</span></summary>
            ${mainFields(context, game, table, set)} ${otherFields(context, game, table, set)}
            ${toggle({ name: "locked", label: t("lock_it"), hint: t("lock_it.hint"), value: table.locked ?? false, set: (locked) => void change(session, { locked }) })}
        </details>
    `;
}

/** @param {Waiting} waiting */
function seed({ context, session, table }) {
    if (table.you === null) return nothing;
    const { t } = context;
    const ownSeed = context.storage.seat(table.id)?.seeds?.[table.match.number];
    const give = (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const text = String(form.get("seed") ?? "").trim();
        if (text) void giveSeed(session, text);
    };
    return html`
        <details class="panel more">
            <summary><span>${t("fair_shuffle")}</span></summary>
            <p class="dim">${t("fair_shuffle.hint")}</p>
            <p class="hash"><span class="label">${t("commitment")}</span> <code>${table.match.commitment}</code></p>
            <form @submit=${give}>
                <label class="field">
                    <span class="label">${t("own_seed")}</span>
                    <input name="seed" autocomplete="off" maxlength=${LONGEST_SEED} .value=${ownSeed ?? ""} />
                </label>
                <button class="button quiet" ?disabled=${session.state.busy}>${t("give_seed")}</button>
                ${ownSeed ? html`<p class="dim" role="status">${t("seed_given", { seed: ownSeed })}</p>` : nothing}
            </form>
        </details>
    `;
}

/** @param {Waiting} waiting */
function leaving({ context, session, table }) {
    if (table.you === null) return nothing;
    const leave = async () => {
        if (await session.leave()) context.go("#/");
    };
    return html`<p><button class="button quiet" ?disabled=${session.state.busy} @click=${leave}>${context.t("leave")}</button></p>`;
}

