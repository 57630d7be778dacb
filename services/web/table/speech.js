/**
 * Texts for screen readers about a table: events, a refusal, a hint. Cards have their full names.
 *
 * @module
 */

import { spoken } from "../cardtext.js";
import { titleOf } from "./bar.js";
import { board, sentences } from "./keys.js";

/** @import { Context } from "../app.js" */
/** @import { SessionState } from "../state.js" */

/**
 * Announces news once, a step of the table in one utterance. The setting decides its length: `short` names the turn only if
 * it is the viewer's own; `long` then also reads the cards on the table.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {{version: number, text: string}} heard the last version, refusal or hint that was announced
 */
export function sayNew(context, state, heard) {
    const { log, notice } = state;
    const said = notice?.text ?? hintText(state);
    const lines = heard.version < 0 ? [] : log.filter(({ version }) => version > heard.version).map(({ text }) => text);
    const parts = said && said !== heard.text ? [said] : [];
    if (lines.length) parts.push(...lines, ...turn(context, state));
    heard.version = log.at(-1)?.version ?? -1;
    heard.text = said;
    if (parts.length) say(context, state, sentences(parts));
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
