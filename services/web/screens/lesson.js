/**
 * A lesson: the playing table with a stacked deal. The engine gives the whole script; nobody has a seat. Before each move
 * of the learner the lesson names the move and the reason. If the learner tries another move, the engine says why not.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { TableSession } from "../session.js";
import { hintText, say } from "../table/speech.js";
import { problemView } from "./frame.js";
import { Effects, presenting, pressed, title, view } from "./table.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { SessionState } from "../state.js" */
/** @import { GameDetails, Hint, JsonObject, Lesson, LessonMoment, LessonStep, Selection, Table, Verdict } from "../types.js" */

/** Milliseconds between the other players' moves, so that each can be seen. */
const PAUSE = 900;

/**
 * @param {Context} context
 * @param {string} name of the game
 * @returns {Promise<Screen>}
 */
export async function open(context, name) {
    const { client, t, settings } = context;
    /** @type {[GameDetails, Lesson] | Problem} */
    const answers = await Promise.all([client.game(name), client.lesson(name)]).catch((error) => error);
    if (!Array.isArray(answers)) return { title: () => t("lesson"), view: () => problemView(t, answers) };
    /** @type {LessonSession} */
    const session = new LessonSession(context, ...answers, () => effects);
    /** @type {Effects} */
    const effects = new Effects(context, session);
    await session.begin();
    if (!settings.taught?.includes(name)) void context.configure({ taught: [...(settings.taught ?? []), name] });
    return {
        title: () => `${t("lesson")} · ${title(context, session.state)}`,
        bare: () => true,
        view: () => html`<div class="lesson">${view(context, session)}</div>`,
        key: (event) => pressed(context, session, event),
        close: () => {
            session.close();
            effects.close();
        },
    };
}

/** Plays a lesson instead of a table of the engine. */
class LessonSession extends TableSession {
    /**
     * @param {Context} context
     * @param {GameDetails} game
     * @param {Lesson} lesson
     * @param {() => Effects} effects
     */
    constructor(context, game, lesson, effects) {
        const present = presenting(context, () => this.state);
        super(context.client, "", {
            token: null,
            present,
            onChange: (state) => {
                effects().follow(state);
                this.#changed();
            },
        });
        this.context = context;
        this.lesson = lesson;
        /** @type {SessionState} */
        this.state = { ...this.state, status: "live", game, lesson: lesson.game };
        this.version = 0;
        this.at = 0;
        this.moment = lesson.start;
        this.noticed = "";
        this.closed = false;
    }

    /** The next move, undefined at the end. @returns {LessonStep | undefined} */
    get step() {
        return this.lesson.steps[this.at];
    }

    async begin() {
        this.state = { ...this.state, dealt: true };
        await this.#show(this.lesson.start);
        this.#coach();
    }

    /** @override */
    close() {
        super.close();
        this.closed = true;
    }

    /**
     * Makes the move if the lesson expects it, then the moves of the others.
     *
     * @override
     * @param {JsonObject} move
     */
    async play(move) {
        const { step, state } = this;
        if (!step || state.busy || !state.table?.moves.length) return false;
        if (inOrder(move) !== inOrder(step.move)) {
            this.notify({ kind: "advice", code: "", text: step.allowed });
            return false;
        }
        this.at += 1;
        for (const [number, moment] of step.then.entries()) {
            if (number) await new Promise((resolve) => setTimeout(resolve, PAUSE));
            if (this.closed) break;
            await this.#show(moment);
            this.set({ selected: [] });
        }
        this.#coach();
        return true;
    }

    /**
     * @override
     * @param {Selection} selection
     * @returns {Promise<Verdict>}
     */
    async check(selection) {
        const { table } = this.state;
        if (!table?.moves.length) return { legal: false, text: table?.words?.turn };
        return this.client.checkOf(table.game, this.moment.deal, selection);
    }

    /** @param {LessonMoment} moment */
    async #show(moment) {
        this.moment = moment;
        await this.write(async () => this.#table(moment));
    }

    /** Says what happened, and the next task. */
    #coach() {
        const { step, lesson, context } = this;
        if (step) {
            const move = /** @type {Hint["move"]} */ (step.move);
            const hint = { move, text: step.label, reason: { code: "lesson", text: step.text }, simulations: 0 };
            this.set({ hint });
        }
        const events = this.moment.words.events.filter(Boolean);
        say(context, this.state, [...events, step ? hintText(this.state) : lesson.end].join(" "));
    }

    /** Announces a new notice. */
    #changed() {
        const text = this.state.notice?.text ?? "";
        if (text && text !== this.noticed) say(this.context, this.state, text);
        this.noticed = text;
        this.context.changed();
    }

    /**
     * Returns a moment of the lesson in the form of a table, with the fields that the playing table needs.
     *
     * @param {LessonMoment} moment
     * @returns {Table}
     */
    #table({ view, moves, events, words }) {
        const { lesson, context } = this;
        const over = events.find(({ type }) => type === "deal_over");
        this.version += 1;
        return /** @type {any} */ ({
            id: "",
            game: lesson.game,
            status: over ? "over" : "playing",
            version: this.version,
            host: null,
            you: lesson.you,
            seats: lesson.names.map((name, seat) => ({ seat, name, kind: "person" })),
            match: { number: 1, deal: 1, points: [], result: over?.result ?? null },
            deal: view,
            moves,
            events,
            words: { ...words, title: context.t("lesson"), score: [], ending: over ? lesson.end : "" },
        });
    }
}

/**
 * A move as text, whatever the order of its cards.
 *
 * @param {JsonObject} move
 */
const inOrder = (move) => JSON.stringify(move, (_, value) => (Array.isArray(value) ? [...value].sort() : value));
