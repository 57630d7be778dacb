/**
 * Effects of a table's state besides drawing: speech, sounds, reminders, the server's time. Loaded after the first cards.
 *
 * @module
 */

import { clockAhead } from "../clock.js";

/** @import { Context } from "../app.js" */
/** @import { Reminders } from "../reminders.js" */
/** @import { TableSession } from "../session.js" */
/** @import { SessionState } from "../state.js" */
/** @import { Heard } from "../table/speech.js" */

/** Milliseconds for which a line stays, so that it can be read. */
const READING = 15_000;

/** The effects of one table. */
export class Attending {
    /** What was announced to screen readers. @type {Heard} */
    heard;
    timed = false;
    /** @type {Promise<Reminders> | null} */
    reminders = null;

    /**
     * @param {Context} context
     * @param {TableSession} session
     * @param {number} first the first version of the table that was shown
     */
    constructor(context, session, first) {
        this.context = context;
        this.session = session;
        this.first = first;
        this.heard = { version: first, text: "", until: 0 };
        if (!context.storage.persistent && !context.telegram && !session.state.lesson) this.#warn();
    }

    close() {
        clearTimeout(this.heard.again);
        this.reminders?.then((reminders) => reminders.close(), () => {});
    }

    /** @param {SessionState} state after each change */
    follow(state) {
        const { context, session } = this;
        const { table, sheet, phrases } = state;
        if (sheet?.name === "remarks" && phrases === null) context.load("remarks").then(({ learnPhrases }) => learnPhrases(session), () => {});
        if (!table) return;
        if (table.version !== this.first && context.settings.sound && !context.modules.sound) context.load("sound").catch(() => {});
        if (state.lesson) return;
        if (table.version !== this.first || table.status === "over") context.load("sheets").then(({ follow }) => follow(context, session), () => {});
        this.#speak(state);
        if ((table.deadline || table.rematch?.deadline) && !this.timed) {
            this.timed = true;
            clockAhead().then((ahead) => session.set({ ahead }), () => {});
        }
        if (context.settings.reminders && !context.telegram) this.#remind(state);
    }

    /** Warns that the seat lasts only as long as the tab. */
    #warn() {
        const code = "storage_refused";
        this.session.notify({ kind: "advice", code, text: this.context.t(code), until: Date.now() + READING });
    }

    /** @param {SessionState} state */
    #remind(state) {
        const { context } = this;
        this.reminders ??= context.load("reminders").then(({ Reminders }) => new Reminders(context));
        this.reminders.then((reminders) => reminders.remind(state), () => (this.reminders = null));
    }

    /**
     * Announces news to screen readers. The module for that is loaded once something has happened since the table was opened.
     *
     * @param {SessionState} state
     */
    #speak(state) {
        const { heard, context, session } = this;
        const { log, notice, hint } = state;
        const newest = log.at(-1)?.version ?? -1;
        if (newest <= heard.version && !notice && !hint && !heard.text) return;
        context.load("speech").then(({ sayNew }) => sayNew(context, session, heard), () => {}); // offline
    }
}
