/**
 * The page: opens the screen that the address names, and renders it after each change.
 *
 * @module
 */

import { Client } from "./client.js";
import { BrowserStorage } from "./storage.js";
import { loadModule, screenOf } from "./modules.js";
import { languageOf, loadStyles, loadTexts, translator } from "./parts.js";
import { noChange, render } from "./vendor/lit-html/lit-html.js";
import { frame, reloadView } from "./screens/frame.js";
import { launchData } from "./telegram/launch.js";

/**
 * @import { TemplateResult } from "./vendor/lit-html/lit-html.js"
 * @import { Translate, Language, Part } from "./parts.js"
 * @import { Settings } from "./storage.js"
 * @import { TelegramApp } from "./telegram/app.js"
 * @import { Loaded, Module, Name } from "./modules.js"
 * @import { GameDetails, Table } from "./types.js"
 */

/**
 * A screen. `bare`: it fills the window, without the page's header. `close` ends the screen's streams and timers.
 *
 * @typedef {object} Screen
 * @property {() => string} title
 * @property {() => TemplateResult} view
 * @property {() => boolean} [bare]
 * @property {(event: KeyboardEvent) => void} [key] called with each key that is pressed
 * @property {() => void} [close]
 */

/**
 * The context of every screen.
 *
 * @typedef {object} Context
 * @property {Client} client
 * @property {BrowserStorage} storage
 * @property {Settings} settings
 * @property {Language} language
 * @property {Translate} t
 * @property {() => void} changed draws the screen again
 * @property {TelegramApp | null} telegram null outside Telegram
 * @property {(text: string) => void} announce says a sentence to screen readers
 * @property {(address: string, options?: {replace?: boolean, known?: Known}) => void} go to `#/…`
 * @property {Known | null} known while a screen opens: the table that it shows, if a call has just answered with it
 * @property {(changed: Partial<Settings>) => Promise<void>} configure
 * @property {(part: Part) => Promise<void>} need loads a part's texts and styles, once
 * @property {Loaded} modules parts of the page
 * @property {<N extends Name>(name: N) => Promise<Module<N>>} load loads a part of the page, again if it has failed before
 * @property {boolean} wide whether there is room for the history beside the table
 */

/** A table, which needs no second look. @typedef {{table: Table, game: GameDetails}} Known */

/** @typedef {(context: Context, ...rest: string[]) => Screen | Promise<Screen>} Opening */

/**
 * The page's state, replaced on each change.
 *
 * @typedef {object} PageState
 * @property {Screen | null} screen
 * @property {string} route its name
 * @property {string} announced the last text for screen readers
 * @property {{text: string, isRead: boolean}} maintenance `isRead`: shown long enough to be read; a table then hides it
 * @property {Settings} settings
 * @property {Language} language
 * @property {readonly Part[]} parts whose texts are loaded
 * @property {Translate} t
 * @property {Loaded} modules
 */

/** Milliseconds after the first screen before less urgent modules are loaded. */
const QUIET = 6000;
/** Milliseconds for which a failed call is retried before the page shows the failure. */
const PATIENCE = 5000;
/** Windows with room for the history beside the table (style/table.css). */
const WIDE = window.matchMedia("(min-width: 1400px) and (min-aspect-ratio: 11 / 10)");
const DARK = window.matchMedia("(prefers-color-scheme: dark)");
/** Key in the tab's storage: the release for which the page has already been reloaded. */
const RELOADED = "locanda.reloaded";

/** The page, which is the context of every screen. @implements {Context} */
class Page {
    /** @param {string} initData Telegram's launch data; empty outside Telegram */
    constructor(initData) {
        this.storage = new BrowserStorage(() => window.localStorage, { persistSeats: !initData, openTab: () => window.sessionStorage });
        this.client = new Client(document.baseURI, { words: true, apiKey: this.storage.apiKey || undefined, retry: { budget: PATIENCE } });
        /** @type {TelegramApp | null} */
        this.telegram = null;
        this.root = /** @type {HTMLElement} */ (document.getElementById("app"));
        /** The element into which the screen is rendered. */
        this.place = this.root;
        this.opening = 0;
        /** @type {Known | null} */
        this.known = null;
        this.scheduled = false;
        /** @type {Map<Name, Promise<any>>} */
        this.coming = new Map();
        const { settings } = this.storage;
        /** @type {PageState} */
        this.state = {
            screen: null,
            route: "",
            announced: "",
            maintenance: { text: "", isRead: false },
            settings,
            language: settings.language || languageOf(navigator.languages),
            parts: ["page"],
            t: (key) => key,
            modules: {},
        };
    }

    get settings() {
        return this.state.settings;
    }

    get language() {
        return this.state.language;
    }

    get modules() {
        return this.state.modules;
    }

    get wide() {
        return WIDE.matches;
    }

    /** @type {Translate} */
    t = (key, values) => this.state.t(key, values);

    /** @param {Partial<PageState>} changed */
    set(changed) {
        this.state = { ...this.state, ...changed };
        this.changed();
    }

    /** Renders once at the end of this task, however often it is called. */
    changed = () => {
        if (this.scheduled) return;
        this.scheduled = true;
        queueMicrotask(() => {
            this.scheduled = false;
            this.draw();
        });
    };

    /** Announces a text to screen readers. They read only changed texts, so a repeated one is changed slightly. @param {string} text */
    announce = (text) => {
        this.state = { ...this.state, announced: text === this.state.announced ? `${text}\u00a0` : text };
        if (!this.scheduled) this.draw(noChange);
    };

    /** @type {Context["go"]} */
    go = (address, { replace = false, known = null } = {}) => {
        this.known = known;
        if (!replace) location.hash = address;
        else {
            history.replaceState(null, "", address);
            void this.show();
        }
    };

    /** @param {Partial<Settings>} changed */
    configure = async (changed) => {
        this.storage.saveSettings(changed);
        this.state = { ...this.state, settings: { ...this.settings, ...changed } };
        await this.restyle();
    };

    /** @param {Part} part */
    need = async (part) => {
        await Promise.all([this.translate([part]), loadStyles(part)]);
    };

    /** @template {Name} N @param {N} name @returns {Promise<Module<N>>} */
    load = (name) => {
        const coming = this.coming.get(name) ?? this.fetch(name);
        this.coming.set(name, coming);
        return coming;
    };

    /** @param {Name} name */
    async fetch(name) {
        this.set({ modules: { ...this.modules, [name]: "loading" } });
        try {
            const module = await loadModule(name, this.need);
            this.set({ modules: { ...this.modules, [name]: module } });
            return module;
        } catch (error) {
            this.coming.delete(name);
            this.set({ modules: { ...this.modules, [name]: "failed" } });
            void this.replaceOld();
            throw error;
        }
    }

    /** Reloads the page if the server has another release, which no longer has the files of this one. */
    async replaceOld() {
        const page = await fetch(document.baseURI, { cache: "no-cache" }).then((answer) => answer.text()).catch(() => "");
        const [newest] = /static\/\w+\//.exec(page) ?? [];
        if (!newest || import.meta.url.includes(newest) || sessionStorage.getItem(RELOADED) === newest) return;
        sessionStorage.setItem(RELOADED, newest);
        location.reload();
    }

    /** Applies the settings: language, theme, suits, size, motion. */
    async apply() {
        const { settings, telegram } = this;
        const language = settings.language || telegram?.session?.language || languageOf(navigator.languages);
        this.state = { ...this.state, language };
        this.client.language = language;
        await this.translate([]);
        const system = telegram?.scheme ?? (DARK.matches ? "dark" : "light");
        const theme = settings.theme === "system" ? system : settings.theme;
        const { dataset } = document.documentElement;
        document.documentElement.lang = language;
        Object.assign(dataset, { theme, suits: settings.suits, look: settings.look, size: settings.size, motion: settings.motion ? "on" : "off" });
        if (settings.look !== "green" || settings.suits === "four") await loadStyles("looks").catch(() => {});
        telegram?.dress(settings.theme !== "system");
        this.frameWindow();
    }

    restyle = async () => {
        await this.apply();
        this.changed();
    };

    /** Gives the bars around the page, the browser's or Telegram's, the colour of the screen's upper edge. */
    frameWindow() {
        const { style } = document.documentElement;
        const edge = document.documentElement.dataset.bare === "yes" ? "--room" : "--felt";
        const ground = (style.getPropertyValue(edge) || getComputedStyle(document.documentElement).getPropertyValue(edge)).trim();
        document.querySelector("meta[name=theme-color]")?.setAttribute("content", ground);
        this.telegram?.frame(ground);
    }

    /**
     * Loads the texts of more parts, and of all loaded parts again in the page's language.
     *
     * @param {readonly Part[]} more
     * @returns {Promise<void>}
     */
    async translate(more) {
        const { language, parts } = this.state;
        const wanted = [...new Set([...parts, ...more])];
        const texts = await Promise.all(wanted.map((part) => loadTexts(language, part)));
        if (language !== this.language || parts !== this.state.parts) return this.translate(more);
        this.state = { ...this.state, parts: wanted, t: translator(language, ...texts) };
    }

    /** @param {typeof noChange} [view] if the screen stays the same */
    draw(view) {
        const { screen } = this.state;
        if (!screen) return;
        try {
            const title = screen.title();
            const bare = screen.bare?.() ?? false;
            unwrap(this.root);
            this.put(title, view ?? screen.view(), bare);
        } catch (error) {
            console.error(error);
            // A half-rendered element cannot be rendered again.
            this.place = document.createElement("div");
            this.root.replaceChildren(this.place);
            this.put(this.t("problem.bad_answer"), reloadView(this.t, "bad_answer"), false);
        }
    }

    /**
     * @param {string} title
     * @param {TemplateResult | typeof noChange} view
     * @param {boolean} bare
     */
    put(title, view, bare) {
        const { route, announced, maintenance: { text, isRead } } = this.state;
        document.title = title ? `${title} · Locanda` : "Locanda";
        const before = document.documentElement.dataset.bare;
        document.documentElement.dataset.bare = bare ? "yes" : "no";
        if (before !== document.documentElement.dataset.bare) this.frameWindow();
        render(frame(this, { view, bare, route, announced, maintenance: bare && isRead ? "" : text }), this.place);
    }

    /** Opens the screen that the address names, and closes the previous one. */
    show = async () => {
        const { telegram } = this;
        if (telegram?.relaunched(location.hash)) history.replaceState(null, "", "#/telegram");
        const [name = "", ...rest] = address();
        const turn = (this.opening += 1);
        const { screen: before } = this.state;
        before?.close?.();
        const screen = await this.openScreen(screenOf(name), rest);
        if (turn !== this.opening) {
            screen.close?.();
            return;
        }
        this.state = { ...this.state, screen, route: name, announced: "" };
        this.known = null;
        this.draw();
        telegram?.setBack(!["table", "telegram"].includes(name) || rest.length > 1);
        window.scrollTo(0, 0);
        if (before) document.querySelector("main")?.focus({ preventScroll: true });
    };

    /**
     * @param {Name} name
     * @param {string[]} rest
     * @returns {Promise<Screen>}
     */
    async openScreen(name, rest) {
        try {
            const { open } = /** @type {{open: Opening}} */ (await this.load(name));
            return await open(this, ...rest);
        } catch (error) {
            console.error(error);
            loadStyles("lost").catch(() => {});
            return { title: () => this.t("problem.not_loaded"), view: () => reloadView(this.t, "not_loaded") };
        }
    }

    /** Applies the settings (in Telegram also Telegram's) and shows the first screen. */
    async start() {
        const inTelegram = !this.storage.persistSeats;
        const first = screenOf(address()[0] ?? "");
        this.load(first).catch(() => {}); // starts loading before the texts that it needs
        if (inTelegram) {
            const { TelegramApp } = await this.load("telegramApp");
            this.telegram = new TelegramApp(initData, document.baseURI);
        }
        await this.apply();
        if (this.telegram) {
            await this.telegram.start(this, this.restyle);
            await this.apply();
        }
        this.root.replaceChildren();
        this.listen();
        await this.show();
        this.watchMaintenance();
        if (!inTelegram) setTimeout(keepPage, QUIET);
    }

    listen() {
        DARK.addEventListener("change", this.restyle);
        WIDE.addEventListener("change", this.changed);
        window.addEventListener("hashchange", this.show);
        window.addEventListener("storage", this.changed);
        navigator.serviceWorker?.addEventListener("message", this.answer);
        window.addEventListener("keydown", (event) => this.state.screen?.key?.(event));
    }

    /** Tells the service worker which screen is shown, and renews this browser's push subscriptions at the engine. @param {MessageEvent} event */
    answer = ({ data, ports: [port] }) => {
        if (data === "screen") port?.postMessage(location.hash || "#/");
        if (data === "subscribe" && this.settings.reminders) {
            const tables = this.storage.seats().map(({ table }) => table);
            this.load("pushing").then(({ subscribe }) => subscribe(this, tables), () => {});
        }
    };

    /** Starts to follow announced maintenance once the first screen has loaded and the network is there. */
    watchMaintenance = () => setTimeout(() => this.load("maintenance").then(({ watch }) => watch(this), this.watchMaintenance), QUIET);
}

/**
 * Replaces nodes that a browser's translator has wrapped by plain text. Otherwise templates would go on writing into nodes
 * that have been removed. The translator then translates changed texts again.
 *
 * @param {Element} root
 */
function unwrap(root) {
    for (const wrapped of root.querySelectorAll(":not(font) > font")) wrapped.replaceWith(wrapped.textContent ?? "");
}

/** The parts of the address. */
function address() {
    return location.hash.replace(/^#\/?/, "").split("/").map(decoded);
}

/** @param {string} part */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** Registers the service worker, which keeps the page for times without a connection. Browsers allow it only with TLS. */
function keepPage() {
    navigator.serviceWorker?.register(new URL("service-worker.js", document.baseURI)).catch(() => {});
}

// A link to a table (/t/…) opens the page too.
const [, invited = ""] = /\/t\/([^/]+)$/.exec(location.pathname) ?? [];
if (invited) history.replaceState(null, "", `../#/table/${invited}`);
const initData = launchData(location.hash, () => window.sessionStorage);
// Not awaited here: screens import from this module's bundle, and would wait for it.
void new Page(initData).start();
