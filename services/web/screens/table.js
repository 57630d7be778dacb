/**
 * A table: the waiting table while it is open, then the playing table; or the reason why it cannot be shown.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { loadGame } from "../games/games.js";
import { loadStyles, ready } from "../parts.js";
import { TableSession } from "../session.js";
import { problemTitle, problemView, reloadView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { Name } from "../modules.js" */
/** @import { Attending } from "./attending.js" */
/** @import { SessionState, Sheet } from "../state.js" */
/** @import { GameDetails, Table } from "../types.js" */

/** From this number of seats on, each has less room (style/crowd.css). */
const CROWD = 6;
/** Milliseconds after the first card before other modules load: those for effects, and those for sheets. */
const [QUIET, LONG_QUIET] = [400, 4000];
/** A table's id, and characters that follow it if a link is copied out of a sentence. */
const TABLE = /^([\w-]{22})[^\w-]*$/;

/**
 * @param {Context} context
 * @param {string} [address] the table's id
 * @param {string} [part] `review` for the review of the table's deals
 * @param {string} [deal] the one to review
 * @param {string} [step] of it
 * @returns {Promise<Screen>}
 */
export async function open(context, address = "", part, deal, step) {
    const [, id] = TABLE.exec(address) ?? [];
    if (!id) return (await context.load("lost")).noTable(context);
    if (part === "review") return (await context.load("review")).open(context, id, deal, step);
    const { client, storage, telegram, known } = context;
    /** @type {TableSession} */
    const session = new TableSession(client, id, {
        token: storage.seat(id)?.token ?? null,
        storage,
        known: known?.table.id === id ? known : null,
        say: (problem) => problemTitle(context.t, problem),
        onFirst: (table) => effects.prepare(table),
        onRemark: (remark) => void context.load("remarks").then(({ hear }) => hear(context, session, remark), console.warn),
        present: presenting(context, () => session.state),
        onChange: (state) => {
            effects.follow(state);
            telegram?.changed(state);
            context.changed();
        },
    });
    const effects = new Effects(context, session);
    session.open();
    return {
        title: () => title(context, session.state),
        bare: () => !["waiting", "lost"].includes(partOf(session.state) ?? ""),
        key: (event) => pressed(context, session, event),
        close: () => {
            session.close();
            effects.close();
        },
        view: () => view(context, session),
    };
}

/**
 * The screen's title, with the parts that are known so far.
 *
 * @param {SessionState} state
 */
function partOf({ status, table, game }) {
    if (status === "problem") return "lost";
    if (!table || !game) return null;
    return table.status === "open" ? "waiting" : "playing";
}

/**
 * @param {Context} context
 * @param {TableSession} session
 */
export function view(context, session) {
    const { modules, t } = context;
    const { state } = session;
    const part = partOf(state);
    if (state.undrawn || (part && modules[part] === "failed")) return reloadView(t, "not_loaded");
    const [waiting, playing, lost] = [ready(modules.waiting), ready(modules.playing), ready(modules.lost)];
    if (part === "lost" && lost) return lost.lostScreen(context, session);
    if (part === "playing" && playing && state.drawing) return playing.playingScreen(context, session);
    return waiting && (part === "waiting" || (part === "playing" && state.waited)) ? waiting.waitingScreen(context, session) : waitingForFirst(context, session);
}

/**
 * The modules that a table's state needs.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @returns {Name[]}
 */
function wanted({ wide, telegram }, state) {
    const { table, game, status, sheet, ended, dealt } = state;
    const part = partOf(state);
    const over = table?.status === "over";
    /** @type {[Name, unknown][]} */
    const all = [
        ["lost", part === "lost" || (!table && status === "away")],
        ["waiting", part === "waiting"],
        ["ownPlayer", part === "waiting" && game?.own_players && table?.you === table?.host],
        ["playing", part === "playing"],
        ["sheets", part === "playing" && (sheet || ended || over || wide || table?.hints || telegram || table?.seats[table.you ?? -1]?.away)],
        ["speaking", sheet?.name === "remarks"],
        ["flights", dealt || ended || over],
        ["dealing", dealt || ended || over],
    ];
    return all.flatMap(([name, when]) => (when ? [name] : []));
}

/** Effects of a table's state besides drawing. */
export class Effects {
    drawing = false;
    /** @type {Sheet | null} */
    sheet = null;
    /** Effects that the first card does not need. @type {Promise<Attending> | null} */
    attending = null;
    /** The first version that was shown. */
    first = -1;
    /** @type {ReturnType<typeof setTimeout>[]} */
    timers = [];

    /**
     * @param {Context} context
     * @param {TableSession} session
     */
    constructor(context, session) {
        this.context = context;
        this.session = session;
    }

    close() {
        this.timers.forEach(clearTimeout);
        this.attending?.then((attending) => attending.close(), () => {});
    }

    /**
     * Starts to load the modules that will be shown, while the rest is loading.
     *
     * @param {Table} table
     */
    prepare({ status, game, version }) {
        this.first = version;
        this.#load(status === "open" ? "waiting" : "playing");
        if (status !== "open") {
            this.#load("flights");
            return void loadGame(game, this.context.client).catch(() => {});
        }
        this.session.learnHome().catch(() => {});
        this.#attendSoon();
    }

    /** @param {SessionState} state after each change */
    follow(state) {
        const { context } = this;
        const { table, game, sheet, notice, hint } = state;
        const opened = sheet !== this.sheet && sheet !== null;
        this.sheet = sheet;
        for (const name of wanted(context, state)) if (opened || !context.modules[name]) this.#load(name);
        if (table && game && table.status !== "open" && !this.drawing) void this.#draw(table, game);
        if (this.attending || sheet || notice || hint || (table && table.version !== this.first)) this.#attend();
    }

    #attendSoon() {
        this.timers.push(setTimeout(() => this.#attend(), QUIET));
    }

    #attend() {
        const { context, session } = this;
        this.attending ??= context.load("attending").then(({ Attending }) => new Attending(context, session, this.first));
        this.attending.then((attending) => attending.follow(session.state), () => (this.attending = null));
    }

    /** @param {Name} name a failure becomes part of the page's state */
    #load(name) {
        this.context.load(name).catch(() => {});
    }

    /**
     * Loads the code that draws a game's table, and a while later the sheets, which must open without a connection too.
     *
     * @param {Table} table
     * @param {GameDetails} game
     */
    async #draw({ seats }, { game }) {
        const { context, session } = this;
        this.drawing = true;
        try {
            const [drawing] = await Promise.all([
                loadGame(game, context.client),
                context.load("playing"),
                seats.length < CROWD || loadStyles("crowd"),
                session.state.dealt && Promise.all([context.load("flights"), context.load("dealing")]).catch(() => {}),
            ]);
            session.set({ drawing });
        } catch (error) {
            console.error(error);
            session.set({ undrawn: true });
        }
        this.#attendSoon();
        this.timers.push(setTimeout(() => this.#load("sheets"), LONG_QUIET));
    }
}

/**
 * Shows the end of a trick or a deal before it is swept away.
 *
 * @param {Context} context
 * @param {() => SessionState} state
 * @returns {(table: Table) => Promise<boolean>}
 */
export function presenting(context, state) {
    return async (table) => {
        const { drawing, table: before } = state();
        if (before && table.events.some(({ type }) => type === "renamed")) context.load("remarks").then(({ followNames }) => followNames(context, before, table), console.warn);
        const root = document.querySelector(".play");
        if (!drawing || !root) return false;
        const holding = await context.load("holding").catch(() => null);
        return holding?.hold(root, table, drawing) ?? false;
    };
}

/**
 * Answers a pressed letter key. Its module is loaded at the first one.
 *
 * @param {Context} context
 * @param {TableSession} session
 * @param {KeyboardEvent} event
 */
export function pressed(context, session, event) {
    if (!context.settings.keys || !/^[a-z]$/i.test(event.key)) return;
    context
        .load("keys")
        .then(({ answer }) => answer(context, session, event))
        .catch(() => context.announce(context.t("problem.not_loaded")));
}

/**
 * @param {Context} context
 * @param {SessionState} state
 */
export function title({ t, language }, { table, game }) {
    if (!table || !game) return t("table");
    const yours = table.status === "playing" && table.moves.length > 0;
    return `${yours ? `${t("your_turn")} · ` : ""}${game.name[language]}`;
}

/**
 * @param {Context} context
 * @param {TableSession} session
 */
function waitingForFirst({ t }, session) {
    if (session.state.status !== "away") return html`<section class="problem" aria-busy="true"><h1>${t("loading")}</h1></section>`;
    const again = html`<button class="button" @click=${() => session.retry()}>${t("again")}</button>`;
    return problemView(t, { code: "unreachable", title: "" }, again);
}
