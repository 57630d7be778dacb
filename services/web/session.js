/**
 * Follows one table: its state after the last event, and the calls that the person can make.
 *
 * @module
 */

import { Problem } from "./client.js";

/**
 * @import { Client } from "./client.js"
 * @import { BrowserStorage } from "./storage.js"
 * @import {
 *   GameDetails, Hint, JsonObject, SaidRemark, Selection, StreamItem, Table, Verdict
 * } from "./types.js"
 */

/** @typedef {{kind: "refusal" | "problem" | "advice", code: string, text: string}} Notice */

/** A sentence; `waiting`: of the time before the cards are dealt. @typedef {{version: number, text: string, waiting: boolean}} LogLine */

/** @typedef {{result: string[], ending: string, score: string[], events: JsonObject[]}} DealEnd in sentences, and what happened last */

/**
 * Replaced on each change, never mutated.
 *
 * @typedef {object} SessionState
 * @property {"loading" | "live" | "reconnecting" | "away" | "problem"} status `away`: the engine has been out of reach
 *   for a while; `problem`: the table or the seat is gone
 * @property {Problem | null} problem
 * @property {Table | null} table the last state of the table that is known
 * @property {GameDetails | null} game
 * @property {LogLine[]} log sentences of what happened, oldest first
 * @property {boolean} busy whether a write is under way
 * @property {Notice | null} notice
 * @property {Hint | null} hint
 * @property {DealEnd | null} ended how the last deal ended, until it is dismissed
 * @property {boolean} dealt whether the cards were dealt while the viewer looked, or since the viewer last moved
 * @property {JsonObject} ui of the playing screen: emptied after a move of one's own and when cards are dealt
 */

/**
 * @typedef {object} SessionOptions
 * @property {string | null} token
 * @property {(state: SessionState) => void} onChange
 * @property {(table: Table) => void} [onFirst] called with the first state of the table, while the rest is loading
 * @property {(problem: Problem) => string} [say] the sentence of a problem, for people
 * @property {BrowserStorage} [storage] where seats, commitments and client seeds are kept
 */

const LONGEST_LOG = 200;
const AWAY_AFTER = 12_000;
const STALE_AFTER = 20_000;
/** Steps of the table before the first one that is seen: a round or two. More would weigh as much as the page. */
const PAST = 12;

/** Whether the tab is hidden behind others. */
export function hidden() {
    return !!globalThis.document?.hidden;
}

/** Follows a table from `open` to `close`. */
export class TableSession {
    /** What one can do once all is over, where that is not what a table offers. @type {(() => unknown) | undefined} */
    ways;

    /**
     * @param {Client} client
     * @param {string} id
     * @param {SessionOptions} options
     */
    constructor(client, id, { token, onChange, onFirst = () => {}, storage, say = (problem) => problem.text || problem.title }) {
        this.client = client;
        this.id = id;
        this.token = token;
        this.storage = storage;
        this.say = say;
        this.onChange = onChange;
        this.onFirst = onFirst;
        /** @type {SessionState} */
        this.state = {
            status: "loading",
            problem: null,
            table: null,
            game: null,
            log: [],
            busy: false,
            notice: null,
            hint: null,
            ended: null,
            dealt: false,
            ui: {},
        };
        /** Shows what somebody says, where a screen does. @type {((remark: SaidRemark) => void) | undefined} */
        this.heard = undefined;
        this.signOfLife = Date.now();
        /** @type {AbortController | null} */
        this.following = null;
        /** Shows what happens in a step of the table, where a screen does. @type {((table: Table) => Promise<void>) | null} */
        this.present = null;
        /** The step that is shown, or was last. @type {{version: number, done: Promise<void> | undefined}} */
        this.presented = { version: -1, done: undefined };
        /** @type {AbortController | null} */
        this.listening = null;
        /** Whether it is followed as a hidden tab does. */
        this.behind = false;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.patience = undefined;
    }

    // --- following

    /** Follows the table until `close`. */
    open() {
        const { signal } = (this.listening = new AbortController());
        globalThis.addEventListener?.("online", this.#wake, { signal });
        globalThis.addEventListener?.("offline", this.#offline, { signal });
        globalThis.document?.addEventListener("visibilitychange", this.#wake, { signal });
        globalThis.document?.addEventListener("resume", this.#wake, { signal });
        this.#follow();
    }

    close() {
        this.listening?.abort();
        clearTimeout(this.patience);
        this.following?.abort();
        this.following = null;
    }

    /** Tries again at once, if the stream is broken or may be frozen. */
    retry() {
        if (this.state.status === "problem") this.#set({ status: "loading", problem: null });
        this.#follow();
    }

    /** Says at once that the network is gone: a stream may take long to notice. */
    #offline = () => {
        if (this.following && this.state.status !== "problem") this.#follow();
    };

    /**
     * Follows as a hidden tab does, or as one that is seen. Opens the stream again when the page is seen again: phones
     * freeze streams without saying so.
     */
    #wake = () => {
        if (!this.following || this.state.status === "problem") return;
        const turned = hidden() !== this.behind;
        const quiet = this.state.status !== "live" || Date.now() - this.signOfLife > STALE_AFTER;
        if (turned || (quiet && !hidden())) this.#follow({ lost: quiet });
    };

    /**
     * @param {{anew?: boolean, lost?: boolean}} [options] `anew`: as another viewer, from the table as it is; `lost`:
     *   the connection may be gone
     */
    async #follow({ anew = false, lost = true } = {}) {
        this.following?.abort();
        const following = new AbortController();
        this.following = following;
        this.behind = hidden();
        if (lost && this.state.status !== "loading") this.#lost();
        try {
            const options = {
                token: this.token,
                after: anew ? undefined : this.state.table?.version,
                signal: following.signal,
                connected: () => this.#connected(),
                lost: () => this.#lost(),
                heard: (/** @type {SaidRemark} */ remark) => this.heard?.(remark),
            };
            const sparing = this.behind ? await import("./streams.js").catch(() => null) : null;
            const steps = sparing ? sparing.stepsOf(this.client, this.id, options) : this.client.follow(this.id, options);
            for await (const item of steps) await this.#receive(item, following.signal);
        } catch (error) {
            if (!following.signal.aborted) this.#fail(error);
        }
    }

    #connected() {
        this.signOfLife = Date.now();
        clearTimeout(this.patience);
        this.patience = undefined;
        if (this.state.table && this.state.status !== "live") this.#set({ status: "live" });
    }

    #lost() {
        if (this.state.status === "live") this.#set({ status: "reconnecting" });
        this.patience ??= setTimeout(() => this.#set({ status: "away" }), AWAY_AFTER);
    }

    /** @param {unknown} error */
    #fail(error) {
        clearTimeout(this.patience);
        this.#set({ status: "problem", problem: problemOf(error) });
    }

    /**
     * @param {StreamItem} item
     * @param {AbortSignal} signal
     */
    async #receive(item, signal) {
        this.signOfLife = Date.now();
        if (!this.state.game) {
            const { token } = this;
            this.onFirst(item.table);
            const [game, past] = await Promise.all([
                this.client.game(item.table.game),
                this.client.events(this.id, { token, signal, after: Math.max(0, item.table.version - PAST) }).catch(() => ({ events: [] })),
            ]);
            if (signal.aborted) return;
            const log = past.events.reduce((lines, { id, table }) => logged(lines, id, table), this.state.log);
            this.#set({ game, log, dealt: dealtSinceOwnMove(past.events.map((each) => each.table), item.table.you) });
        }
        await this.#step(item.table, item.event === "gap");
        this.#connected();
    }

    /**
     * Lets the screen show what happened before the state after it is set; once, whether the stream brings it or the
     * answer to one's own move.
     *
     * @param {Table} table
     * @param {boolean} [gap]
     */
    async #step(table, gap) {
        const next = table.version === (this.state.table?.version ?? 0) + 1;
        if (this.presented.version !== table.version) {
            this.presented = { version: table.version, done: next ? this.present?.(table) : undefined };
        }
        await this.presented.done;
        this.#apply(table, gap);
    }

    /**
     * Goes on as another viewer: who has sat down, or has left their seat.
     *
     * @param {string | null} token
     * @param {Table} [table] as they see it, where that is known
     */
    become(token, table) {
        this.token = token;
        if (table) this.#apply(table);
        void this.#follow({ anew: true });
    }

    /**
     * Sets the state of the table, unless the same or a newer one is known. After sitting down the same version differs,
     * for a newcomer before their first match too.
     *
     * @param {Table} table
     * @param {boolean} [gap] whether the store was restored to an older state
     */
    #apply(table, gap = false) {
        const log = logged(this.state.log, table.version, table);
        const before = this.state.table;
        const known = before && (table.version < before.version || (table.version === before.version && ownSeat(table) === ownSeat(before)));
        if (known && !gap) {
            if (log !== this.state.log) this.#set({ log });
            return;
        }
        const dealt = before?.match.deal !== table.match.deal || before?.match.number !== table.match.number;
        this.#remember(table);
        const ended = dealEnd(table) ?? (table.match.number === before?.match.number ? this.state.ended : null);
        // What was sent is done, or can be no more: its answer may come later, and keeps nobody from the next move.
        this.#set({ table, log, hint: null, ended, busy: false, ...(dealt ? { ui: {} } : {}), ...(dealt && before ? { dealt } : {}) });
    }

    /**
     * Keeps the commitments that were published before the cards were dealt.
     *
     * @param {Table} table
     */
    #remember(table) {
        const kept = this.storage?.seat(this.id);
        const seat = ownSeat(table);
        if (!kept || seat === null) return;
        const { number, commitment, next_commitment: next } = table.match;
        const commitments = {
            ...(table.match.deal === 0 ? { [number]: commitment } : {}),
            ...(next ? { [number + 1]: next } : {}),
            ...kept.commitments,
        };
        this.storage?.saveSeat(this.id, { commitments, seat, game: table.game });
    }

    /** @param {Partial<SessionState>} changed */
    #set(changed) {
        this.state = { ...this.state, ...changed };
        this.onChange(this.state);
    }

    // --- what one can do

    /** @param {JsonObject} move */
    async play(move) {
        const { selected } = this.state.ui;
        const done = await this.write((conditions) => this.client.play(this.id, move, conditions));
        if (done && this.state.ui.selected === selected) this.#set({ ui: {} });
        return done;
    }

    /**
     * @param {Selection} selection
     * @returns {Promise<Verdict>}
     */
    check(selection) {
        return this.client.check(this.id, selection, { token: this.token });
    }

    /** Asks for a hint, which lasts until the table changes. */
    async hint() {
        await this.attempt(async () => {
            const asked = this.state.table?.version;
            const hint = await this.client.hint(this.id, { token: this.token });
            if (this.state.table?.version === asked) this.#set({ hint });
        });
    }

    comeBack() {
        return this.onSeat((seat, conditions) => this.client.comeBack(this.id, seat, conditions));
    }

    /** @param {boolean} stays */
    answerRematch(stays) {
        return this.onSeat((seat, { token }) => this.client.answerRematch(this.id, seat, stays, { token }));
    }

    start() {
        return this.write((conditions) => this.client.start(this.id, conditions));
    }

    /**
     * Gives one's own seat up, or removes somebody as the host.
     *
     * @param {number} [seat]
     */
    async leave(seat = ownSeat(this.state.table) ?? undefined) {
        if (seat === undefined) return false;
        const own = seat === ownSeat(this.state.table);
        const left = await this.write((conditions) => this.client.leave(this.id, seat, conditions));
        if (left && own) this.watch();
        return left;
    }

    /** Goes on as a spectator: the seat's token is no longer valid. */
    watch() {
        this.storage?.forgetSeat(this.id);
        this.#set({ status: "loading", problem: null, ui: {} });
        this.become(null);
    }

    /** @param {JsonObject} partial */
    setUi(partial) {
        this.#set({ ui: { ...this.state.ui, ...partial } });
    }

    /** @param {Notice} notice */
    notify(notice) {
        this.#set({ notice });
    }

    dismiss() {
        this.#set({ notice: null });
    }

    /** Dismisses the result of the last deal. */
    dismissDeal() {
        this.#set({ ended: null });
    }

    /**
     * Sends a write that expects the table as it is on screen.
     *
     * @param {(conditions: import("./client.js").Conditions) => Promise<unknown>} send
     */
    write(send) {
        return this.attempt(async () => {
            const { token } = this;
            const answer = /** @type {any} */ (await send({ token, version: this.state.table?.version }));
            await this.#step(answer.table ?? answer);
        });
    }

    /** @param {(seat: number, conditions: import("./client.js").Conditions) => Promise<unknown>} send */
    async onSeat(send) {
        const seat = this.state.table?.you ?? null;
        return seat !== null && this.write((conditions) => send(seat, conditions));
    }

    /**
     * Runs one write at a time; shows a notice if it fails.
     *
     * @param {() => Promise<void>} act
     * @returns {Promise<boolean>} whether it was done
     */
    async attempt(act) {
        if (this.state.busy) return false;
        this.#set({ busy: true, notice: null });
        try {
            await act();
            this.#set({ busy: false });
            return true;
        } catch (error) {
            const problem = problemOf(error);
            const kind = problem.status === 422 ? "refusal" : "problem";
            this.#set({ busy: false, notice: { kind, code: problem.code, text: this.say(problem) } });
            return false;
        }
    }
}

/**
 * The number of the viewer's seat; of a newcomer, that by which they leave before their first match.
 *
 * @param {Table | null} table
 */
export function ownSeat(table) {
    if (!table) return null;
    return table.you ?? (table.rematch?.you == null ? null : table.seats.length + table.rematch.you);
}

/**
 * The sentences of what happened, with those of another state of the table. Once it plays, who sat down is past.
 *
 * @param {SessionState["log"]} log
 * @param {number} version
 * @param {Table} table
 */
function logged(log, version, table) {
    if (log.some((line) => line.version === version)) return log;
    const waiting = table.status === "open";
    const lines = (table.words?.events ?? []).flatMap((text) => (text ? [{ version, text, waiting }] : []));
    if (!lines.length) return log;
    return [...log.filter((line) => waiting || !line.waiting), ...lines].sort((one, other) => one.version - other.version).slice(-LONGEST_LOG);
}

/**
 * How a deal ended, where a step of the table ended one.
 *
 * @param {Table} table
 * @returns {DealEnd | null}
 */
function dealEnd({ events, words }) {
    if (!words?.result.length || !events.some((event) => event.type === "deal_over")) return null;
    return { result: words.result, ending: words.ending ?? "", score: words.score, events };
}

/**
 * Whether the cards were dealt in the latest steps of a table, and the viewer has not moved since.
 *
 * @param {readonly Table[]} steps
 * @param {number | null} you the viewer's seat
 */
function dealtSinceOwnMove(steps, you) {
    let dealt = false;
    for (const { events } of steps) {
        if (events.some((event) => event?.type === "dealt")) dealt = you !== null;
        else if (events[0]?.seat === you) dealt = false;
    }
    return dealt;
}

/** @param {unknown} error */
function problemOf(error) {
    if (error instanceof Problem) return error;
    console.error(error);
    return new Problem({ status: 0, code: "unexpected", title: String(error) });
}
