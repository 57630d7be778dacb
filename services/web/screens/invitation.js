/**
 * How friends get to a table: its link, to copy or to pass on, and the same as a QR code.
 *
 * @module
 */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

/** @import { Context } from "../app.js" */

/** @type {{text: string, size: number, path: string} | null} */
let code = null;
let copied = "";
/** A window that has a place for the code beside the seats (style/lobby.css). */
const roomy = window.matchMedia("(min-width: 64rem) and (min-height: 46rem)");
/** A host name that leads every device to itself. */
const ITSELF = /^(localhost|127\.[\d.]+|\[::1\])$/;
/** Where people elsewhere reach this server; asked for once, empty until it is known. */
let home = "";
let asked = false;

/**
 * @param {Context} context
 * @param {string} id
 */
export function invitation(context, id) {
    const { t, telegram } = context;
    const inGroup = telegram?.linkTo(id) ?? "";
    const { link, local } = linkOf(context, id);
    const share = inGroup ? () => telegram?.share(inGroup) : "share" in navigator ? () => navigator.share({ title: "Locanda", url: link }).catch(() => {}) : null;
    return html`
        <section class="panel" aria-labelledby="invite">
            <h2 id="invite">${t("invite")}</h2>
            ${local ? html`<p role="note">${t("invite.local")}</p>` : html`<p class="dim">${t("invite.hint")}</p>`}
            <p class="copy">
                <input readonly aria-label=${t("link")} .value=${link} @focus=${select} />
                <button class="button" @click=${(/** @type {Event} */ event) => copy(context, link, event)}>
                    ${copied === link ? t("copied") : t("copy")}
                </button>
            </p>
            ${share ? html`<p><button class="button quiet" @click=${share}>${t("share")}</button></p>` : nothing}
            ${local
                ? nothing
                : html`<details class="more" ?open=${roomy.matches} @toggle=${() => void load(context, link)}>
                      <summary><span>${t("qr")}</span></summary>
                      ${code?.text === link ? picture(t("qr_of_link"), code) : nothing}
                  </details>`}
            ${telegram ? nothing : html`<p><a class="link" href="#/tv/${id}" target="_blank">${t("television")}</a></p>`}
        </section>
    `;
}

/**
 * The link to pass on, and whether it leads to a table on this computer alone.
 *
 * @param {Context} context
 * @param {string} id
 */
export function linkOf(context, id) {
    void ask(context);
    const link = context.telegram?.linkTo(id) || new URL(`t/${id}`, home || document.baseURI).href;
    return { link, local: ITSELF.test(new URL(link).hostname) };
}

/**
 * A link as a QR code, for a phone beside this screen; nothing until it is there.
 *
 * @param {Context} context
 * @param {string} link
 */
export function scanned(context, link) {
    void load(context, link);
    return code?.text === link ? picture(context.t("qr_of_link"), code) : nothing;
}

/** @param {Context} context */
async function ask({ client, changed }) {
    if (asked) return;
    asked = true;
    const server = await client.server().catch(() => null);
    home = server?.public_url ? `${server.public_url}/` : "";
    changed();
}

/** @param {Event} event */
function select(event) {
    /** @type {HTMLInputElement} */ (event.target).select();
}

/**
 * @param {Context} context
 * @param {string} link
 * @param {Event} event
 */
async function copy(context, link, event) {
    try {
        await navigator.clipboard.writeText(link);
    } catch {
        // Pages without TLS have no clipboard API: they select the text and copy that.
        const field = /** @type {HTMLElement} */ (event.currentTarget ?? event.target).parentElement?.querySelector("input");
        field?.select();
        document.execCommand("copy");
    }
    copied = link;
    context.announce(context.t("copied"));
    context.changed();
    setTimeout(() => {
        copied = "";
        context.changed();
    }, 3000);
}

/**
 * @param {Context} context
 * @param {string} text
 */
async function load(context, text) {
    if (code?.text === text) return;
    const { encode } = await import("../vendor/uqr/uqr.js");
    const { data, size } = encode(text, { border: 2 });
    const path = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
    code = { text, size, path };
    context.changed();
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
