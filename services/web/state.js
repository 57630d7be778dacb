/**
 * The state of a table's screen: one value that is replaced, never mutated. Temporary entries have an end time; `next`
 * removes expired ones at every change.
 *
 * @module
 */

/**
 * @import { Problem } from "./client.js"
 * @import { GameTable } from "./table/shapes.js"
 * @import { Ballot, Leaderboard } from "./table/group.js"
 * @import { GameDetails, Hint, JsonObject, RemarkWords, Table } from "./types.js"
 */

/** `until`: milliseconds since 1970. @typedef {{kind: "refusal" | "problem" | "advice", code: string, text: string, until?: number}} Notice */

/** A person's remark. @typedef {{seat: number, text: string, sign: string, until: number}} Said */

/** A sentence of the log; `waiting`: from before the cards were dealt. @typedef {{version: number, text: string, waiting: boolean}} LogLine */

/** The end of a deal in sentences, with its last events. @typedef {{result: string[], ending: string, score: string[], events: JsonObject[], until?: number}}
 * DealEnd */

/** @template T @typedef {"loading" | T | Problem} Answer a requested value: still loading, the value, or the reason why it will not come */

/**
 * The sheet over the table, with its own state. `asked`: the action that a second press in the menu confirms: leaving, or
 * removing a seat.
 *
 * @typedef {{name: "menu", asked?: "leave" | number} | {name: "history" | "remarks" | "keys"}
 *   | {name: "pile", title: string, codes: readonly string[]}
 *   | {name: "leaderboard", answer: Answer<Leaderboard>}
 *   | {name: "closing", answer: Answer<Ballot>, voting: boolean}} Sheet
 */

/**
 * @typedef {object} SessionState
 * @property {"loading" | "live" | "reconnecting" | "away" | "problem"} status `away`: the engine has been out of reach
 *   for a while; `problem`: the table or the seat is gone
 * @property {Problem | null} problem
 * @property {Table | null} table the last state of the table that is known
 * @property {GameDetails | null} game
 * @property {GameTable | null} drawing the functions that draw the game's table, once loaded
 * @property {boolean} undrawn whether those could not be loaded
 * @property {Table | null} closed a table that the viewer's seat is gone from, once nobody sits there
 * @property {LogLine[]} log sentences of the events, oldest first
 * @property {boolean} busy whether a write is under way
 * @property {JsonObject | null} sending the move that is under way
 * @property {Notice | null} notice
 * @property {Hint | "asked" | null} hint
 * @property {DealEnd | null} ended how the last deal ended, until it is dismissed
 * @property {boolean} dealt whether the cards were dealt while the viewer looked, or since the viewer last moved
 * @property {boolean} waited whether the viewer has seen the table wait for its players
 * @property {boolean} held whether the first event of the last step was presented before the step
 * @property {readonly string[]} selected the places of selected cards
 * @property {boolean} [premove] whether the selected cards are played once it is the viewer's turn
 * @property {readonly string[]} [order] the places of the hand in the viewer's own order
 * @property {readonly string[]} [trick] the cards of the last trick
 * @property {number} focus index of the card in the hand that the tab key focuses
 * @property {Sheet | null} sheet
 * @property {boolean} peek whether the panel with the match's end is hidden to show the table
 * @property {boolean} unshared whether sharing the picture of the end has failed
 * @property {readonly Said[]} said
 * @property {number} spoken time until which the viewer can make no other remark
 * @property {Answer<RemarkWords[]> | null} phrases the possible remarks
 * @property {{outcome: "copied" | "not_copied", until: number} | null} copied whether the link was copied just now
 * @property {number} ahead milliseconds that this device's clock is ahead of the server's
 * @property {string} home the server's public address; empty until it is known
 * @property {string | null} lesson the game that is taught here; null at every real table
 */

/** @type {Readonly<SessionState>} */
export const START = {
    status: "loading",
    problem: null,
    table: null,
    game: null,
    drawing: null,
    undrawn: false,
    closed: null,
    log: [],
    busy: false,
    sending: null,
    notice: null,
    hint: null,
    ended: null,
    dealt: false,
    waited: false,
    held: false,
    selected: [],
    focus: 0,
    sheet: null,
    peek: false,
    unshared: false,
    said: [],
    spoken: 0,
    phrases: null,
    copied: null,
    ahead: 0,
    home: "",
    lesson: null,
};

const dealOf = (/** @type {SessionState} */ { table }) => `${table?.match.number}.${table?.match.deal}.${table?.you}`;
const turnOf = (/** @type {SessionState} */ state) => `${dealOf(state)}.${state.table?.status}.${state.table?.deal?.turn}`;
const versionOf = (/** @type {SessionState} */ { table }) => table?.version;

/** For each temporary entry, a value of the state whose change ends it. A notice of a lost connection ends when it is back. @type {{[name in keyof
 * SessionState]?: (state: SessionState) => unknown}} */
const LASTS = {
    notice: (state) => (state.notice?.kind === "problem" ? state.status === "live" : turnOf(state)),
    hint: versionOf,
    sending: versionOf,
    ended: ({ table }) => table?.match.number,
    selected: dealOf,
    order: dealOf,
    focus: dealOf,
    sheet: dealOf,
    peek: dealOf,
    unshared: dealOf,
    copied: () => 0,
};
const NAMES = /** @type {(keyof SessionState)[]} */ (Object.keys(LASTS));

/**
 * The state after a change, without the entries that this change or the time has ended.
 *
 * @param {SessionState} before
 * @param {Partial<SessionState>} changed
 * @param {number} now
 * @returns {SessionState}
 */
export function next(before, changed, now) {
    const after = { ...before, ...changed };
    const ended = NAMES.filter((name) => {
        const { until = Infinity } = /** @type {{until?: number}} */ (after[name] ?? {});
        return until <= now || (!(name in changed) && LASTS[name]?.(before) !== LASTS[name]?.(after));
    });
    const { said, spoken } = after;
    const kept = said.some(({ until }) => until <= now) ? said.filter(({ until }) => until > now) : said;
    return { ...after, ...Object.fromEntries(ended.map((name) => [name, START[name]])), said: kept, spoken: spoken > now ? spoken : 0 };
}

/**
 * The time when the next entry ends; infinity if there is none.
 *
 * @param {SessionState} state
 */
export function nextEnd({ notice, ended, copied, said, spoken }) {
    return Math.min(...[notice, ended, copied, ...said].map((entry) => entry?.until ?? Infinity), spoken || Infinity);
}
