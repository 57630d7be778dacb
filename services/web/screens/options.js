/**
 * The options of a game, as fields drawn from their JSON Schema, and the settings of a table.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { LEVELS } from "../opening.js";
import { choice, stepper, toggle } from "./fields.js";
import { duration, levelName } from "./words.js";

/** @import { Context } from "../app.js" */
/** @import { Language, Translate } from "../parts.js" */
/** @import { ComputerLevel, GameDetails, GameInfo, JsonObject } from "../types.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

/**
 * The host's settings of a table.
 *
 * @typedef {object} TableSettings
 * @property {JsonObject} options
 * @property {number | null} turn_seconds
 * @property {boolean} listed
 * @property {boolean} hints
 * @property {ComputerLevel} substitute_level
 */

/** @type {readonly (number | null)[]} */
const TURNS = [null, 30, 60, 180, 600, 3600, 86_400];

/** @type {Readonly<TableSettings>} */
export const NEW_TABLE = { options: {}, turn_seconds: null, listed: false, hints: true, substitute_level: "medium" };

/**
 * The settings that most people choose.
 *
 * @param {Context} context
 * @param {GameDetails} game
 * @param {TableSettings} settings
 * @param {(changed: Partial<TableSettings>) => void} set
 */
export function mainFields({ t, language }, game, settings, set) {
    const turns = TURNS.includes(settings.turn_seconds) ? TURNS : [...TURNS, settings.turn_seconds];
    return html`
        ${presets(t, game, settings.options, (options) => set({ options }))}
        ${choice({
            name: "turn",
            label: t("turn_time"),
            value: settings.turn_seconds,
            choices: turns.map((value) => ({ value, title: turnTime(t, language, value) })),
            hint: t("turn_time.hint"),
            set: (turn_seconds) => set({ turn_seconds }),
        })}
        ${toggle({ name: "listed", label: t("list_it"), hint: t("list_it.hint"), value: settings.listed, set: (listed) => set({ listed }) })}
    `;
}

/**
 * All other settings.
 *
 * @param {Context} context
 * @param {GameDetails} game
 * @param {TableSettings} settings
 * @param {(changed: Partial<TableSettings>) => void} set
 */
export function otherFields({ t, language }, game, settings, set) {
    return html`
        <h2 class="part">${t("game_options")}</h2>
        ${optionFields(t, game, language, settings.options, (options) => set({ options }))}
        <h2 class="part">${t("table_options")}</h2>
        ${toggle({ name: "hints", label: t("hints"), hint: t("hints.hint"), value: settings.hints, set: (hints) => set({ hints }) })}
        ${choice({
            name: "substitute",
            label: t("substitute"),
            value: settings.substitute_level,
            choices: LEVELS.map((value) => ({ value, title: levelName(game, value) })),
            hint: t("substitute.hint"),
            set: (substitute_level) => set({ substitute_level }),
        })}
    `;
}

/**
 * The choices of a match's length. Each one sets several options.
 *
 * @param {Translate} t
 * @param {GameDetails} game
 * @param {JsonObject} options
 * @param {(options: JsonObject) => void} set
 */
function presets(t, game, options, set) {
    const schema = /** @type {JsonObject} */ (game.options.en).properties ?? {};
    const choices = (game.words?.presets ?? []).map(({ preset, title, text, options: values }) => ({
        value: preset,
        title,
        text,
        options: Object.entries(values).reduce((all, [name, value]) => withOption(all, name, value, schema[name]?.default), options),
    }));
    if (!choices.length) return nothing;
    const chosen = choices.find((preset) => same(preset.options, options));
    return choice({
        name: "preset",
        label: t("match_length"),
        value: chosen?.value,
        choices,
        hint: chosen?.text ?? t("match_length.own"),
        set: (value) => set(choices.find((preset) => preset.value === value)?.options ?? options),
    });
}

/**
 * @param {JsonObject} one
 * @param {JsonObject} other
 */
function same(one, other) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => one[name] === other[name]);
}

/**
 * @param {Translate} t
 * @param {Language} language
 * @param {number | null} seconds
 */
export function turnTime(t, language, seconds) {
    return seconds === null ? t("no_limit") : duration(language, seconds);
}

/**
 * @param {Translate} t
 * @param {GameInfo} game
 * @param {Language} language
 * @param {JsonObject} options those that differ from the default
 * @param {(options: JsonObject) => void} set
 * @returns {TemplateResult[]}
 */
function optionFields(t, game, language, options, set) {
    return properties(game, language).map(([name, schema]) => {
        const value = name in options ? options[name] : schema.default;
        const change = (/** @type {unknown} */ chosen) => set(withOption(options, name, chosen, schema.default));
        const [label, hint] = [schema.title ?? name, schema.description];
        if (schema.oneOf) return choice({ name, label, hint, value, choices: choicesOf(schema), set: change });
        if (schema.type === "boolean") return toggle({ name, label, hint, value, set: change });
        return stepper(t, { label, hint, value, least: schema.minimum, most: schema.maximum, set: change });
    });
}

/**
 * Returns a line for each option that differs from the game's default.
 *
 * @param {GameInfo} game
 * @param {Language} language
 * @param {JsonObject} options
 * @returns {string[]}
 */
export function optionLines(game, language, options) {
    return properties(game, language).flatMap(([name, schema]) => {
        const value = name in options ? options[name] : schema.default;
        if (value === schema.default) return [];
        if (value === true && !schema.oneOf) return [schema.title];
        const title = choicesOf(schema).find((entry) => entry.value === value)?.title;
        return [`${schema.title}: ${title ?? (value === false ? "—" : value)}`];
    });
}

/**
 * @param {GameInfo} game
 * @param {Language} language
 * @returns {[string, JsonObject][]}
 */
function properties(game, language) {
    return Object.entries(/** @type {JsonObject} */ (game.options[language]).properties ?? {});
}

/**
 * @param {JsonObject} schema
 * @returns {{value: unknown, title: string}[]}
 */
function choicesOf(schema) {
    const named = /** @type {{const: unknown, title?: string}[]} */ (schema.oneOf ?? []);
    return named.map((entry) => ({ value: entry.const, title: entry.title ?? String(entry.const) }));
}

/**
 * @param {JsonObject} options
 * @param {string} name
 * @param {unknown} value
 * @param {unknown} usual
 */
function withOption(options, name, value, usual) {
    const { [name]: _, ...rest } = options;
    return value === usual ? rest : { ...rest, [name]: value };
}
