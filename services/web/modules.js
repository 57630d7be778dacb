/**
 * The parts of the page that are loaded on demand. Each is loading, failed or loaded; that is part of the page's state.
 *
 * @module
 */

/** @import { Part } from "./parts.js" */

/** By name: the module, and the texts and styles that it needs. */
const MODULES = {
    // What these two import is asked for at the same time, as most people see them first.
    lobby: part(() => (void import("./screens/words.js"), import("./screens/lobby.js")), "lobby"),
    solo: part(() => (void import("./screens/fields.js"), import("./screens/solo.js")), "lobby"),
    new: part(() => import("./screens/new-table.js"), "lobby"),
    rules: part(() => import("./screens/rules.js"), "lobby"),
    lesson: part(() => import("./screens/lesson.js"), "lobby", "sheets"),
    table: part(() => import("./screens/table.js")),
    tv: part(() => import("./screens/tv.js"), "tv", "lobby", "play", "sheets", "lost"),
    mine: part(() => import("./screens/mine.js"), "lobby", "lost"),
    settings: part(() => import("./screens/settings.js"), "lobby"),
    telegram: part(() => import("./screens/telegram.js"), "lobby"),
    lost: part(() => import("./screens/lost.js"), "lost"),
    attending: part(() => import("./screens/attending.js")),
    waiting: part(() => import("./screens/waiting.js"), "lobby"),
    ownPlayer: part(() => import("./screens/own-player.js")),
    code: part(() => import("./vendor/uqr/uqr.js")),
    review: part(() => import("./table/review.js"), "play", "review", "lost"),
    playing: part(() => import("./table/playing.js"), "play"),
    sheets: part(() => import("./table/sheets.js"), "sheets"),
    speaking: part(() => import("./table/speaking.js")),
    remarks: part(() => import("./table/remarks.js")),
    speech: part(() => import("./table/speech.js")),
    keys: part(() => import("./table/keys.js"), "sheets"),
    drag: part(() => import("./table/drag.js")),
    picture: part(() => import("./table/picture.js")),
    flights: part(() => import("./flights.js")),
    dealing: part(() => import("./dealing.js")),
    holding: part(() => import("./holding.js")),
    sound: part(() => import("./sound.js")),
    pushing: part(() => import("./pushing.js")),
    reminders: part(() => import("./reminders.js")),
    maintenance: part(() => import("./maintenance.js")),
    telegramApp: part(() => import("./telegram/app.js")),
};

/** @typedef {keyof typeof MODULES} Name */
/** @template {Name} N @typedef {Awaited<ReturnType<(typeof MODULES)[N]["load"]>>} Module */
/** The state of each module by name. @typedef {{readonly [N in Name]?: "loading" | "failed" | Module<N>}} Loaded */

/**
 * @template M
 * @param {() => Promise<M>} load
 * @param {...Part} needs
 */
function part(load, ...needs) {
    return { load, needs };
}

/** @param {string} name of the first part of an address @returns {Name} the screen's */
export function screenOf(name) {
    const screen = name || "lobby";
    return SCREENS.includes(screen) ? /** @type {Name} */ (screen) : "lost";
}

const SCREENS = ["lobby", "solo", "new", "rules", "lesson", "table", "tv", "mine", "settings", "telegram"];

/**
 * Loads a module with what it needs.
 *
 * @template {Name} N
 * @param {N} name
 * @param {(part: Part) => Promise<void>} need loads texts and styles
 * @returns {Promise<Module<N>>}
 */
export async function loadModule(name, need) {
    const { load, needs } = MODULES[name];
    const [module] = await Promise.all([load(), ...needs.map(need)]);
    return /** @type {Module<N>} */ (module);
}
