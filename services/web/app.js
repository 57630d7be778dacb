/**
 * The page: opens the screen that the address names, and renders it after each change.
 *
 * @module
 */

import { Client } from "./client.js";
import { BrowserStorage } from "./storage.js";
import { languageOf, loadStyles, loadTexts, translator } from "./parts.js";
import { noChange, render } from "./vendor/lit-html/lit-html.js";
import { frame, reloadView } from "./screens/frame.js";
import { launchData } from "./telegram/launch.js";

/**
 * @import { TemplateResult } from "./vendor/lit-html/lit-html.js"
 * @import { Translate, Language, Part } from "./parts.js"
 * @import { Settings } from "./storage.js"
 * @import { TelegramApp } from "./telegram/app.js"
 */

/**
 * A screen. `bare`: it fills the window, without the page's header. `close` ends its streams and timers.
 *
 * @typedef {object} Screen
 * @property {() => string} title
 * @property {() => TemplateResult} view
 * @property {() => boolean} [bare]
 * @property {(event: KeyboardEvent) => void} [key] called with each key that is pressed
 * @property {() => void} [close]
 */

/**
 * What every screen works with.
 *
 * @typedef {object} Context
 * @property {Client} client
 * @property {BrowserStorage} storage
 * @property {Settings} settings
 * @property {Language} language
 * @property {Translate} t
 * @property {() => void} changed draws the screen again
 * @property {TelegramApp | null} telegram where the page is a Mini App
 * @property {(text: string) => void} announce says a sentence to screen readers
 * @property {(address: string, options?: {replace?: boolean}) => void} go to `#/…`
 * @property {(changed: Partial<Settings>) => Promise<void>} configure
 * @property {(part: Part) => Promise<void>} need loads texts and styles of a part, once
 */

/** @typedef {(context: Context, ...rest: string[]) => Screen | Promise<Screen>} Opening */

/**
 * By the first part of the address: the texts and styles that a screen needs, and its module in `screens/`.
 *
 * @type {Record<string, [Part, string]>}
 */
const SCREENS = {
    "": ["lobby", "lobby"],
    solo: ["lobby", "solo"],
    new: ["lobby", "new-table"],
    rules: ["lobby", "rules"],
    lesson: ["lobby", "lesson"],
    table: ["page", "table"],
    tv: ["tv", "tv"],
    mine: ["lobby", "mine"],
    settings: ["lobby", "settings"],
    telegram: ["lobby", "telegram"],
};

/** Of an address that is no screen's. @type {[Part, string]} */
const LOST = ["lost", "lost"];

/** Milliseconds that the first screen has for itself. */
const QUIET = 6000;
/** Milliseconds in which a call is tried again, before a person is told. */
const PATIENCE = 5000;

// The page is at the address of a link to a table too.
const [, invited = ""] = /\/t\/([^/]+)$/.exec(location.pathname) ?? [];
if (invited) history.replaceState(null, "", `../#/table/${invited}`);

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const initData = launchData(location.hash, () => window.sessionStorage);
const storage = new BrowserStorage(() => window.localStorage, { persistSeats: !initData });
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** @type {Screen | null} */
let screen = null;
let route = "";
let opening = 0;
let announced = "";
let maintenance = "";
/** Whether there was time to read the line: a table needs the room. */
let isRead = false;
let scheduled = false;
/** The parts whose texts and styles are loaded. @type {Set<Part>} */
const parts = new Set(["page"]);
/** The element into which the screen is rendered. */
let place = root;

/** @type {Context} */
const context = {
    client: new Client(document.baseURI, { words: true, apiKey: storage.apiKey || undefined, retry: { budget: PATIENCE } }),
    storage,
    settings: storage.settings,
    language: "en",
    t: (key) => key,
    changed: schedule,
    telegram: null,
    announce(text) {
        announced = text;
        if (!scheduled) draw(noChange);
    },
    go(address, { replace = false } = {}) {
        if (!replace) location.hash = address;
        else {
            history.replaceState(null, "", address);
            void show();
        }
    },
    async configure(changed) {
        storage.saveSettings(changed);
        context.settings = { ...context.settings, ...changed };
        await apply();
        schedule();
    },
    async need(part) {
        parts.add(part);
        await Promise.all([translate(), loadStyles(part)]);
    },
};

/** Applies the settings: language, theme, suits, size, motion. */
async function apply() {
    const { settings, telegram } = context;
    context.language = settings.language || telegram?.session?.language || languageOf(navigator.languages);
    context.client.language = context.language;
    await translate();
    const system = telegram?.scheme ?? (dark.matches ? "dark" : "light");
    const theme = settings.theme === "system" ? system : settings.theme;
    const { dataset } = document.documentElement;
    document.documentElement.lang = context.language;
    Object.assign(dataset, { theme, suits: settings.suits, look: settings.look, size: settings.size, motion: settings.motion ? "on" : "off" });
    if (settings.look !== "green" || settings.suits === "four") await loadStyles("looks").catch(() => {});
    telegram?.dress(settings.theme !== "system");
    frameWindow();
}

/** Gives what is around the page, the browser's bars or Telegram's, the colour of the screen's upper edge. */
function frameWindow() {
    const { style } = document.documentElement;
    const edge = document.documentElement.dataset.bare === "yes" ? "--room" : "--felt";
    const ground = (style.getPropertyValue(edge) || getComputedStyle(document.documentElement).getPropertyValue(edge)).trim();
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", ground);
    context.telegram?.frame(ground);
}

/** Loads the texts of all parts in the page's language. @returns {Promise<void>} */
async function translate() {
    const { language } = context;
    const wanted = [...parts];
    const texts = await Promise.all(wanted.map((part) => loadTexts(language, part)));
    if (language !== context.language || wanted.length !== parts.size) return translate();
    context.t = translator(language, ...texts);
}

function restyle() {
    void apply().then(schedule);
}

/** Renders once at the end of this task, however often it is called. */
function schedule() {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
        scheduled = false;
        draw();
    });
}

/** @param {typeof noChange} [view] where the screen stays as it is */
function draw(view) {
    if (!screen) return;
    try {
        const title = screen.title();
        const bare = screen.bare?.() ?? false;
        put(title, view ?? screen.view(), bare);
    } catch (error) {
        console.error(error);
        // A half-rendered element cannot be rendered again.
        place = document.createElement("div");
        root.replaceChildren(place);
        put(context.t("problem.bad_answer"), reloadView(context.t, "bad_answer"), false);
    }
}

/**
 * @param {string} title
 * @param {TemplateResult | typeof noChange} view
 * @param {boolean} bare
 */
function put(title, view, bare) {
    document.title = title ? `${title} · Locanda` : "Locanda";
    const before = document.documentElement.dataset.bare;
    document.documentElement.dataset.bare = bare ? "yes" : "no";
    if (before !== document.documentElement.dataset.bare) frameWindow();
    render(frame(context, { view, bare, route, announced, maintenance: bare && isRead ? "" : maintenance }), place);
}

/** The parts of the address. */
function address() {
    return location.hash.replace(/^#\/?/, "").split("/").map(decoded);
}

/** Asks for what the first screen needs before the texts are there in which it speaks. */
function hurry() {
    const [part, file] = SCREENS[address()[0] ?? ""] ?? LOST;
    const language = context.settings.language || languageOf(navigator.languages);
    if (part === "lobby") import("./screens/words.js").catch(() => {});
    for (const each of [import(`./screens/${file}.js`), loadTexts(language, part), loadStyles(part)]) each.catch(() => {});
}

/** Opens the screen that the address names, and closes the one before. */
async function show() {
    const { telegram } = context;
    if (telegram?.relaunched(location.hash)) history.replaceState(null, "", "#/telegram");
    const [name = "", ...rest] = address();
    const turn = (opening += 1);
    screen?.close?.();
    const opened = await openScreen(name, rest);
    if (turn !== opening) {
        opened.close?.();
        return;
    }
    const first = screen === null;
    screen = opened;
    route = name;
    announced = "";
    draw();
    telegram?.setBack(!["table", "telegram"].includes(name) || rest.length > 1);
    window.scrollTo(0, 0);
    if (!first) document.querySelector("main")?.focus({ preventScroll: true });
}

/**
 * @param {string} name
 * @param {string[]} rest
 * @returns {Promise<Screen>}
 */
async function openScreen(name, rest) {
    const [part, file] = SCREENS[name] ?? LOST;
    try {
        /** @type {[{open: Opening}, void]} */
        const [{ open }] = await Promise.all([import(`./screens/${file}.js`), context.need(part)]);
        return await open(context, ...rest);
    } catch (error) {
        console.error(error);
        return { title: () => context.t("problem.not_loaded"), view: () => reloadView(context.t, "not_loaded") };
    }
}

/** @param {string} part */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** Applies the settings, inside Telegram its own too, and shows the first screen. */
async function start() {
    hurry();
    if (initData) {
        const { TelegramApp } = await import("./telegram/app.js");
        context.telegram = new TelegramApp(initData, document.baseURI);
    }
    await apply();
    if (context.telegram) {
        await context.telegram.start(context, restyle);
        await apply();
    }
    root.replaceChildren();
    await show();
    setTimeout(() => void watchMaintenance(), QUIET);
    if (!initData) setTimeout(keepPage, QUIET);
}

async function watchMaintenance() {
    const found = await import("./maintenance.js").catch(() => null);
    found?.watch(context.client, (text, read) => {
        maintenance = text;
        isRead = read;
        schedule();
    });
}

/** Lets the browser keep the page for times without a connection; without TLS it does not. */
function keepPage() {
    navigator.serviceWorker?.register(new URL("service-worker.js", document.baseURI)).catch(() => {});
}

dark.addEventListener("change", restyle);
window.addEventListener("hashchange", () => void show());
window.addEventListener("storage", schedule);
window.addEventListener("keydown", (event) => screen?.key?.(event));
// Not awaited here: screens import what this module's bundle has, and would wait for it.
void start();
