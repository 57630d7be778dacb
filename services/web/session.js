/**
 * Follows one table: its state after the last event, and the calls that the person can make.
 *
 * @module
 */

import { Problem } from "./client.js";
import { START, next, nextEnd } from "./state.js";
import { hidden, stepsOf } from "./streams.js";

/**
 * @import { Client } from "./client.js"
 * @import { DealEnd, Notice, SessionState } from "./state.js"
 * @import { BrowserStorage } from "./storage.js"
 * @import { GameDetails, JsonObject, SaidRemark, Selection, StreamItem, Table, Verdict } from "./types.js"
 */

/**
 * @typedef {object} SessionOptions
 * @property {string | null} token
 * @property {{table: Table, game: GameDetails} | null} [known] the table, if a call has just answered with it
 * @property {(state: SessionState) => void} onChange
 * @property {(table: Table) => void} [onFirst] called with the first state of the table, while other modules are loading
 * @property {(problem: Problem) => string} [say] returns a problem's sentence for people
 * @property {(remark: SaidRemark) => void} [onRemark] called with each remark
 * @property {(table: Table) => Promise<boolean>} [present] shows a step of the table before it becomes the
 * state; resolves with whether it did
 * @property {number} [resultLasts] milliseconds for which the result of a deal is shown; default: until it is dismissed
 * @property {BrowserStorage} [storage] where seats, commitments and client seeds are kept
 */

const LONGEST_LOG = 200;
const AWAY_AFTER = 12_000;
const STALE_AFTER = 20_000;
/** Past steps to load at first: a round or two. More would weigh as much as the page. */
const PAST = 12;

/** Milliseconds for which the reason of a failure is shown, unless another event ends it. */
const READING = 10_000;

/** Follows a table from `open` to `close`. */
export class TableSession {
    /** @type {SessionState} */
    state = START;
    signOfLife = Date.now();
    /** @type {AbortController | null} */
    following = null;
    /** The step that `present` shows now or showed last. @type {{version: number, done: Promise<boolean> | undefined}} */
    presented = { version: -1, done: undefined };
    /** @type {AbortController | null} */
    listening = null;
    /** Whether the table is followed as in a hidden tab. */
    behind = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    patience = undefined;
    /** Timer until the next temporary entry of the state ends. @type {ReturnType<typeof setTimeout> | undefined} */
    ending = undefined;

    /**
     * @param {Client} client
     * @param {string} id
     * @param {SessionOptions} options
     */
    constructor(client, id, { say = (problem) => problem.text || problem.title, ...options }) {
        this.client = client;
        this.id = id;
        this.token = options.token;
        this.storage = options.storage;
        this.say = say;
        this.options = options;
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
        clearTimeout(this.ending);
        this.following?.abort();
        this.following = null;
    }

    /** Reopens the stream at once if it is broken or may be frozen. */
    retry() {
        if (this.state.status === "problem") this.set({ status: "loading", problem: null });
        this.#follow();
    }

    /** Shows at once that the network is gone, because a stream may take long to notice. */
    #offline = () => {
        if (this.following && this.state.status !== "problem") this.#follow();
    };

    /**
     * Follows the table as a hidden or as a visible tab. Reopens the stream when the page becomes visible again, as phones
     * freeze streams without notice.
     */
    #wake = () => {
        if (!this.following || this.state.status === "problem") return;
        const turned = hidden() !== this.behind;
        const quiet = this.state.status !== "live" || Date.now() - this.signOfLife > STALE_AFTER;
        if (turned || (quiet && !hidden())) this.#follow({ lost: quiet });
    };

    /**
     * @param {{fresh?: boolean, lost?: boolean}} [options] `fresh`: start from the current table, as another viewer; `lost`:
     * the connection may be gone
     */
    async #follow({ fresh = false, lost = true } = {}) {
        this.following?.abort();
        const following = new AbortController();
        this.following = following;
        this.behind = hidden();
        if (lost && this.state.status !== "loading") this.#lost();
        try {
            const { known } = this.options;
            if (known && !this.state.table) await this.#receive(known, following.signal);
            const options = {
                token: this.token,
                after: fresh ? undefined : this.state.table?.version,
                signal: following.signal,
                connected: () => this.#connected(),
                lost: () => this.#lost(),
                heard: (/** @type {SaidRemark} */ remark) => this.options.onRemark?.(remark),
            };
            for await (const item of stepsOf(this.client, this.id, options)) await this.#receive(item, following.signal);
        } catch (error) {
            if (!following.signal.aborted) this.#fail(error);
        }
    }

    #connected() {
        this.signOfLife = Date.now();
        clearTimeout(this.patience);
        this.patience = undefined;
        if (this.state.table && this.state.status !== "live") this.set({ status: "live" });
    }

    #lost() {
        if (this.state.status === "live") this.set({ status: "reconnecting" });
        this.patience ??= setTimeout(() => this.set({ status: "away" }), AWAY_AFTER);
    }

    /** @param {unknown} error */
    #fail(error) {
        clearTimeout(this.patience);
        const problem = problemOf(error);
        this.set({ status: "problem", problem });
        if (problem.code === "wrong_token") this.#watchClosing().catch(console.error);
    }

    /**
     * @param {{table: Table, event?: StreamItem["event"]}} item
     * @param {AbortSignal} signal
     */
    async #receive(item, signal) {
        this.signOfLife = Date.now();
        if (!this.state.game) {
            this.options.onFirst?.(item.table);
            const { game, past } = this.options.known ? { ...this.options.known, past: [item.table] } : await this.#learn(item.table, signal);
            if (signal.aborted) return;
            const log = past.reduce((lines, table) => logged(lines, table.version, table), this.state.log);
            this.set({ game, log, dealt: dealtSinceOwnMove(past, item.table.you) });
        }
        await this.#step(item.table, item.event === "gap");
        this.#connected();
    }

    /**
     * The table's game, and its last steps.
     *
     * @param {Table} table
     * @param {AbortSignal} signal
     */
    async #learn({ game, version }, signal) {
        const [details, past] = await Promise.all([
            this.client.game(game),
            this.client.events(this.id, { token: this.token, signal, after: Math.max(0, version - PAST) }).catch(() => ({ events: [] })),
        ]);
        return { game: details, past: past.events.map(({ table }) => table) };
    }

    /**
     * Lets the screen present a step before its state is set. Each step is presented once, whether the stream or the answer
     * to the viewer's own move brings it.
     *
     * @param {Table} table
     * @param {boolean} [gap]
     */
    async #step(table, gap) {
        const next = table.version === (this.state.table?.version ?? 0) + 1;
        if (this.presented.version !== table.version) {
            this.presented = { version: table.version, done: next ? this.options.present?.(table) : undefined };
        }
        const held = (await this.presented.done) ?? false;
        this.#apply(table, gap, held);
    }

    /**
     * Continues as another viewer, after sitting down or leaving a seat.
     *
     * @param {string | null} token
     * @param {Table} [table] the new viewer's view of it, if it is known
     */
    become(token, table) {
        this.token = token;
        if (table) this.#apply(table);
        void this.#follow({ fresh: true });
    }

    /**
     * Sets the state of the table, unless the same or a newer one is known. After sitting down the same version may differ,
     * also for a newcomer before their first match.
     *
     * @param {Table} table
     * @param {boolean} [gap] whether the store was restored to an older state
     * @param {boolean} [held] whether its first event has been presented already
     */
    #apply(table, gap = false, held = false) {
        const log = logged(this.state.log, table.version, table);
        const before = this.state.table;
        const known = before && (table.version < before.version || (table.version === before.version && ownSeat(table) === ownSeat(before)));
        if (known && !gap) {
            if (log !== this.state.log) this.set({ log });
            return;
        }
        const dealt = before?.match.deal !== table.match.deal || before?.match.number !== table.match.number;
        this.#remember(table);
        const { resultLasts } = this.options;
        const ended = dealEnd(table, resultLasts && Date.now() + resultLasts);
        // The sent move is done or no longer possible. Do not block the next move until its answer comes.
        this.set({ table, log, held, waited: this.state.waited || table.status === "open", busy: false, ...(ended ? { ended } : {}), ...(dealt && before ? { dealt } : {}) });
    }

    /**
     * Saves the commitments that were published before the cards were dealt.
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

    /**
     * Changes the state, and removes temporary entries when they end.
     *
     * @param {Partial<SessionState>} changed
     */
    set(changed) {
        this.state = next(this.state, changed, Date.now());
        clearTimeout(this.ending);
        const end = nextEnd(this.state);
        if (end < Infinity) this.ending = setTimeout(() => this.set({}), end - Date.now());
        this.options.onChange(this.state);
    }

    // --- actions

    /** @param {JsonObject} move */
    async play(move) {
        const { selected } = this.state;
        if (!this.state.busy) this.set({ sending: move });
        const done = await this.write((conditions) => this.client.play(this.id, move, conditions));
        if (this.state.notice?.code === "unreachable") this.#sayUnsent();
        this.set({ sending: null, ...(done && this.state.selected === selected ? { selected: [], sheet: null } : {}) });
        return done;
    }

    /** Shows that the move was not made because the engine could not be reached. */
    #sayUnsent() {
        const problem = new Problem({ status: 0, code: "not_played", title: "" });
        this.notify({ kind: "problem", code: problem.code, text: this.say(problem) });
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
        if (this.state.busy) return;
        this.set({ hint: "asked" });
        const asked = this.state.hint;
        await this.attempt(async () => {
            const hint = await this.client.hint(this.id, { token: this.token });
            if (this.state.hint === asked) this.set({ hint });
        });
        if (this.state.hint === asked) this.set({ hint: null });
    }

    /** Asks the engine for its public address. */
    async learnHome() {
        const { public_url: home } = await this.client.server();
        if (home) this.set({ home: `${home}/` });
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
     * Gives up the viewer's own seat, or removes another player as the host.
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

    /**
     * Follows a table after the viewer's seat is gone, until nobody sits there any more. When a group closes its table, all
     * seats leave one after the other.
     */
    async #watchClosing() {
        this.following?.abort();
        const { signal } = (this.following = new AbortController());
        for await (const { table } of this.client.follow(this.id, { signal })) {
            if (table.host === null) return this.set({ closed: table });
        }
    }

    /** Continues as a spectator, because the seat's token is no longer valid. */
    watch() {
        this.storage?.forgetSeat(this.id);
        this.set({ status: "loading", problem: null });
        this.become(null);
    }

    /** @param {Notice} notice */
    notify(notice) {
        this.set({ notice });
    }

    dismiss() {
        this.set({ notice: null });
    }

    /**
     * Sends a write with the version of the table on screen.
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
     * @returns {Promise<boolean>} whether it succeeded
     */
    async attempt(act) {
        if (this.state.busy) return false;
        this.set({ busy: true, notice: null });
        try {
            await act();
            this.set({ busy: false });
            return true;
        } catch (error) {
            const problem = problemOf(error);
            const kind = problem.status === 422 ? "refusal" : "problem";
            const until = problem.passing ? undefined : Date.now() + READING;
            this.set({ busy: false, notice: { kind, code: problem.code, text: this.say(problem), ...(kind === "problem" ? { until } : {}) } });
            return false;
        }
    }
}

/**
 * The number of the viewer's seat. A newcomer before their first match gets the number that they need for leaving.
 *
 * @param {Table | null} table
 */
export function ownSeat(table) {
    if (!table) return null;
    return table.you ?? (table.rematch?.you == null ? null : table.seats.length + table.rematch.you);
}

/**
 * The log with the sentences of a new state of the table. Once a match starts, lines about sitting down are dropped.
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
 * How a deal ended, if a step of the table ended one.
 *
 * @param {Table} table
 * @param {number} [until]
 * @returns {DealEnd | null}
 */
function dealEnd({ events, words }, until) {
    if (!words?.result.length || !events.some((event) => event.type === "deal_over")) return null;
    return { result: words.result, ending: words.ending ?? "", score: words.score, events, until };
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
export function problemOf(error) {
    if (error instanceof Problem) return error;
    console.error(error);
    return new Problem({ status: 0, code: "unexpected", title: String(error) });
}
