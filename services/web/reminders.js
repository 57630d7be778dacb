/**
 * Reminders of one's turn: notifications of the system while the page is hidden, for those who have switched them on.
 *
 * @module
 */

import { canPush, subscribe } from "./pushing.js";

/**
 * @import { Context } from "./app.js"
 * @import { SessionState } from "./session.js"
 * @import { Table } from "./types.js"
 */

/** As the bot does it: a quarter of the limit before its end, and not where turns are short. */
const SHARE = 4;
const SHORTEST = 120;

/** The tables of which this page has the engine push notices. @type {Set<string>} */
const pushed = new Set();
/** The table at which it is this person's turn, by its id; empty for none. */
let waiting = "";
/** @type {Notification | null} */
let shown = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let alarm = undefined;

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

/** Whether the person lets the page show notifications. */
export function isAllowed() {
    return globalThis.Notification?.permission === "granted";
}

/** Asks the person, if they have not answered yet. */
export async function askLeave() {
    await Notification.requestPermission();
}

/**
 * Reminds of a turn that has come, and again when little of its time is left.
 *
 * @param {Context} context
 * @param {SessionState} state after each change of a table
 */
export function remind(context, { table, game }) {
    const { t, language, telegram } = context;
    if (telegram) return; // where the bot does
    if (table && !pushed.has(table.id)) {
        pushed.add(table.id);
        subscribe(context, [table.id]).catch(() => pushed.delete(table.id));
    }
    const before = waiting;
    waiting = table && isOnTurn(table) ? table.id : "";
    if (waiting === before) return;
    clearTimeout(alarm);
    shown?.close();
    if (!waiting || !table || !game) return;
    const notify = (/** @type {string} */ body) => show(table.id, `${t("your_turn")} · ${game.name[language]}`, body);
    notify("");
    const { deadline, turn_seconds: limit } = table;
    if (!deadline || !limit || limit < SHORTEST) return;
    const left = (limit * 1000) / SHARE;
    const wait = Date.parse(deadline) - left - Date.now();
    // Imported here, as the settings need none of the table.
    const again = () => import("./table/seats.js").then(({ timeText }) => notify(timeText(left, t)), console.error);
    if (wait > 0) alarm = setTimeout(again, wait);
}

/** @param {Table} table */
function isOnTurn({ status, you, deal, seats }) {
    return status === "playing" && you !== null && deal?.turn === you && !seats[you]?.away;
}

/**
 * @param {string} table its id: the newer notification takes the place of the older one
 * @param {string} title
 * @param {string} body
 */
function show(table, title, body) {
    if (!document.hidden || !isAllowed() || !location.hash.includes(table)) return;
    try {
        shown = new Notification(title, { body, tag: table, icon: new URL("./icon.svg", import.meta.url).href });
    } catch {
        return; // a browser that was let to, and cannot
    }
    shown.onclick = () => {
        window.focus();
        shown?.close();
    };
}

document.addEventListener("visibilitychange", () => document.hidden || shown?.close());
