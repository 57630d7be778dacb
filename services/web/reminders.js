/**
 * Reminders of the person's turn: system notifications while the page is hidden, if the person has enabled them.
 *
 * @module
 */

import { timeText } from "./clock.js";
import { canPush, subscribe } from "./pushing.js";

/**
 * @import { Context } from "./app.js"
 * @import { SessionState } from "./state.js"
 * @import { Table } from "./types.js"
 */

/** As in the bot, the second reminder comes when a quarter of the time is left. Short turns have none. */
const SHARE = 4;
const SHORTEST = 120;

/**
 * Returns whether pages can show notifications here. Chrome on Android has the class but throws when it is used, so this
 * tries it; without the person's permission the try shows nothing.
 */
export function canRemind() {
    if (!("Notification" in globalThis)) return false;
    if (isAllowed() || canPush()) return true;
    try {
        new Notification("");
        return true;
    } catch {
        return false;
    }
}

/** Whether the person allows notifications. */
export function isAllowed() {
    return globalThis.Notification?.permission === "granted";
}

/** Asks the person for permission, if they have not answered yet. */
export async function askLeave() {
    await Notification.requestPermission();
}

/** The reminders of one table. */
export class Reminders {
    pushed = false;
    waiting = false;
    /** @type {Notification | null} */
    shown = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    alarm = undefined;

    /** @param {Context} context */
    constructor(context) {
        this.context = context;
        this.listening = new AbortController();
        const seen = () => document.hidden || this.shown?.close();
        document.addEventListener("visibilitychange", seen, { signal: this.listening.signal });
    }

    close() {
        clearTimeout(this.alarm);
        this.listening.abort();
    }

    /**
     * Reminds the person when their turn comes, and again when little time is left.
     *
     * @param {SessionState} state after each change of a table
     */
    remind({ table, game, ahead }) {
        const { t, language } = this.context;
        if (table && !this.pushed) this.#push(table.id);
        const before = this.waiting;
        this.waiting = table !== null && isOnTurn(table);
        if (this.waiting === before) return;
        clearTimeout(this.alarm);
        this.shown?.close();
        if (!this.waiting || !table || !game) return;
        const notify = (/** @type {string} */ body) => this.#show(table.id, `${t("your_turn")} · ${game.name[language]}`, body);
        notify("");
        const { deadline, turn_seconds: limit } = table;
        if (!deadline || !limit || limit < SHORTEST) return;
        const left = (limit * 1000) / SHARE;
        const wait = Date.parse(deadline) + ahead - left - Date.now();
        if (wait > 0) this.alarm = setTimeout(() => notify(timeText(left, t)), wait);
    }

    /** @param {string} table */
    #push(table) {
        this.pushed = true;
        subscribe(this.context, [table]).catch(() => (this.pushed = false));
    }

    /**
     * @param {string} table its id, so that a newer notification replaces the older one
     * @param {string} title
     * @param {string} body
     */
    #show(table, title, body) {
        if (!document.hidden || !isAllowed()) return;
        try {
            this.shown = new Notification(title, { body, tag: table, icon: new URL("./icon.svg", import.meta.url).href });
        } catch {
            return; // a browser that has permission but cannot show notifications
        }
        this.shown.onclick = () => {
            window.focus();
            this.shown?.close();
        };
    }
}

/** @param {Table} table */
function isOnTurn({ status, you, deal, seats }) {
    return status === "playing" && you !== null && deal?.turn === you && !seats[you]?.away;
}
