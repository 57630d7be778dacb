/**
 * Storage in the browser: settings, the person's name, saved seats with their tokens. If the browser refuses to store
 * data, it lasts only as long as the page.
 *
 * @module
 */

import { freshKey } from "./client.js";

/**
 * @typedef {object} Settings
 * @property {"it" | "en" | ""} language empty for the browser's language
 * @property {"system" | "light" | "dark"} theme
 * @property {"green" | "blue" | "wine"} look the colours of the table's cloth and its surroundings
 * @property {"two" | "four"} suits colours of the suits
 * @property {"normal" | "large"} size of cards and text
 * @property {boolean} motion
 * @property {boolean} sound
 * @property {boolean} confirm whether playing a single card needs a second tap
 * @property {"short" | "usual" | "long"} speech how much screen readers say about each step
 * @property {boolean} keys whether single letter keys read out parts of the table
 * @property {string[]} [taught] the games whose lessons were begun
 * @property {boolean} [muted] whether all remarks are muted
 * @property {string[]} [mutedNames] names of people whose remarks are muted
 * @property {Record<string, {matches: number, wins: number}>} [record] matches that ended in this browser, by game
 * @property {boolean} reminders whether a notification announces the person's turn while the page is hidden
 */

/** @type {Readonly<Settings>} */
export const DEFAULTS = {
    language: "",
    theme: "system",
    look: "green",
    suits: "two",
    size: "normal",
    motion: true,
    sound: true,
    confirm: false,
    speech: "usual",
    keys: true,
    reminders: false,
};

/**
 * A seat of the person, with the commitments published before each deal, for the check of the shuffle.
 *
 * @typedef {object} SavedSeat
 * @property {string} table
 * @property {string} game
 * @property {number} seat
 * @property {string} token
 * @property {string} name
 * @property {number} at when it was last opened, in milliseconds since 1970
 * @property {Record<string, string>} commitments by match number
 * @property {Record<string, string>} seeds the person's client seeds, by match number
 * @property {number} [counted] the number of the last match in the person's record
 * @property {boolean} [pushed] whether this table sends push notifications; default: as in the settings
 */

/**
 * The choices of the last table against the computer, by game.
 *
 * @typedef {{computers: number, level: string}} Opponents
 */

const PREFIX = "locanda.";
const SEAT = `${PREFIX}seat.`;

/**
 * The idempotency key of a request until its answer has arrived. If an answer is lost and the person tries again, the
 * same key gives the first answer instead of a second table or seat.
 */
export class PendingKey {
    #body = "";
    #key = "";

    /**
     * @param {unknown} body
     * @returns {string}
     */
    of(body) {
        const text = JSON.stringify(body);
        if (text !== this.#body) [this.#body, this.#key] = [text, freshKey()];
        return this.#key;
    }

    done() {
        this.#body = "";
    }
}

/** Typed access to the browser's `localStorage`. */
export class BrowserStorage {
    /**
     * @param {() => Storage} open returns the browser's storage; it may throw
     * @param {{persistSeats?: boolean, openTab?: () => Storage}} [options] `persistSeats`: whether seats are stored there
     * or only in memory; `openTab`: the tab's own storage, used for seats if the other is full or was cleared
     */
    constructor(open, { persistSeats = true, openTab } = {}) {
        this.persistSeats = persistSeats;
        this.tab = persistSeats && openTab ? usable(openTab) : null;
        /** @type {Map<string, string>} */
        this.memory = new Map();
        this.backing = usable(open);
        this.pending = new PendingKey();
    }

    /** Whether stored data outlasts the page. */
    get persistent() {
        return this.backing !== null;
    }

    /** @returns {Settings} */
    get settings() {
        return { ...DEFAULTS, ...this.#read(`${PREFIX}settings`) };
    }

    /** @param {Partial<Settings>} changed */
    saveSettings(changed) {
        this.#write(`${PREFIX}settings`, { ...this.settings, ...changed });
    }

    /** The person's name when they last sat down; empty at first. */
    get name() {
        return String(this.#read(`${PREFIX}name`)?.name ?? "");
    }

    /** @param {string} name */
    saveName(name) {
        this.#write(`${PREFIX}name`, { name });
    }

    /** The API key, for engines where only holders of a key may open tables. */
    get apiKey() {
        return String(this.#read(`${PREFIX}key`)?.key ?? "");
    }

    /** @param {string} key */
    saveApiKey(key) {
        this.#write(`${PREFIX}key`, { key });
    }

    /**
     * @param {string} game
     * @returns {Opponents | null}
     */
    opponents(game) {
        return this.#read(`${PREFIX}opponents`)?.[game] ?? null;
    }

    /**
     * @param {string} game
     * @param {Opponents} opponents
     */
    saveOpponents(game, opponents) {
        this.#write(`${PREFIX}opponents`, { ...this.#read(`${PREFIX}opponents`), [game]: opponents });
    }

    /** @returns {SavedSeat[]} the most recently opened first */
    seats() {
        const seats = this.#names()
            .filter((name) => name.startsWith(SEAT))
            .map((name) => this.#read(name))
            .filter((seat) => typeof seat?.table === "string" && typeof seat.token === "string");
        return /** @type {SavedSeat[]} */ (seats).sort((one, other) => other.at - one.at);
    }

    /**
     * @param {string} table
     * @returns {SavedSeat | null}
     */
    seat(table) {
        return /** @type {SavedSeat | null} */ (this.#read(SEAT + table));
    }

    /**
     * Saves a seat, or changes a saved one.
     *
     * @param {string} table
     * @param {Partial<SavedSeat>} changed
     */
    saveSeat(table, changed) {
        const empty = { table, commitments: {}, seeds: {} };
        this.#write(SEAT + table, { ...empty, ...this.seat(table), ...changed, at: Date.now() });
    }

    /** @param {string} table */
    forgetSeat(table) {
        this.memory.delete(SEAT + table);
        this.tab?.removeItem(SEAT + table);
        this.backing?.removeItem(SEAT + table);
    }

    #names() {
        return this.#backingOf(SEAT) ? Object.keys(this.backing ?? {}) : [...this.memory.keys()];
    }

    /** @param {string} name */
    #backingOf(name) {
        return this.persistSeats || !name.startsWith(SEAT) ? this.backing : null;
    }

    /**
     * @param {string} name
     * @returns {Record<string, any> | null}
     */
    #read(name) {
        try {
            const backing = this.#backingOf(name);
            const text = (backing ? backing.getItem(name) : this.memory.get(name)) ?? this.tab?.getItem(name);
            const value = JSON.parse(text ?? "null");
            return typeof value === "object" ? value : null;
        } catch {
            return null;
        }
    }

    /**
     * @param {string} name
     * @param {object} value
     */
    #write(name, value) {
        const text = JSON.stringify(value);
        this.memory.set(name, text);
        try {
            if (name.startsWith(SEAT)) this.tab?.setItem(name, text);
        } catch {
            this.tab = null;
        }
        try {
            this.#backingOf(name)?.setItem(name, text);
        } catch {
            this.#giveUp();
        }
    }

    /** Continues in memory after the browser has refused to store data. */
    #giveUp() {
        const written = new Map(this.memory);
        for (const [name, text] of Object.entries(this.backing ?? {})) {
            if (name.startsWith(PREFIX)) this.memory.set(name, text);
        }
        for (const [name, text] of written) this.memory.set(name, text);
        this.backing = null;
    }
}

/** @param {() => Storage} open */
function usable(open) {
    try {
        const backing = open();
        backing.setItem(`${PREFIX}probe`, "1");
        backing.removeItem(`${PREFIX}probe`);
        return backing;
    } catch {
        return null;
    }
}
