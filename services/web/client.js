/**
 * The engine's API for browsers and Node 18 or newer, without dependencies.
 *
 *     const engine = new Client("http://127.0.0.1:8080/");
 *     const [{ game }] = await engine.games();
 *     const { table, token } = await engine.open({ game, name: "Anna" });
 *     for await (const { table: seen } of engine.follow(table.id, { token })) { … }
 *
 * Calls answer with the API's own JSON (`/openapi.json` describes it) or throw a `Problem`. Every write carries an
 * idempotency key. If an answer is lost, the client sends the write again with the same key, so that it never acts twice.
 *
 * @module
 */

/**
 * @import {
 *   ChangeTable, DeliveryList, EventPage, GameDetails, GameInfo, Hint, JsonObject, LegalMoves, Lesson, LobbyNow, Moved, NextEvening,
 *   OpenTable, PlayAnswer, ProblemBody, Proof, SaidRemark, RemarkName, RemarkWords, Review, RoundsAnswer,
 *   RoundsRequest, Seated, Selection, Server, SitDown, StreamItem, Subscribe, Subscribed, SubscriptionList, Suggestion, Table, TablePage, Verdict, WaitingNotice
 * } from "./types.js"
 */

/**
 * Timeouts and retries of calls, in milliseconds.
 *
 * @typedef {object} Retry
 * @property {number} [answer] time for a whole answer
 * @property {number} [silence] time without a byte after which a stream counts as broken; the engine sends a heartbeat
 *   every 15 seconds
 * @property {number} [budget] time from a call's first try after which it is not tried again
 * @property {number} [first] the first pause between tries; each further one is twice as long
 * @property {number} [longest] the longest pause
 */

/**
 * @typedef {object} ClientOptions
 * @property {string} [language] `it` or `en`, for titles of problems and for sentences
 * @property {boolean} [words] ask for sentences: `words` of tables and games, `text` of verdicts and problems
 * @property {string} [apiKey] for engines on which only holders of a key may open tables
 * @property {Retry} [retry]
 */

/**
 * The caller and the conditions of a write. `version` is the expected version of the table: if the table has changed,
 * the call throws `stale`. Give a `key` of your own to be safe across a crash of your program.
 *
 * @typedef {object} Conditions
 * @property {string | null} [token]
 * @property {number} [version]
 * @property {string} [key] 16 to 128 visible ASCII characters that nobody can guess
 * @property {AbortSignal} [signal]
 */

const DEFAULT_RETRY = { answer: 10_000, silence: 45_000, budget: 60_000, first: 200, longest: 10_000 };
const LONG_POLL = 25;
const LONGEST_THOUGHT = 60_000;
const KEY_BYTES = 24;

/** An error of the API (a problem of RFC 9457, see docs/problems.md), or a missing answer. */
export class Problem extends Error {
    /**
     * @param {ProblemBody} body
     * @param {number | null} retryAfter
     */
    constructor(body, retryAfter = null) {
        super(`${body.code}${body.field ? ` in \`${body.field}\`` : ""}: ${body.detail || body.title}`);
        this.name = "Problem";
        /** The HTTP status; 0 if no answer came. */
        this.status = body.status;
        /** A stable code, such as `stale` or `not_your_turn`; `unreachable` if no answer came. */
        this.code = body.code;
        this.title = body.title;
        this.detail = body.detail ?? "";
        /** The sentence for people, if `words` were requested and there is one. */
        this.text = body.text ?? "";
        this.field = body.field ?? null;
        /** The facts that explain a refused move. */
        this.facts = body.facts ?? null;
        /** The current version of the table, for the problem `stale`. */
        this.version = body.version ?? null;
        /** Milliseconds to wait before another try, if the engine names them. */
        this.retryAfter = retryAfter;
    }

    /** Whether the same request may succeed later. Repeating it is safe: nothing was done, or its key prevents a second effect. */
    get passing() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

/** A client of one engine. */
export class Client {
    /**
     * @param {string} address the engine's base URL; its API is at `v1/` below it
     * @param {ClientOptions} [options]
     */
    constructor(address, { language, words = false, apiKey, retry } = {}) {
        this.base = new URL("v1/", address);
        this.language = language;
        this.words = words;
        this.apiKey = apiKey;
        this.retry = { ...DEFAULT_RETRY, ...retry };
    }

    // --- the server and its games

    /**
     * @param {string} game
     * @returns {Promise<GameDetails>} a game with its rules
     */
    game(game) {
        return this.#get(["games", game], { words: true });
    }

    // --- the rules alone: nothing is stored

    /**
     * @param {string} game
     * @param {JsonObject} deal
     * @param {JsonObject | Selection} what a move, or selected cards
     * @returns {Promise<Verdict>} whether the move, or a move with these cards, is legal, and if not, why
     */
    checkOf(game, deal, what) {
        return this.#ask(["games", game, "check"], { deal, ["type" in what ? "move" : "selection"]: what }, { words: true });
    }

    /**
     * @param {string} game
     * @param {JsonObject} deal
     * @param {JsonObject} move
     * @returns {Promise<PlayAnswer>} the deal after the move
     */
    playOf(game, deal, move) {
        return this.#ask(["games", game, "play"], { deal, move });
    }

    // --- opening, joining, leaving

    /**
     * Yields the newest listed tables, open and in play, now and after each change.
     *
     * @param {{signal?: AbortSignal, connected?: () => void, lost?: (problem: Problem | null) => void}} [options]
     * @returns {AsyncGenerator<LobbyNow, void, void>}
     */
    async *lobby(options = {}) {
        for await (const { data } of this.#resumed(["lobby"], options)) yield JSON.parse(data);
    }

    // --- playing

    /**
     * @param {string} table
     * @param {JsonObject} move one of the table's `moves`, or any other of the game
     * @param {Conditions} conditions
     * @returns {Promise<Moved>}
     */
    play(table, move, conditions) {
        return this.#write("POST", ["tables", table, "moves"], { move }, conditions);
    }

    /**
     * @param {string} table
     * @param {Selection} selection
     * @param {Conditions} conditions
     * @returns {Promise<Verdict>} the legal move with the selected cards, or why there is none; nothing is played
     */
    check(table, selection, { token, signal }) {
        return this.#ask(["tables", table, "moves", "check"], { selection }, { token, signal, words: true });
    }

    /**
     * @param {string} table
     * @param {number} seat
     * @param {RemarkName} remark one of `remarks`; everybody who follows the table gets it
     * @param {Conditions} conditions
     * @returns {Promise<SaidRemark>}
     */
    say(table, seat, remark, conditions) {
        return this.#write("POST", ["tables", table, "seats", seat, "remarks"], { remark }, conditions);
    }

    // --- reading a table

    /**
     * @param {string} table
     * @param {{token?: string | null, after?: number, wait?: number, signal?: AbortSignal}} [options] with `after`, it
     *   waits up to `wait` seconds for a newer version
     * @returns {Promise<Table>} the table as the token's seat, or a spectator, may see it
     */
    table(table, { token, after, wait = LONG_POLL, signal } = {}) {
        const query = after === undefined ? {} : { after, wait };
        const answer = after === undefined ? undefined : this.retry.answer + wait * 1000;
        return this.#get(["tables", table], { token, query, signal, answer, words: true });
    }

    /**
     * @param {string} table
     * @param {{token?: string | null, after?: number, signal?: AbortSignal}} [options]
     * @returns {Promise<EventPage>} the last few events, oldest first
     */
    events(table, { token, after, signal } = {}) {
        return this.#get(["tables", table, "events"], { token, query: { after }, signal, words: true });
    }

    /**
     * Yields the table now and after each step, or each step after the version `after`. If the stream breaks, it is reopened
     * where it broke, however long that takes.
     *
     * @param {string} table
     * @param {{
     *   token?: string | null, after?: number, signal?: AbortSignal,
     *   connected?: () => void, lost?: (problem: Problem | null) => void, heard?: (remark: SaidRemark) => void,
     * }} [options] `connected` is called each time the stream opens, `lost` each time it breaks, `heard` with each remark at
     * the table
     * @returns {AsyncGenerator<StreamItem, void, void>} throws the `Problem` if the table or the seat is gone
     */
    async *follow(table, { heard, ...options } = {}) {
        const asked = { ...options, query: { remarks: heard && "true" }, words: true };
        for await (const { id, event, data } of this.#resumed(["tables", table, "events"], asked)) {
            if (event === "remark") heard?.(JSON.parse(data));
            else yield { id: Number(id), event: /** @type {StreamItem["event"]} */ (event), table: JSON.parse(data) };
        }
    }

    /**
     * Yields the events of a stream. If it breaks, it is reopened where it broke, however long that takes.
     *
     * @param {string[]} path
     * @param {{
     *   token?: string | null, after?: number | string, query?: Record<string, unknown>, words?: boolean,
     *   signal?: AbortSignal, connected?: () => void, lost?: (problem: Problem | null) => void,
     * }} options
     * @returns {AsyncGenerator<ServerSentEvent, void, void>}
     */
    async *#resumed(path, { after, query, lost = nothing, ...options }) {
        const { signal } = options;
        const pauses = new Pauses(this.retry);
        while (!signal?.aborted) {
            let problem = null;
            try {
                query = { ...query, after };
                for await (const event of this.#stream(path, { ...options, query })) {
                    after = event.id || after;
                    pauses.reset();
                    yield event;
                }
            } catch (error) {
                if (signal?.aborted) return;
                problem = /** @type {Problem} */ (error);
                // Servers up to 0.1.0 have no remarks.
                if (query?.remarks && problem.code === "malformed") query = {};
                else if (!problem.passing) throw error;
            }
            if (signal?.aborted) return;
            lost(problem);
            await slept(pauses.next(problem), signal);
        }
    }

    // --- generated by `make openapi`

    /**
     * List the games.
     *
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<GameInfo[]>}
     */
    async games({ signal } = {}) {
        return (await this.#fetch("GET", ["games"], { signal })).games;
    }

    /**
     * Get a game's lesson.
     *
     * @param {string} game
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<Lesson>}
     */
    lesson(game, { signal } = {}) {
        return this.#fetch("GET", ["games", game, "lesson"], { signal });
    }

    /**
     * List the remarks that people can make at a table.
     *
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<RemarkWords[]>}
     */
    async remarks({ signal } = {}) {
        return (await this.#fetch("GET", ["remarks"], { signal })).remarks;
    }

    /**
     * Deal the cards.
     *
     * @param {string} game
     * @param {JsonObject} request
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<JsonObject>}
     */
    async dealOf(game, request, { signal } = {}) {
        return (await this.#fetch("POST", ["games", game, "deals"], { body: request, signal })).deal;
    }

    /**
     * List the legal moves in a deal.
     *
     * @param {string} game
     * @param {JsonObject} deal
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<LegalMoves>}
     */
    movesOf(game, deal, { signal } = {}) {
        return this.#fetch("POST", ["games", game, "moves"], { body: { deal }, signal, words: true });
    }

    /**
     * Get the view of a deal for a seat or a spectator.
     *
     * @param {string} game
     * @param {JsonObject} deal
     * @param {number | null} seat
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<JsonObject>}
     */
    async viewOf(game, deal, seat, { signal } = {}) {
        return (await this.#fetch("POST", ["games", game, "view"], { body: { deal, seat }, signal })).view;
    }

    /**
     * Get a computer player's move for a view, with its reason.
     *
     * @param {string} game
     * @param {JsonObject} request
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<Suggestion>}
     */
    suggest(game, request, { signal } = {}) {
        return this.#fetch("POST", ["games", game, "suggest"], { body: request, signal, answer: LONGEST_THOUGHT, words: true });
    }

    /**
     * Play many deals, or many moves of some.
     *
     * @param {string} game
     * @param {JsonObject} request
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<JsonObject>}
     */
    playouts(game, request, { signal } = {}) {
        return this.#fetch("POST", ["games", game, "playouts"], { body: request, signal, answer: LONGEST_THOUGHT });
    }

    /**
     * Plan tables for the rounds of a tournament.
     *
     * @param {RoundsRequest} request
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<RoundsAnswer>}
     */
    rounds(request, { signal } = {}) {
        return this.#fetch("POST", ["rounds"], { body: request, signal, answer: LONGEST_THOUGHT });
    }

    /**
     * Open a table.
     *
     * @param {OpenTable} request
     * @param {Conditions} [conditions]
     * @returns {Promise<Seated>}
     */
    open(request, conditions) {
        return this.#write("POST", ["tables"], request, conditions);
    }

    /**
     * Change an open table.
     *
     * @param {string} table
     * @param {ChangeTable} request
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    change(table, request, conditions) {
        return this.#write("PATCH", ["tables", table], request, conditions);
    }

    /**
     * Sit down, or seat a computer player.
     *
     * @param {string} table
     * @param {SitDown} request
     * @param {Conditions} [conditions]
     * @returns {Promise<Seated>}
     */
    sit(table, request, conditions) {
        return this.#write("POST", ["tables", table, "seats"], request, conditions);
    }

    /**
     * Leave a seat, or remove another player.
     *
     * @param {string} table
     * @param {number} seat
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    leave(table, seat, conditions) {
        return this.#write("DELETE", ["tables", table, "seats", seat], undefined, conditions);
    }

    /**
     * Leave a seat, and remove your name from the table.
     *
     * @param {string} table
     * @param {number} seat
     * @param {string} name
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    leaveNameless(table, seat, name, conditions) {
        return this.#write("PUT", ["tables", table, "seats", seat, "successor"], { name }, conditions);
    }

    /**
     * Set the level of a computer player.
     *
     * @param {string} table
     * @param {number} seat
     * @param {string} level
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    setLevel(table, seat, level, conditions) {
        return this.#write("PATCH", ["tables", table, "seats", seat], { level }, conditions);
    }

    /**
     * Rename a seat.
     *
     * @param {string} table
     * @param {number} seat
     * @param {string} name
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    setName(table, seat, name, conditions) {
        return this.#write("PUT", ["tables", table, "seats", seat, "name"], { name }, conditions);
    }

    /**
     * Set your seat's client seed for the next match's shuffle.
     *
     * @param {string} table
     * @param {number} seat
     * @param {string} clientSeed
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    giveSeed(table, seat, clientSeed, conditions) {
        return this.#write("PUT", ["tables", table, "seats", seat, "seed"], { client_seed: clientSeed }, conditions);
    }

    /**
     * Take your hand back from a computer player.
     *
     * @param {string} table
     * @param {number} seat
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    comeBack(table, seat, conditions) {
        return this.#write("POST", ["tables", table, "seats", seat, "return"], undefined, conditions);
    }

    /**
     * Start the match, or stay for another match after it.
     *
     * @param {string} table
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    start(table, conditions) {
        return this.#write("POST", ["tables", table, "start"], undefined, conditions);
    }

    /**
     * Say whether you stay for another match.
     *
     * @param {string} table
     * @param {number} seat
     * @param {boolean} stays
     * @param {Conditions} conditions
     * @returns {Promise<Table>}
     */
    answerRematch(table, seat, stays, conditions) {
        return this.#write("PUT", ["tables", table, "seats", seat, "rematch"], { stays }, conditions);
    }

    /**
     * List the legal moves of the token's seat.
     *
     * @param {string} table
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<LegalMoves>}
     */
    moves(table, { token, signal } = {}) {
        return this.#fetch("GET", ["tables", table, "moves"], { token, signal, words: true });
    }

    /**
     * Get a hint: the move of level `hard` for the token's seat, with its reason.
     *
     * @param {string} table
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<Hint>}
     */
    hint(table, { token, signal } = {}) {
        return this.#fetch("POST", ["tables", table, "hint"], { token, signal, answer: LONGEST_THOUGHT, words: true });
    }

    /**
     * List the tables that anyone may join or watch.
     *
     * @param {{cursor?: string, limit?: number, status?: "open" | "playing", signal?: AbortSignal}} [options]
     * @returns {Promise<TablePage>}
     */
    tables({ cursor, limit, status, signal } = {}) {
        return this.#fetch("GET", ["tables"], { query: { cursor, limit, status }, signal });
    }

    /**
     * Get the proof of a finished deal's shuffle.
     *
     * @param {string} table
     * @param {number} deal
     * @param {{match?: number, signal?: AbortSignal}} [options]
     * @returns {Promise<Proof>}
     */
    proof(table, deal, { match, signal } = {}) {
        return this.#fetch("GET", ["tables", table, "deals", deal], { query: { match }, signal });
    }

    /**
     * Review the moves of the token's seat in a finished deal.
     *
     * @param {string} table
     * @param {number} deal
     * @param {{token?: string | null, match?: number, signal?: AbortSignal}} [options]
     * @returns {Promise<Review>}
     */
    review(table, deal, { token, match, signal } = {}) {
        return this.#fetch("GET", ["tables", table, "deals", deal, "review"], { token, query: { match }, signal, answer: LONGEST_THOUGHT, words: true });
    }

    /**
     * Subscribe to notices of a table, sent to a server or pushed to a browser.
     *
     * @param {string} table
     * @param {Subscribe} request
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<Subscribed>}
     */
    subscribe(table, request, { token, signal } = {}) {
        return this.#fetch("POST", ["tables", table, "subscriptions"], { token, body: request, signal });
    }

    /**
     * List the subscriptions of the token's seat.
     *
     * @param {string} table
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<SubscriptionList>}
     */
    subscriptions(table, { token, signal } = {}) {
        return this.#fetch("GET", ["tables", table, "subscriptions"], { token, signal });
    }

    /**
     * End a subscription.
     *
     * @param {string} table
     * @param {string} subscription
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<SubscriptionList>}
     */
    unsubscribe(table, subscription, { token, signal } = {}) {
        return this.#fetch("DELETE", ["tables", table, "subscriptions", subscription], { token, signal });
    }

    /**
     * Send a test notice.
     *
     * @param {string} table
     * @param {string} subscription
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<WaitingNotice>}
     */
    testSubscription(table, subscription, { token, signal } = {}) {
        return this.#fetch("POST", ["tables", table, "subscriptions", subscription, "test"], { token, signal });
    }

    /**
     * List the outcomes of a subscription's latest notices.
     *
     * @param {string} table
     * @param {string} subscription
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<DeliveryList>}
     */
    deliveries(table, subscription, { token, signal } = {}) {
        return this.#fetch("GET", ["tables", table, "subscriptions", subscription, "deliveries"], { token, signal });
    }

    /**
     * Set the next evening of a table's people.
     *
     * @param {string} table
     * @param {string} game
     * @param {Date | string | null} at
     * @param {{token?: string | null, signal?: AbortSignal}} [options]
     * @returns {Promise<NextEvening>}
     */
    setEvening(table, game, at, { token, signal } = {}) {
        return this.#fetch("PUT", ["tables", table, "evening"], { token, body: { game, at }, signal });
    }

    /**
     * Get the server's release, public address and announced maintenance.
     *
     * @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<Server>}
     */
    server({ signal } = {}) {
        return this.#fetch("GET", ["server"], { signal });
    }

    // --- end of the generated methods

    // --- requests and answers

    /**
     * @typedef {object} Sent
     * @property {string | null} [token]
     * @property {Record<string, string>} [headers]
     * @property {Record<string, unknown>} [query]
     * @property {unknown} [body]
     * @property {number} [answer] milliseconds for the whole answer
     * @property {boolean} [words] whether the call can return sentences
     * @property {AbortSignal} [signal]
     */

    /**
     * @param {(string | number)[]} path
     * @param {Sent} [sent]
     * @returns {Promise<any>}
     */
    #get(path, sent = {}) {
        return this.#fetch("GET", path, sent);
    }

    /**
     * Sends a POST that changes nothing.
     *
     * @param {(string | number)[]} path
     * @param {unknown} body
     * @param {Sent} [sent]
     * @returns {Promise<any>}
     */
    #ask(path, body, sent = {}) {
        return this.#fetch("POST", path, { ...sent, body });
    }

    /**
     * @param {string} method
     * @param {(string | number)[]} path
     * @param {unknown} body
     * @param {Conditions} [conditions]
     * @returns {Promise<any>}
     */
    #write(method, path, body, { token, version, key = freshKey(), signal } = {}) {
        const headers = {
            ...(version === undefined ? {} : { "If-Match": `"${version}"` }),
            "Idempotency-Key": key,
        };
        return this.#fetch(method, path, { token, headers, body, signal, words: true });
    }

    /**
     * @param {string} method
     * @param {(string | number)[]} path
     * @param {Sent} sent
     * @returns {Promise<any>}
     */
    async #fetch(method, path, sent) {
        const pauses = new Pauses(this.retry);
        const end = Date.now() + this.retry.budget;
        for (;;) {
            try {
                return await this.#once(method, path, sent);
            } catch (error) {
                if (sent.signal?.aborted || !(error instanceof Problem) || !error.passing) throw error;
                const pause = pauses.next(error);
                if ((error.retryAfter ?? 0) > this.retry.longest || Date.now() + pause > end) throw error;
                await slept(pause, sent.signal);
            }
        }
    }

    /**
     * @param {string} method
     * @param {(string | number)[]} path
     * @param {Sent} sent
     */
    async #once(method, path, { token, headers, query, body, answer = this.retry.answer, words = false, signal }) {
        const limit = new TimeLimit(signal);
        limit.restart(answer);
        try {
            const response = await fetch(this.#url(path, query, words), {
                method,
                headers: this.#headers(token, headers, body),
                body: body === undefined ? undefined : JSON.stringify(body),
                signal: limit.signal,
                redirect: "error",
            });
            await throwProblem(response);
            return await response.json();
        } catch (error) {
            throw problemOf(error, signal);
        } finally {
            limit.end();
        }
    }

    /**
     * @param {string[]} path
     * @param {{
     *   token?: string | null, query?: Record<string, unknown>, words?: boolean,
     *   signal?: AbortSignal, connected?: () => void,
     * }} options
     * @returns {AsyncGenerator<ServerSentEvent, void, void>}
     */
    async *#stream(path, { token, query, words, signal, connected = nothing }) {
        const limit = new TimeLimit(signal);
        limit.restart(this.retry.answer);
        try {
            const response = await fetch(this.#url(path, query, words), {
                headers: this.#headers(token, { Accept: "text/event-stream" }),
                signal: limit.signal,
                redirect: "error",
                cache: "no-store",
            });
            await throwProblem(response);
            if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
                throw noAnswer("bad_answer", "the answer is no stream of events");
            }
            connected();
            const reader = response.body.getReader();
            // Node's fetch may ignore its signal once the headers have arrived.
            limit.signal.addEventListener("abort", () => void reader.cancel().catch(nothing));
            yield* serverSentEvents(reader, () => limit.restart(this.retry.silence));
            if (limit.signal.aborted) throw noAnswer("unreachable", "the stream has fallen silent");
        } catch (error) {
            throw problemOf(error, signal);
        } finally {
            limit.abort();
        }
    }

    /**
     * @param {(string | number)[]} path
     * @param {Record<string, unknown>} [query]
     * @param {boolean} [words]
     */
    #url(path, query = {}, words = false) {
        const url = new URL(path.map((part) => encodeURIComponent(part)).join("/"), this.base);
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
        }
        if (words && this.words) url.searchParams.set("words", "true");
        return url;
    }

    /**
     * @param {string | null} [token]
     * @param {Record<string, string>} [own]
     * @param {unknown} [body]
     * @returns {Record<string, string>}
     */
    #headers(token, own, body) {
        return {
            Accept: "application/json",
            ...(this.language ? { "Accept-Language": this.language } : {}),
            ...(this.apiKey ? { "X-API-Key": this.apiKey } : {}),
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
            ...(token ? { Authorization: `Bearer ${token}` } : {}),
            ...own,
        };
    }
}

// --- keys

const randomness = globalThis.crypto ?? (await import(/** @type {any} */ ("node:crypto"))).webcrypto;

/** @returns {string} a new idempotency key that nobody can guess, because the seat's token is derived from it */
export function freshKey() {
    // `crypto.randomUUID` is missing on pages without TLS.
    const bytes = randomness.getRandomValues(new Uint8Array(KEY_BYTES));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

function nothing() {}

// --- problems

/** @param {Response} response */
async function throwProblem(response) {
    if (response.ok) return;
    let body;
    try {
        body = await response.json();
    } catch {
        body = null;
    }
    const known = body && typeof body.code === "string" ? body : { title: response.statusText, code: "no_problem" };
    throw new Problem({ ...known, status: response.status }, retryAfter(response.headers.get("Retry-After")));
}

/**
 * @param {string} code
 * @param {string} detail
 */
function noAnswer(code, detail) {
    return new Problem({ type: "about:blank", title: "The engine cannot be reached", status: 0, code, detail });
}

/**
 * @param {unknown} error
 * @param {AbortSignal} [signal] the caller's signal; if it is aborted, the error is passed on unchanged
 */
function problemOf(error, signal) {
    if (error instanceof Problem || signal?.aborted) return error;
    if (error instanceof SyntaxError) return noAnswer("bad_answer", "the answer is no JSON");
    return noAnswer("unreachable", error instanceof Error ? error.name : "");
}

/**
 * @param {string | null} header seconds, or a date
 * @returns {number | null} milliseconds
 */
function retryAfter(header) {
    if (!header) return null;
    if (/^\d+$/.test(header)) return Number(header) * 1000;
    const date = Date.parse(header);
    return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

// --- time

/** The pauses between tries: each twice as long as the last, with jitter, unless the engine names one. */
class Pauses {
    /** @param {{first: number, longest: number}} retry */
    constructor({ first, longest }) {
        this.first = first;
        this.longest = longest;
        this.pause = first;
    }

    reset() {
        this.pause = this.first;
    }

    /**
     * @param {Problem | null} problem
     * @returns {number} milliseconds to wait before the next try
     */
    next(problem) {
        const asked = problem?.retryAfter ?? null;
        if (asked !== null) return asked + jittered(this.first);
        const pause = jittered(this.pause);
        this.pause = Math.min(2 * this.pause, this.longest);
        return pause;
    }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] ends it
 * @returns {Promise<void>}
 */
function slept(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal?.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    });
}

/** @param {number} milliseconds */
function jittered(milliseconds) {
    return milliseconds * (0.5 + Math.random() / 2);
}

/** Aborts a request that takes too long, or when its caller's signal aborts. */
class TimeLimit {
    #controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #caller;
    #follow = () => this.#controller.abort();

    /** @param {AbortSignal} [caller] */
    constructor(caller) {
        this.#caller = caller;
        if (caller?.aborted) this.#controller.abort();
        caller?.addEventListener("abort", this.#follow);
    }

    get signal() {
        return this.#controller.signal;
    }

    /** @param {number} milliseconds */
    restart(milliseconds) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
    }

    end() {
        clearTimeout(this.#timer);
        this.#caller?.removeEventListener("abort", this.#follow);
    }

    abort() {
        this.end();
        this.#controller.abort();
    }
}

// --- server-sent events

/** @typedef {{id: string, event: string, data: string}} ServerSentEvent */

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {() => void} alive called for each received chunk, including comments
 * @returns {AsyncGenerator<ServerSentEvent, void, void>}
 */
async function* serverSentEvents(reader, alive) {
    const decoder = new TextDecoder();
    let rest = "";
    let fields = { id: "", event: "message", data: "" };
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        alive();
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
            if (line) {
                fields = withLine(fields, line);
            } else {
                if (fields.data) yield fields;
                fields = { id: "", event: "message", data: "" };
            }
        }
    }
}

/**
 * @param {ServerSentEvent} fields
 * @param {string} line
 * @returns {ServerSentEvent}
 */
function withLine(fields, line) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    return name === "id" || name === "event" || name === "data" ? { ...fields, [name]: value ?? "" } : fields;
}
