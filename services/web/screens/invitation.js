/**
 * An invitation to a table: its link, to copy or share, and the link as a QR code.
 *
 * @module
 */

import { ready } from "../parts.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

/** @import { Context } from "../app.js" */
/** @import { TableSession } from "../session.js" */
/** @import { SessionState } from "../state.js" */

/** Windows with room for the QR code beside the seats (style/lobby.css). */
const roomy = window.matchMedia("(min-width: 64rem) and (min-height: 46rem)");
/** Host names that mean the device itself (loopback). */
const ITSELF = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * @param {Context} context
 * @param {TableSession} session
 */
export function invitation(context, session) {
    const { t, telegram } = context;
    const { id, state } = session;
    const inGroup = telegram?.linkTo(id) ?? "";
    const { link, local } = linkOf(context, state, id);
    const share = inGroup ? () => telegram?.share(inGroup) : "share" in navigator ? () => navigator.share({ title: "Locanda", url: link }).catch(() => {}) : null;
    return html`
        <section class="panel" aria-labelledby="invite">
            <h2 id="invite">${t("invite")}</h2>
            ${local ? html`<p role="note">${t("invite.local")}</p>` : html`<p class="dim">${t("invite.hint")}</p>`}
            ${share ? html`<p><button class="button" @click=${share}>${t("share")}</button></p>` : nothing}
            <p class="copy">
                <input readonly aria-label=${t("link")} .value=${link} @focus=${select} />
                <button class="button ${share ? "quiet" : ""}" @click=${(/** @type {Event} */ event) => copy(context, session, link, event)}>
                    ${t(state.copied?.outcome ?? "copy")}
                </button>
            </p>
            ${local
                ? nothing
                : html`<details class="more" ?open=${roomy.matches} @toggle=${() => context.load("code").catch(() => {})}>
                      <summary><span>${t("qr")}</span></summary>
                      ${scanned(context, link)}
                  </details>`}
            ${telegram ? nothing : html`<p><a class="link" href="#/tv/${id}" target="_blank">${t("television")}</a></p>`}
        </section>
    `;
}

/**
 * The link to share, with a warning if it only works on this computer.
 *
 * @param {Context} context
 * @param {SessionState} state
 * @param {string} id
 */
export function linkOf({ telegram }, { home }, id) {
    const link = telegram?.linkTo(id) || new URL(`t/${id}`, home || document.baseURI).href;
    return { link, local: ITSELF.test(new URL(link).hostname) };
}

/**
 * A link as a QR code, for a phone beside this screen; nothing until its module is loaded.
 *
 * @param {Context} context
 * @param {string} link
 */
export function scanned({ modules, t }, link) {
    const code = ready(modules.code);
    if (!code) return modules.code === "failed" ? html`<p role="alert">${t("problem.not_loaded")}</p>` : nothing;
    const { data, size } = code.encode(link, { border: 2 });
    const path = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
    return picture(t("qr_of_link"), { size, path });
}

/** @param {Event} event */
function select(event) {
    /** @type {HTMLInputElement} */ (event.target).select();
}

/**
 * @param {Context} context
 * @param {TableSession} session
 * @param {string} link
 * @param {Event} event
 */
async function copy({ announce, t }, session, link, { currentTarget }) {
    const field = /** @type {HTMLElement} */ (currentTarget).parentElement?.querySelector("input");
    const done = await (navigator.clipboard?.writeText(link).then(() => true) ?? Promise.reject()).catch(() => {
        // Pages without TLS have no clipboard API, so they select the text and copy the selection.
        field?.select();
        return document.execCommand("copy");
    });
    const outcome = done ? "copied" : "not_copied";
    session.set({ copied: { outcome, until: Date.now() + 3000 } });
    announce(t(outcome));
}

/**
 * @param {string} name
 * @param {{size: number, path: string}} code
 */
function picture(name, { size, path }) {
    return html`
        <svg class="qr" role="img" aria-label=${name} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
            ${svg`<rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" />`}
        </svg>
    `;
}
