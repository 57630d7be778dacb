/**
 * The rules of a game, to read.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Problem } from "../client.js";
import { drawing } from "../cardtext.js";
import { inline, markdown } from "../markdown.js";
import { gameName } from "./words.js";
import { backLink } from "./back.js";
import { problemView } from "./frame.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { GameDetails } from "../types.js" */

/**
 * @param {Context} context
 * @param {string} game
 * @returns {Promise<Screen>}
 */
export async function open(context, game) {
    const { client, t, language } = context;
    /** @type {GameDetails | Problem} */
    const details = await client.game(game).catch((error) => error);
    if (details instanceof Problem) return { title: () => t("rules"), view: () => problemView(t, details) };
    const text = details.rules[language];
    return {
        title: () => t("rules_of", { game: gameName(details, language) }),
        view: () => html`
            <article class="rules">
                <nav class="contents" aria-label=${t("contents")}>
                    ${text.match(/(?<=^## ).*$/gm)?.map((title, number) => html`<button class="link" @click=${() => goTo(number)}>${inline(title)}</button>`)}
                </nav>
                <p class="actions">${backLink(t)}</p>
                ${markdown(text, drawing(details))}
                <p class="actions">
                    <a class="button" href="#/solo/${game}">${t("solo")}</a>
                    <a class="button quiet" href="#/new/${game}">${t("friends")}</a>
                    ${details.lesson ? html`<a class="link" href="#/lesson/${game}">${t("learn")}</a>` : nothing}
                </p>
            </article>
        `,
    };
}

/**
 * Scrolls to a section of the rules. It cannot be a link, because the part after `#` names a screen.
 *
 * @param {number} number
 */
function goTo(number) {
    document.querySelectorAll(".rules h2")[number]?.scrollIntoView();
}
