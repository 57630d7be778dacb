/**
 * The result of the check of a shuffle, in words.
 *
 * @module
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { canVerify } from "./verify.js";

/**
 * @import { Translate } from "../parts.js"
 * @import { Proof } from "../types.js"
 * @import { Finding } from "./verify.js"
 */

/**
 * @param {Finding[] | null} findings
 * @param {Proof} proof
 * @param {Translate} t
 */
export function shuffleView(findings, proof, t) {
    if (!canVerify()) return html`<div class="felt prose"><p class="banner">${t("insecure")}</p></div>`;
    if (!findings) return html`<p class="void" aria-busy="true">${t("loading")}</p>`;
    return html`<div class="felt prose">
        <h2 class="verdict-${verdict(findings)}">${t(`verdict_${verdict(findings)}`)}</h2>
        <ul class="lines findings">
            ${findings.map(({ question, agrees }) => html`<li><b>${sign(agrees)}</b> ${t(`check_${question}_${agrees}`)}</li>`)}
        </ul>
        <details>
            <summary>${t("numbers")}</summary>
            <dl class="numbers">
                <dt>${t("fingerprint")}</dt>
                <dd>${proof.commitment}</dd>
                <dt>${t("secret")}</dt>
                <dd>${proof.server_seed}</dd>
                <dt>${t("seeds")}</dt>
                <dd>${proof.client_seeds.map((seed) => seed || "–").join(" · ")}</dd>
                <dt>${t("dealSeed")}</dt>
                <dd>${proof.seed}</dd>
            </dl>
        </details>
        <p>${t("whatItMeans")}</p>
    </div>`;
}

/**
 * @param {readonly Finding[]} findings
 * @returns {"wrong" | "agrees" | "itself"}
 */
function verdict(findings) {
    if (findings.some(({ agrees }) => agrees === false)) return "wrong";
    return findings.some(({ question, agrees }) => question === "published" && agrees) ? "agrees" : "itself";
}

/** @param {boolean | null} agrees */
const sign = (agrees) => (agrees === null ? "–" : agrees ? "✓" : "✗");
