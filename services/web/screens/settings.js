/**
 * How the page looks and behaves on this device.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { backLink } from "./frame.js";
import { choice, toggle } from "./fields.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { Settings } from "../storage.js" */

/**
 * @param {Context} context
 * @returns {Screen}
 */
export function open(context) {
    return { title: () => context.t("settings"), view: () => view(context) };
}

/** @param {Context} context */
function view({ t, settings, configure }) {
    /**
     * @template {keyof Settings} K
     * @param {K} name
     * @param {Settings[K][]} values
     */
    const choose = (name, values) =>
        choice({
            name,
            label: t(`setting.${name}`),
            value: settings[name],
            choices: values.map((value) => ({ value, title: t(`setting.${name}.${value || "browser"}`) })),
            set: (value) => void configure({ [name]: value }),
        });
    const turn = (/** @type {"motion" | "sound" | "confirm"} */ name) =>
        toggle({
            name,
            label: t(`setting.${name}`),
            hint: t(`setting.${name}.hint`),
            value: settings[name],
            set: (value) => void configure({ [name]: value }),
        });
    return html`
        <section class="panel narrow">
            <h1>${t("settings")}</h1>
            ${choose("language", ["", "it", "en"])} ${choose("theme", ["system", "light", "dark"])}
            ${choose("suits", ["two", "four"])} ${choose("size", ["normal", "large"])} ${turn("motion")} ${turn("sound")}
            ${turn("confirm")}
            <p class="actions">${backLink(t)}</p>
        </section>
    `;
}
