/**
 * The page inside Telegram: Telegram's script, the bot's calls, the person's seat, and Telegram's theme, back and settings
 * buttons, and haptics.
 *
 * Functions of Telegram's script are called only if the app's version has them (Bot API, Mini Apps).
 *
 * @module
 */

import { Problem } from "../client.js";
import { pageColours } from "./colours.js";
import { launchData } from "./launch.js";

/** @import { Context } from "../app.js" */
/** @import { SessionState } from "../state.js" */

const SCRIPT = "https://telegram.org/js/telegram-web-app.js";

/** @typedef {import("telegram-web-app").WebApp} WebApp */

/**
 * The bot's answer about the person and their table (`POST /telegram/session`).
 *
 * @typedef {object} AppSession
 * @property {string | null} table the engine's id; null until somebody sits there
 * @property {string} game
 * @property {string | null} token of the person's seat; null for spectators
 * @property {string} name
 * @property {"it" | "en"} language
 * @property {boolean} may_sit
 * @property {boolean} group whether the table belongs to a group
 * @property {string} link a link for the group that opens the app at the table; empty if there is none
 */

export class TelegramApp {
    /**
     * @param {string} initData
     * @param {string} base the page's own address
     */
    constructor(initData, base) {
        this.initData = initData;
        this.base = base;
        /** @type {WebApp | null} */
        this.webApp = null;
        /** @type {AppSession | null} */
        this.session = null;
        /** @type {string[]} */
        this.coloured = [];
        this.turn = false;
    }

    /** @returns {"light" | "dark" | null} Telegram's; null if its script could not be loaded */
    get scheme() {
        return this.webApp?.colorScheme ?? null;
    }

    /**
     * Loads Telegram's script and connects its buttons.
     *
     * @param {Context} context
     * @param {() => void} restyle applies the page's settings and colours again
     */
    async start(context, restyle) {
        const app = (this.webApp = await loadWebApp());
        if (!app) return;
        app.onEvent("themeChanged", restyle);
        if (app.isVersionAtLeast("6.1")) app.BackButton.onClick(() => history.back());
        if (app.isVersionAtLeast("6.10")) {
            app.SettingsButton.onClick(() => context.go("#/settings"));
            app.SettingsButton.show();
        }
        if (app.isVersionAtLeast("7.7")) app.disableVerticalSwipes();
        app.expand();
        app.ready();
    }

    /**
     * Uses Telegram's colours, unless the person has chosen a theme.
     *
     * @param {boolean} own whether the person has chosen a theme of the page
     */
    dress(own) {
        const { webApp: app } = this;
        const { style } = document.documentElement;
        for (const name of this.coloured) style.removeProperty(name);
        const colours = own || !app ? {} : pageColours(/** @type {Record<string, string>} */ (app.themeParams));
        for (const [name, colour] of Object.entries(colours)) style.setProperty(name, colour);
        this.coloured = Object.keys(colours);
    }

    /**
     * Gives Telegram's frame the colour of the screen's upper edge.
     *
     * @param {string} ground
     */
    frame(ground) {
        const { webApp: app } = this;
        if (!app || !/^#[0-9a-f]{6}$/i.test(ground)) return;
        if (app.isVersionAtLeast("6.9")) app.setHeaderColor(/** @type {`#${string}`} */ (ground));
        if (app.isVersionAtLeast("6.1")) app.setBackgroundColor(/** @type {`#${string}`} */ (ground));
    }

    /** @param {boolean} deeper whether there is a screen to go back to */
    setBack(deeper) {
        if (!this.webApp?.isVersionAtLeast("6.1")) return;
        if (deeper) this.webApp.BackButton.show();
        else this.webApp.BackButton.hide();
    }

    /**
     * Lets the phone vibrate briefly when the person's turn comes.
     *
     * @param {SessionState} state after each change of a table
     */
    changed({ table }) {
        const turn = (table?.moves.length ?? 0) > 0;
        if (turn && !this.turn && this.webApp?.isVersionAtLeast("6.1")) {
            this.webApp.HapticFeedback.notificationOccurred("warning");
        }
        this.turn = turn;
    }

    /**
     * Asks the bot for the person's table, and keeps their seat as long as the page is open.
     *
     * @param {Context} context
     * @param {{sit?: boolean}} [wanted]
     * @returns {Promise<AppSession>} throws `Problem`
     */
    async open(context, { sit = false } = {}) {
        /** @type {AppSession} */
        const session = await this.ask("session", { sit });
        this.session = session;
        const { table, token, name, game } = session;
        if (table && token) context.storage.saveSeat(table, { game, token, name });
        return session;
    }

    /**
     * Makes one of the bot's calls.
     *
     * @param {string} call the last part of its path
     * @param {Record<string, unknown>} wanted
     * @returns {Promise<any>} throws `Problem`
     */
    ask(call, wanted) {
        return askBot(this.base, call, { init_data: this.initData, ...wanted });
    }

    /**
     * Uses new launch data if another link was opened while the app was open.
     *
     * @param {string} hash of the page's address
     * @returns {boolean} whether there was another link
     */
    relaunched(hash) {
        if (!hash.includes("tgWebAppData=")) return false;
        this.initData = launchData(hash, () => window.sessionStorage);
        this.session = null;
        return true;
    }

    /** @param {string} table @returns {boolean} whether this is the opened table and it belongs to a group */
    isOfGroup(table) {
        return this.session?.table === table && this.session.group;
    }

    /** @param {string} table @returns {string} the link that opens the app at a table; empty if there is none */
    linkTo(table) {
        return this.session?.table === table ? this.session.link : "";
    }

    /**
     * Lets the person choose a chat for a link.
     *
     * @param {string} link
     */
    share(link) {
        const address = `https://t.me/share/url?url=${encodeURIComponent(link)}`;
        if (this.webApp?.isVersionAtLeast("6.1")) this.webApp.openTelegramLink(address);
        else location.href = address;
    }

    /** @param {string} table @returns {boolean} whether the person can sit down at a table under their own name */
    maySit(table) {
        return this.session?.table === table && this.session.may_sit && this.session.token === null;
    }
}

/**
 * Loads Telegram's script.
 *
 * @returns {Promise<WebApp | null>} null if it cannot be loaded: the page works without it
 */
function loadWebApp() {
    return new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = SCRIPT;
        script.onload = () => resolve(window.Telegram?.WebApp ?? null);
        script.onerror = () => resolve(null);
        document.head.append(script);
    });
}

/**
 * Makes one of the bot's calls for the Mini App: `POST /telegram/…`.
 *
 * @param {string} base the page's own address
 * @param {string} call the last part of its path
 * @param {{init_data: string} & Record<string, unknown>} wanted
 * @returns {Promise<any>} the answer; throws `Problem`
 */
async function askBot(base, call, wanted) {
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
        // The bot is unreachable, or a proxy has answered instead.
    }
    throw new Problem(problem);
}
