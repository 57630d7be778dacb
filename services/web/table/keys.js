/**
 * Single keys for users of screen readers at the playing table: hand, table, numbers of cards, points, turn. Sentences and
 * names of cards come from the engine.
 *
 * @module
 */

import { spoken } from "../cardtext.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { GameDetails, Table, TableWords } from "../types.js"
 */

/** The table that the sentences are about, with its texts. @typedef {{table: Table, words: TableWords, game: GameDetails, t: Translate}} Shown */

/** The keys, and the facts that they read out. @type {Record<string, "hand" | "board" | "counts" | "points" | "turn">} */
export const KEYS = { m: "hand", t: "board", c: "counts", p: "points", g: "turn" };

const ANSWERS = { hand, board, counts, points, turn };

/** Elements in which letters are typed, and dialogs that hide the table from screen readers. */
const ELSEWHERE = "input, textarea, select, dialog";

/**
 * @param {Context} context
 * @param {TableSession} session
 * @param {KeyboardEvent} event a letter key
 */
export async function answer(context, session, { key, target, repeat, ctrlKey, altKey, metaKey }) {
    const asked = KEYS[key.toLowerCase()];
    if (!asked || repeat || ctrlKey || altKey || metaKey || /** @type {Element} */ (target).closest(ELSEWHERE)) return;
    const { status, table, game } = session.state;
    if (status === "problem" || !table?.words || table.status === "open" || !game) return;
    context.announce(ANSWERS[asked]({ table, words: table.words, game, t: context.t }));
}

/** @param {Shown} shown */
function hand({ table, game, t }) {
    if (table.you === null) return t("spectating");
    /** @type {string[]} */
    const held = table.deal?.hand ?? [];
    const { cards = {}, labels = {} } = game.words ?? {};
    const title = `${labels.hand}, ${held.length}`;
    return held.length ? `${title}: ${held.map((code) => cards[code]?.name ?? code).join(", ")}` : title;
}

/**
 * The named piles, and the facts of the deal, some of which describe a pile.
 *
 * @param {Shown} shown
 */
export function board({ table, words, game, t }) {
    const labels = game.words?.labels ?? {};
    const piles = Object.entries(words.piles).flatMap(([key, text]) => {
        const [pile, seat] = key.split(".");
        const title = seat === undefined ? labels[pile] : table.seats[Number(seat)].name;
        return title && !words.facts.some((fact) => fact.endsWith(text)) ? `${title}: ${text}` : [];
    });
    const lines = [...piles, ...words.facts];
    return lines.length ? spoken(sentences(lines), game, table.seats) : t("nothingYet");
}

/** @param {Shown} shown */
function counts({ table, words, game, t }) {
    return words.seats.length ? spoken(bySeat(table, words.seats), game, table.seats) : t("nothingYet");
}

/** @param {Shown} shown */
function points({ table, words, t }) {
    return words.score.length ? sentences([words.title, bySeat(table, words.score)]) : t("noPoints");
}

/**
 * The current turn, or the end of the match.
 *
 * @param {Shown} shown
 */
function turn({ table, words, game, t }) {
    const text = words.turn || sentences([words.ending ?? "", ...words.result]);
    return text ? spoken(text, game, table.seats) : t("nothingYet");
}

/**
 * @param {Table} table
 * @param {readonly string[]} texts
 */
const bySeat = ({ seats }, texts) => sentences(texts.map((text, seat) => `${seats[seat].name}: ${text}`));

/**
 * Joins lines into sentences, with pauses instead of line ends, dots and arrows.
 *
 * @param {readonly string[]} lines
 */
export function sentences(lines) {
    const whole = lines.filter(Boolean).map((line) => line.replace(/\n| ▸ /g, "; ").replaceAll(" · ", ", "));
    return whole.map((line) => (/[.!?]$/.test(line) ? line : `${line}.`)).join(" ");
}
