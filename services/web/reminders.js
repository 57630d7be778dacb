/**
 * Reminders of the person's turn: notifications of the system while the page is hidden, if they have switched them on.
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

/** As in the bot: a quarter of the limit before its end, and none for short turns. */
const SHARE = 4;
const SHORTEST = 120;

/**
 * Returns whether pages can show notifications here. Chrome on Android has the class and throws when it is used; while
 * the person has not allowed any, a try shows none.
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

/** Asks the person, if they have not answered yet. */
export async function askLeave() {
    await Notification.requestPermission();
}

/** Reminds somebody at one table. */
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
     * Reminds of a turn that has come, and again when little of its time is left.
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
     * @param {string} table its id: the newer notification takes the place of the older one
     * @param {string} title
     * @param {string} body
     */
    #show(table, title, body) {
        if (!document.hidden || !isAllowed()) return;
        try {
            this.shown = new Notification(title, { body, tag: table, icon: new URL("./icon.svg", import.meta.url).href });
        } catch {
            return; // a browser that was let to, and cannot
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
