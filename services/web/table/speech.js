/**
 * Texts for screen readers about a table: events, a refusal, a hint. Cards have their full names.
 *
 * @module
 */

import { spoken } from "../cardtext.js";
import { titleOf } from "./bar.js";
import { board, sentences } from "./keys.js";

/** @import { Context } from "../app.js" */
/** @import { TableSession } from "../session.js" */
/** @import { LogLine, SessionState } from "../state.js" */

/** Milliseconds in which a screen reader reads a character, and for which it may read about moves. */
const [CHARACTER, LONGEST] = [60, 12_000];

/**
 * What was announced: the last version, and the last refusal or hint. `until`: when a screen reader has read it, in
 * milliseconds since 1970; `again`: the timer of the next look.
 *
 * @typedef {{version: number, text: string, until: number, again?: ReturnType<typeof setTimeout>}} Heard
 */

/**
 * Announces news once. The setting decides its length: `short` names the turn only if it is the viewer's own; `long` then
 * also reads the cards on the table.
 *
 * @param {Context} context
 * @param {TableSession} session
 * @param {Heard} heard
 */
export function sayNew(context, session, heard) {
    const { state } = session;
    const said = state.notice?.text ?? hintText(state);
    const parts = said && said !== heard.text ? [said] : [];
    const lines = heard.version < 0 ? [] : state.log.filter(({ version }) => version > heard.version);
    const wait = lines.length ? pause(state, lines, heard) : 0;
    if (lines.length && !wait) parts.push(...newest(lines), ...turn(context, state));
    if (!wait) heard.version = state.log.at(-1)?.version ?? -1;
    heard.text = said;
    clearTimeout(heard.again);
    if (wait && wait < Infinity) heard.again = setTimeout(() => sayNew(context, session, heard), wait);
    if (!parts.length) return;
    const text = sentences(parts);
    heard.until = Date.now() + text.length * CHARACTER;
    say(context, state, text);
}

/**
 * Milliseconds until steps are announced. The viewer's own move and turn, and an end, are announced at once; moves of others
 * by rounds, after the last utterance.
 *
 * @param {SessionState} state
 * @param {readonly LogLine[]} lines
 * @param {Heard} heard
 */
function pause({ table }, lines, { until }) {
    if (!table) return 0;
    const { you, moves, events, seats, status } = table;
    const own = you !== null && (moves.length > 0 || events.some(({ seat, type }) => seat === you || type === "deal_over"));
    if (own || status === "over") return 0;
    const steps = new Set(lines.map(({ version }) => version)).size;
    return you !== null && steps < seats.length ? Infinity : Math.max(0, until - Date.now());
}

/**
 * The newest sentences, as many as a screen reader can read in time.
 *
 * @param {readonly LogLine[]} lines
 */
function newest(lines) {
    let left = LONGEST / CHARACTER;
    const texts = lines.map(({ text }) => text).reverse();
    return texts.filter((text, at) => (left -= text.length) >= 0 || at === 0).reverse();
}

/**
 * The current turn, or the end of the match.
 *
 * @param {Context} context
 * @param {SessionState} state
 */
function turn({ settings: { speech }, t }, { table, game }) {
    const words = table?.words;
    if (!table || !words || !game) return [];
    const own = table.moves.length > 0;
    if (table.status === "over") return [words.ending ?? "", ...words.result];
    if (speech === "short" && !own) return [];
    return [words.turn, speech === "long" && own ? board({ table, words, game, t }) : ""];
}

/**
 * Announces a sentence with its cards by name.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {string} text
 */
export function say({ announce }, { game, table }, text) {
    announce(spoken(text, game, table?.seats));
}

/**
 * The text of a hint.
 *
 * @param {SessionState} state
 */
export function hintText({ hint, game }) {
    return hint && hint !== "asked" ? `${titleOf(hint.move.type, hint.text ?? "", game)}. ${hint.reason.text}` : "";
}
