/**
 * A table: the waiting table while it is open, the playing table from then on; or why it cannot be shown.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { loadGame } from "../games/games.js";
import { TableSession } from "../session.js";
import { hintText } from "../table/bar.js";
import { problemTitle, problemView, reloadView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SessionState } from "../session.js" */
/** @import { Table } from "../types.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

/** @typedef {"waiting" | "playing" | "lost"} Part */

const TABLE = /^[A-Za-z0-9_-]{22}$/;

/**
 * @param {Context} context
 * @param {string} [id]
 * @param {string} [part] `review` of the table's deals
 * @param {string} [deal] the one to review
 * @returns {Promise<Screen>}
 */
export async function open(context, id = "", part, deal) {
    if (!TABLE.test(id)) {
        await context.need("lost");
        const { t } = context;
        return { title: () => t("table"), view: () => problemView(t, { code: "no_such_table", title: "" }) };
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
    let spoken = -1;
    let told = "";
    const session = new TableSession(client, id, {
        token: storage.seat(id)?.token ?? null,
        storage,
        onFirst: (table) => void load[table.status === "open" ? "waiting" : "playing"](context, session, table).catch(() => {}),
        say: (problem) => problemTitle(context.t, problem),
        onChange: (state) => {
            show(partOf(state));
            spoken = speak(context, state, spoken);
            context.telegram?.changed(state);
            if (context.settings.reminders) void import("../reminders.js").then(({ remind }) => remind(context, state));
            const said = state.notice?.text ?? hintText(state);
            if (said && said !== told) void say(context, state, said);
            told = said;
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
        const [{ playingScreen, prepare }] = await Promise.all([
            import("../table/playing.js"),
            context.need("play"),
            loadGame((table ?? now)?.game ?? "", context.client),
            dealt && import("../motion.js").then(({ prepareDeal }) => prepareDeal()),
        ]);
        prepare(context, session, (table ?? now)?.hints);
        return () => playingScreen(context, session);
    },
    async lost(context, session) {
        const [{ lostScreen }] = await Promise.all([import("./lost.js"), context.need("lost")]);
        return lostScreen(context, session);
    },
};

/**
 * Announces to screen readers what has happened since, once each.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {number} spoken the last version that was said
 */
function speak(context, state, spoken) {
    const { log, table } = state;
    const newest = log.at(-1)?.version ?? -1;
    if (!table || newest <= spoken) return spoken;
    const lines = log.filter(({ version }) => version > spoken && spoken >= 0).map(({ text }) => text);
    if (lines.length) void say(context, state, [...lines, table.words?.turn ?? ""].join(" ").trim());
    return newest;
}

/**
 * Says a sentence with its cards by name.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {string} text
 */
export async function say({ announce }, { game, table }, text) {
    const naming = await import("../cardtext.js").catch(() => null);
    announce(naming?.spoken(text, game, table?.seats.map(({ name }) => name)) ?? text);
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
