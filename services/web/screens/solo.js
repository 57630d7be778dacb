/**
 * The form for a match against computer players: how many, their level, and the options.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { LEVELS, LONGEST_NAME, levelsOf, playAlone } from "../opening.js";
import { choice, stepper } from "./fields.js";
import { firstTime } from "./first-time.js";
import { apiKeyField, refused, submitting } from "./form.js";
import { problemView } from "./frame.js";
import { gameName, levelName } from "./words.js";

/** @import { Context, Screen } from "../app.js" */
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
    if (game instanceof Problem) return { title: () => t("solo"), view: () => problemView(t, game) };
    const { min, max, suggested } = game.players;
    const kept = storage.opponents(name);
    const state = {
        computers: Math.min(max - 1, Math.max(min - 1, kept?.computers ?? Math.min(2, suggested[1] - 1))),
        level: kept && levelsOf(game).includes(kept.level) ? kept.level : LEVELS[1],
        busy: false,
        problem: /** @type {Problem | null} */ (null),
    };
    const deal = submitting(context, game, state, async (person) => {
        if (person) storage.saveName(person);
        storage.saveOpponents(name, state);
        return playAlone(client, storage, { game: name, name: person || t("guest"), hints: true }, state);
    });
    prepare(context, name);
    return { title: () => t("solo_at", { game: gameName(game, context.language) }), view: () => view(context, game, state, deal) };
}

/**
 * Loads what draws the game's table, while the person looks at the form.
 *
 * @param {Context} context
 * @param {string} game
 */
function prepare({ client, load }, game) {
    for (const part of /** @type {const} */ (["table", "playing", "flights", "dealing"])) load(part).catch(() => {});
    import("../games/games.js").then(({ loadGame }) => loadGame(game, client)).catch(() => {});
}

/**
 * @param {Context} context
 * @param {GameDetails} game
 * @param {{computers: number, level: string, busy: boolean, problem: Problem | null}} state
 * @param {(event: SubmitEvent) => void} deal
 */
function view(context, game, state, deal) {
    const { t, storage, language, changed } = context;
    const { min, max } = game.players;
    const set = (/** @type {Partial<typeof state>} */ values) => {
        Object.assign(state, values);
        changed();
    };
    return html`
        <form class="panel narrow" @submit=${deal}>
            <p class="kicker">${t("solo")}</p>
            <h1>${gameName(game, language)}</h1>
            ${firstTime(context, game)}
            ${min === max
                ? nothing
                : stepper(t, {
                      label: t("computers"),
                      value: state.computers,
                      least: min - 1,
                      most: max - 1,
                      set: (computers) => set({ computers }),
                  })}
            ${choice({
                name: "level",
                label: t("level"),
                value: state.level,
                choices: levelsOf(game).map((level) => ({ value: level, title: levelName(game, level) })),
                hint: t(`level.${LEVELS.some((level) => level === state.level) ? state.level : "own"}.hint`),
                set: (level) => set({ level }),
            })}
            <label class="field">
                <span class="label">${t("your_name")}</span>
                <input name="name" autocomplete="nickname" maxlength=${LONGEST_NAME} .value=${storage.name} placeholder=${t("guest")} />
            </label>
            ${refused(context, state.problem)} ${apiKeyField(context, state.problem)}
            <p class="actions">
                <button class="button large" ?disabled=${state.busy}>${t(state.busy ? "dealing" : "deal")}</button>
                <a class="link" href="#/rules/${game.game}">${t("rules")}</a>
            </p>
        </form>
    `;
}
