/**
 * Loads Telegram's script, and makes the bot's calls.
 *
 * @module
 */

import { Problem } from "../client.js";

const SCRIPT = "https://telegram.org/js/telegram-web-app.js";

/**
 * Loads Telegram's script.
 *
 * @returns {Promise<WebApp | null>} null where it cannot be loaded: the page works without it
 */
export function loadWebApp() {
    return new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = SCRIPT;
        script.onload = () => resolve(window.Telegram?.WebApp ?? null);
        script.onerror = () => resolve(null);
        document.head.append(script);
    });
}

/** @typedef {import("telegram-web-app").WebApp} WebApp */

/**
 * What the bot says of the person and their table (`POST /telegram/session`).
 *
 * @typedef {object} AppSession
 * @property {string | null} table the engine's id; null until somebody sits there
 * @property {string} game
 * @property {string | null} token of one's seat; null for who only watches
 * @property {string} name
 * @property {"it" | "en"} language
 * @property {boolean} may_sit
 * @property {boolean} group whether the table is a group's
 */

/**
 * Makes one of the bot's calls for the Mini App: `POST /telegram/…`.
 *
 * @param {string} base the page's own address
 * @param {string} call the last part of its path
 * @param {{init_data: string} & Record<string, unknown>} wanted
 * @returns {Promise<any>} the answer; throws `Problem`
 */
export async function askBot(base, call, wanted) {
    const table = new URL(base).searchParams.get("table");
    const body = JSON.stringify({ ...wanted, ...(table ? { table } : {}) });
    const headers = { "Content-Type": "application/json" };
    let problem = { status: 0, code: "unreachable", title: "" };
    try {
        const response = await fetch(new URL(`telegram/${call}`, base), { method: "POST", headers, body });
        const answer = await response.json();
        if (response.ok) return answer;
        if (typeof answer.code === "string") problem = { ...answer, status: response.status };
    } catch {
        // The bot is away, or something in between has answered in its place.
    }
    throw new Problem(problem);
}
