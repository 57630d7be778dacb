/**
 * A table: the waiting table while it is open, the playing table from then on, and what is the case where it cannot be
 * seen.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { loadGame } from "../games/games.js";
import { TableSession } from "../session.js";
import { problemTitle, problemView } from "./problem.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SessionState } from "../session.js" */
/** @import { Translate } from "../texts.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

const TABLE = /^[A-Za-z0-9_-]{22}$/;

/** @typedef {(state: SessionState, actions: TableSession, settings: import("../storage.js").Settings, t: Translate) => TemplateResult} PlayingScreen */

/**
 * @param {Context} context
 * @param {string} [id]
 * @param {string} [part] `review` of the table's deals
 * @param {string} [deal] the one to review
 * @returns {Promise<Screen>}
 */
export async function open(context, id = "", part, deal) {
    if (!TABLE.test(id)) {
        const { t } = context;
        return { title: () => t("table"), view: () => problemView(t, { code: "no_such_table", title: "" }) };
    }
    if (part === "review") {
        const [review] = await Promise.all([import("../table/review.js"), context.need("play"), context.need("review")]);
        return review.open(context, id, deal);
    }
    const { client, keeper } = context;
    /** @type {"" | "waiting" | "playing"} */
    let wanted = "";
    /** @type {{name: "waiting" | "playing", view: () => TemplateResult} | null} */
    let shown = null;
    let failed = false;
    let spoken = -1;
    let turn = false;
    let told = "";
    const session = new TableSession(client, id, {
        token: keeper.seat(id)?.token ?? null,
        keeper,
        say: (problem) => problemTitle(context.t, problem),
        onChange: (state) => {
            if (state.table) show(state.table.status === "open" ? "waiting" : "playing");
            spoken = speak(context, state, spoken);
            const mine = (state.table?.moves.length ?? 0) > 0;
            if (mine && !turn) context.telegram?.yourTurn();
            turn = mine;
            const said = state.notice?.text ?? state.hint?.reason.text ?? "";
            if (said && said !== told) context.announce(said);
            told = said;
            context.changed();
        },
    });
    /** @param {"waiting" | "playing"} name */
    const show = async (name) => {
        if (wanted === name) return;
        wanted = name;
        try {
            const view = await (name === "waiting" ? waiting() : playing());
            if (wanted === name) shown = { name, view };
        } catch (error) {
            console.error(error);
            failed = true;
        }
        context.changed();
    };
    const waiting = async () => {
        const [{ waitingScreen }] = await Promise.all([import("./waiting.js"), context.need("lobby")]);
        return () => waitingScreen(context, session);
    };
    const playing = async () => {
        const [{ playingScreen }] = await Promise.all([
            import("../table/playing.js"),
            context.need("play"),
            loadGame(session.state.table?.game ?? ""),
        ]);
        return () => playingScreen(session.state, session, context.settings, context.t);
    };
    session.open();
    return {
        title: () => title(context, session.state),
        bare: () => shown?.name === "playing" && session.state.status !== "problem",
        close: () => session.close(),
        view: () => {
            if (session.state.status === "problem") return lost(context, session);
            if (failed) return notLoaded(context);
            return shown && session.state.game ? shown.view() : waitingForFirst(context, session);
        },
    };
}

/** @param {Context} context */
function notLoaded({ t }) {
    const again = html`<button class="button" @click=${() => location.reload()}>${t("reload")}</button>`;
    return problemView(t, { code: "not_loaded", title: "" }, again);
}

/**
 * Says what has happened since, once each.
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
    if (lines.length) context.announce([...lines, table.words?.turn ?? ""].join(" ").trim());
    return newest;
}

/**
 * @param {Context} context
 * @param {SessionState} state
 */
function title({ t, language }, { table, game }) {
    if (!table || !game) return t("table");
    const yours = table.status === "playing" && table.moves.length > 0;
    return `${yours ? `${t("your_turn")} · ` : ""}${game.name[language]}`;
}

/**
 * @param {Context} context
 * @param {TableSession} session
 */
function waitingForFirst({ t }, session) {
    const away = session.state.status === "away";
    return html`
        <section class="problem" aria-busy=${!away}>
            <h1>${t(away ? "problem.unreachable" : "loading")}</h1>
            ${away
                ? html`
                      <p>${t("advice.unreachable")}</p>
                      <p class="actions">
                          <button class="button" @click=${() => session.retry()}>${t("again")}</button>
                          <a class="button quiet" href="#/">${t("to_lobby")}</a>
                      </p>
                  `
                : nothing}
        </section>
    `;
}

/**
 * @param {Context} context
 * @param {TableSession} session
 */
function lost(context, session) {
    const { t, keeper } = context;
    const problem = session.state.problem ?? { code: "unexpected", title: "" };
    const forget = () => {
        keeper.forgetSeat(session.id);
        context.go("#/");
    };
    switch (problem.code) {
        case "wrong_token":
            return problemView(t, problem, html`<button class="button" @click=${() => session.watch()}>${t("watch")}</button>`);
        case "no_such_table":
            if (!keeper.seat(session.id)) return problemView(t, problem);
            return problemView(t, problem, html`<button class="button" @click=${forget}>${t("forget")}</button>`);
        default:
            return problemView(t, problem, html`<button class="button" @click=${() => session.retry()}>${t("again")}</button>`);
    }
}
