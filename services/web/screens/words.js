/**
 * Short texts about games and tables that several screens share.
 *
 * @module
 */

/** @import { Translate, Language } from "../parts.js" */
/** @import { GameDetails, GameInfo } from "../types.js" */
/** @import { SavedSeat } from "../storage.js" */

/**
 * @param {Pick<GameInfo, "name">} game
 * @param {Language} language
 */
export function gameName(game, language) {
    return game.name[language];
}

/**
 * @param {Translate} t
 * @param {GameInfo} game
 */
export function playersText(t, { players }) {
    return players.min === players.max ? t("players_only", { n: players.min }) : t("players_from_to", { min: players.min, max: players.max });
}

/**
 * Returns when the person last opened the table of a saved seat, and under which name.
 *
 * @param {Translate} t
 * @param {Language} language
 * @param {SavedSeat} seat
 */
export function standing(t, language, seat) {
    const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(seat.at);
    return t("as_name_when", { name: seat.name, when });
}

/**
 * Returns the name of a computer player's level.
 *
 * @param {GameDetails} game
 * @param {string} level
 */
export function levelName(game, level) {
    return game.words?.levels[level] ?? level;
}

const LENGTHS = /** @type {[Intl.RelativeTimeFormatUnit & ("day" | "hour" | "minute" | "second"), number][]} */ ([
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
    ["second", 1],
]);

/**
 * Returns a duration in the largest unit that gives a whole number.
 *
 * @param {Language} language
 * @param {number} seconds
 */
export function duration(language, seconds) {
    const [unit, length] = LENGTHS.find(([, size]) => seconds % size === 0 && seconds >= size) ?? ["second", 1];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
