/**
 * Fields of forms: choices, numbers with large steps, switches.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";

/** @import { Translate } from "../parts.js" */

/**
 * A choice of one value: radio buttons that look like a row of buttons.
 *
 * @template T
 * @param {{
 *   name: string, label: string, value: T, choices: {value: T, title: string}[], hint?: string, set: (value: T) => void,
 * }} field
 */
export function choice({ name, label, value, choices, hint, set }) {
    return html`
        <fieldset class="field">
            <legend class="label">${label}</legend>
            ${hint ? html`<p class="hint">${hint}</p>` : nothing}
            <div class="choices">
                ${choices.map(
                    (option) => html`
                        <label class="choice">
                            <input
                                type="radio"
                                name=${name}
                                value=${String(option.value)}
                                .checked=${live(option.value === value)}
                                @change=${() => set(option.value)}
                            />
                            <span>${option.title}</span>
                        </label>
                    `,
                )}
            </div>
        </fieldset>
    `;
}

/**
 * @param {Translate} t
 * @param {{label: string, hint?: string, value: number, least: number, most: number, set: (value: number) => void}} field
 */
export function stepper(t, { label, hint, value, least, most, set }) {
    const within = (/** @type {number} */ number) => Math.min(most, Math.max(least, Math.round(number) || least));
    const typed = (/** @type {Event} */ event) => set(within(Number(/** @type {HTMLInputElement} */ (event.target).value)));
    return html`
        <div class="field" role="group" aria-label=${label}>
            <span class="label">${label}</span>
            ${hint ? html`<p class="hint">${hint}</p>` : nothing}
            <div class="stepper">
                <button type="button" aria-label=${t("fewer")} aria-disabled=${value <= least} @click=${() => set(within(value - 1))}>−</button>
                <input
                    type="number"
                    inputmode="numeric"
                    aria-label=${label}
                    min=${least}
                    max=${most}
                    .value=${live(String(value))}
                    @change=${typed}
                />
                <button type="button" aria-label=${t("more_of")} aria-disabled=${value >= most} @click=${() => set(within(value + 1))}>+</button>
            </div>
        </div>
    `;
}

/** @param {{name: string, label: string, hint?: string, value: boolean, set: (value: boolean) => void}} field */
export function toggle({ name, label, hint, value, set }) {
    const id = `hint-${name}`;
    return html`
        <div class="field toggle">
            <label>
                <span class="label">${label}</span>
                <input
                    type="checkbox"
                    role="switch"
                    .checked=${live(value)}
                    aria-describedby=${hint ? id : nothing}
                    @change=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)}
                />
            </label>
            ${hint ? html`<p class="hint" id=${id}>${hint}</p>` : nothing}
        </div>
    `;
}
