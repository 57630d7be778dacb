/**
 * A table for friends: its options, and who opens it.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { LONGEST_NAME, openTable } from "../opening.js";
import { NEW_TABLE, mainFields, optionLines, otherFields, turnTime } from "./options.js";
import { apiKeyField, refused, submitting } from "./form.js";
import { problemView } from "./frame.js";
import { gameName } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { TableSettings } from "./options.js" */
/** @import { GameDetails } from "../types.js" */

/**
 * @param {Context} context
 * @param {string} name of the game
 * @returns {Promise<Screen>}
 */
export async function open(context, name) {
    const { client, storage, t } = context;
    /** @type {GameDetails | Problem} */
    const game = await client.game(name).catch((error) => error);
    if (game instanceof Problem) return { title: () => t("friends"), view: () => problemView(t, game) };
    const state = { settings: /** @type {TableSettings} */ ({ ...NEW_TABLE }), busy: false, problem: /** @type {Problem | null} */ (null) };
    const submit = submitting(context, game, state, async (person) => {
        storage.saveName(person);
        return (await openTable(client, storage, { game: name, name: person, ...state.settings })).table;
    });
    return {
        title: () => t("friends_at", { game: gameName(game, context.language) }),
        view: () => view(context, game, state, submit),
    };
}

/**
 * @param {Context} context
 * @param {GameDetails} game
 * @param {{settings: TableSettings, busy: boolean, problem: Problem | null}} state
 * @param {(event: SubmitEvent) => void} submit
 */
function view(context, game, state, submit) {
    const { t, storage, language, changed } = context;
    const { settings } = state;
    const set = (/** @type {Partial<TableSettings>} */ values) => {
        state.settings = { ...settings, ...values };
        changed();
    };
    return html`
        <form class="panel narrow" @submit=${submit}>
            <p class="kicker">${t("friends")}</p>
            <h1>${gameName(game, language)}</h1>
            <label class="field">
                <span class="label">${t("your_name")}</span>
                <input name="name" autocomplete="nickname" required maxlength=${LONGEST_NAME} .value=${storage.name} />
            </label>
            ${mainFields(context, game, settings, set)}
            <details class="more">
                <summary>
                    <span>${t("options")}</span>
                    <span class="dim">${optionLines(game, language, settings.options).join(" · ") || t("options_usual")}</span>
                </summary>
                <div class="many">${otherFields(context, game, settings, set)}</div>
            </details>
            ${refused(context, state.problem)} ${apiKeyField(context, state.problem)}
            <p class="actions">
                <button class="button large" ?disabled=${state.busy}>${t("open_table")}</button>
                <a class="link" href="#/rules/${game.game}">${t("rules")}</a>
            </p>
        </form>
    `;
}

/**
 * Returns how many players the options allow; servers up to 0.1.0 do not say.
 *
 * @param {GameDetails} game
 * @param {import("../types.js").Table} table
 */
export function mostPlayers(game, table) {
    return table.max_seats ?? game.players.max;
}

/**
 * @param {import("../parts.js").Translate} t
 * @param {import("../parts.js").Language} language
 * @param {GameDetails} game
 * @param {TableSettings} settings
 * @returns {string[]} the settings that differ from the defaults
 */
export function summary(t, language, game, settings) {
    return [
        ...optionLines(game, language, settings.options),
        ...(settings.turn_seconds ? [t("turn_of", { time: turnTime(t, language, settings.turn_seconds) })] : []),
        ...(settings.listed ? [t("is_listed")] : []),
    ];
}
