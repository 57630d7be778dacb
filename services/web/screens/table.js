/**
 * A table: the waiting table while it is open, the playing table from then on; or why it cannot be shown.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { loadGame } from "../games/games.js";
import { loadStyles } from "../parts.js";
import { TableSession } from "../session.js";
import { problemTitle, problemView, reloadView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SessionState } from "../session.js" */
/** @import { Table } from "../types.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

/** @typedef {"waiting" | "playing" | "lost"} Part */

/** Of so many at a table, each has less room (style/crowd.css). */
const CROWD = 6;
const TABLE = /^[\w-]{22}$/;

/**
 * @param {Context} context
 * @param {string} [id]
 * @param {string} [part] `review` of the table's deals
 * @param {string} [deal] the one to review
 * @returns {Promise<Screen>}
 */
export async function open(context, id = "", part, deal) {
    if (!TABLE.test(id)) {
        const { noTable } = await import("./lost.js");
        return noTable(context);
    }
    if (part === "review") {
        const needed = /** @type {const} */ (["play", "review", "lost"]).map(context.need);
        const [review] = await Promise.all([import("../table/review.js"), ...needed]);
        return review.open(context, id, deal);
    }
    const { client, storage } = context;
    /** @type {"" | Part} */
    let wanted = "";
    /** @type {{name: Part, view: () => TemplateResult} | null} */
    let shown = null;
    let failed = false;
    const heard = { version: -1, text: "" };
    const session = new TableSession(client, id, {
        token: storage.seat(id)?.token ?? null,
        storage,
        onFirst: (table) => void load[table.status === "open" ? "waiting" : "playing"](context, session, table).catch(() => {}),
        say: (problem) => problemTitle(context.t, problem),
        onChange: (state) => {
            show(partOf(state));
            speak(context, state, heard);
            context.telegram?.changed(state);
            if (context.settings.reminders) void import("../reminders.js").then(({ remind }) => remind(context, state));
            context.changed();
        },
    });
    /** @param {"" | Part} name */
    const show = async (name) => {
        if (wanted === name) return;
        wanted = name;
        if (!name) return void (shown = null);
        try {
            const view = await load[name](context, session);
            if (wanted === name) shown = { name, view };
        } catch (error) {
            console.error(error);
            failed = true;
        }
        context.changed();
    };
    session.open();
    return {
        title: () => title(context, session.state),
        bare: () => !shown || shown.name === "playing",
        key: (event) => pressed(context, session, event),
        close: () => session.close(),
        view: () => {
            if (failed) return reloadView(context.t, "not_loaded");
            return shown ? shown.view() : waitingForFirst(context, session);
        },
    };
}

/** @param {SessionState} state */
function partOf({ status, table, game }) {
    if (status === "problem") return "lost";
    if (!table || !game) return "";
    return table.status === "open" ? "waiting" : "playing";
}

/**
 * What the screen consists of, each loaded when the table comes to it.
 *
 * @type {Record<Part, (context: Context, session: TableSession, first?: Table) => Promise<() => TemplateResult>>}
 */
export const load = {
    async waiting(context, session) {
        const [{ waitingScreen }] = await Promise.all([import("./waiting.js"), context.need("lobby")]);
        return () => waitingScreen(context, session);
    },
    async playing(context, session, table) {
        const { table: now, dealt } = session.state;
        const { game = "", hints, seats = [] } = table ?? now ?? {};
        const [{ playingScreen, prepare }] = await Promise.all([
            import("../table/playing.js"),
            context.need("play"),
            loadGame(game, context.client),
            seats.length < CROWD || loadStyles("crowd"),
            dealt && import("../motion.js").then(({ prepareDeal }) => prepareDeal()),
        ]);
        prepare(context, session, hints);
        return () => playingScreen(context, session);
    },
    async lost(context, session) {
        const [{ lostScreen }] = await Promise.all([import("./lost.js"), context.need("lost")]);
        return lostScreen(context, session);
    },
};

/**
 * Has what is new said to screen readers. What says it is loaded when something has happened since the table was opened.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {{version: number, text: string}} heard the last version, refusal or hint that was said
 */
function speak(context, state, heard) {
    const { log, notice, hint } = state;
    const { version } = heard;
    const newest = log.at(-1)?.version ?? -1;
    if (newest === version && !notice && !hint && !heard.text) return;
    if (version < 0 && !notice && !hint) heard.version = newest;
    else import("../table/speech.js").then(({ sayNew }) => sayNew(context, state, heard), () => undefined); // offline
}

/**
 * Says what a letter asks for. What answers is loaded with the first of them.
 *
 * @param {Context} context
 * @param {TableSession} session
 * @param {KeyboardEvent} event
 */
export function pressed(context, session, event) {
    if (!context.settings.keys || !/^[a-z]$/i.test(event.key)) return;
    import("../table/keys.js")
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
