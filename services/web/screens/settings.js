/**
 * The settings of the page on this device.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { backLink } from "./back.js";
import { subscribe, unsubscribe } from "../pushing.js";
import { askLeave, canRemind, isAllowed } from "../reminders.js";
import { choice, toggle } from "./fields.js";

/** @import { Context, Screen } from "../app.js" */
/** @import { Settings } from "../storage.js" */

/**
 * @param {Context} context
 * @returns {Screen}
 */
export function open(context) {
    // In Telegram the bot sends the reminders.
    const reminders = context.telegram ? () => nothing : canRemind() ? reminding : installing;
    return { title: () => context.t("settings"), view: () => view(context, reminders) };
}

/**
 * @param {Context} context
 * @param {(context: Context) => unknown} reminders draws the setting for reminders
 */
function view(context, reminders) {
    const { t, settings, configure } = context;
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
    const turn = (/** @type {"motion" | "sound" | "confirm" | "keys"} */ name) =>
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
            <div class="many">
                ${choose("language", ["", "it", "en"])} ${choose("theme", ["system", "light", "dark"])} ${choose("look", ["green", "blue", "wine"])}
                ${choose("suits", ["two", "four"])} ${choose("size", ["normal", "large"])} ${turn("motion")} ${turn("sound")} ${turn("confirm")}
                ${reminders(context)} ${choose("speech", ["short", "usual", "long"])} ${turn("keys")}
            </div>
            <p class="actions">${backLink(t)}</p>
        </section>
    `;
}

/**
 * Replaces the switch if the page cannot send reminders. On iOS (only its browsers have `standalone`) it explains how to
 * enable them.
 *
 * @param {Context} context
 */
function installing({ t }) {
    return "standalone" in navigator ? html`<p class="hint">${t("setting.reminders.install")}</p>` : nothing;
}

/**
 * The switch for reminders, which stays off until the browser lets the page show them.
 *
 * @param {Context} context
 */
function reminding(context) {
    const { t, settings, configure } = context;
    const { reminders: wanted } = settings;
    const set = async (/** @type {boolean} */ value) => {
        if (value && !isAllowed()) await askLeave();
        await configure({ reminders: value });
        const own = context.storage.seats().map(({ table }) => table);
        await (value ? subscribe(context, own) : unsubscribe()).catch(() => {});
    };
    const label = t("setting.reminders");
    return html`${toggle({ name: "reminders", label, hint: t("setting.reminders.hint"), value: wanted && isAllowed(), set })}
        ${wanted && Notification.permission === "denied" ? html`<p role="alert">${t("reminders_refused")}</p>` : nothing}`;
}
