/**
 * Dialogs over the table (the menu, the history, the cards of a pile, the result of a deal) and the end of a match.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";
import { fan, openCard } from "../cards.js";
import { ready } from "../parts.js";
import { canPush, setPushed } from "../pushing.js";
import { watching } from "./context.js";
import { closing, closingButton, inGroup, leaderboard, leaderboardButton } from "./group.js";
import { KEYS } from "./keys.js";
import { history, score } from "./log.js";
import { resultOf } from "./over.js";

/**
 * @import { ElementPart } from "../vendor/lit-html/directive.js"
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { DealEnd, SessionState, Sheet } from "../state.js"
 * @import { Translate } from "../parts.js"
 * @import { Seat, Table } from "../types.js"
 */

export { aside } from "./log.js";
export { matchOver } from "./over.js";
export { beside } from "./beside.js";
export * from "./ahead.js";

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function sheet(context, actions) {
    const { t } = context;
    const { state } = actions;
    const { sheet: open, ended } = state;
    const table = /** @type {Table} */ (state.table);
    if (!open) return table.status === "playing" && ended ? dealOver(table, ended, actions, t) : nothing;
    const close = () => actions.set({ sheet: null });
    const [title, content] = contents(context, actions, open);
    return dialog(title, content, close, t);
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 * @param {Sheet} sheet
 * @returns {[string, unknown]} its title and its content
 */
function contents(context, actions, sheet) {
    const { t } = context;
    const { state } = actions;
    const table = /** @type {Table} */ (state.table);
    switch (sheet.name) {
        case "pile":
            return [sheet.title, spread(state, sheet.codes, t)];
        case "history":
            return [t("history"), html`${score(table, table.words?.score ?? [], t)}${history(state, t)}`];
        case "menu":
            return [t("menu"), menu(context, actions, sheet.asked)];
        case "remarks":
            return [t("speak"), words(context, actions)];
        case "keys":
            return [t("keys"), keys(t)];
        case "closing":
            return [t("closeTable"), closing(context, actions, sheet)];
        case "leaderboard":
            return [t("leaderboard"), leaderboard(context, actions, sheet)];
    }
}

/**
 * The remarks sheet, once its module is loaded.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
function words(context, actions) {
    const { speaking } = context.modules;
    if (speaking === "failed") return html`<p role="alert">${context.t("problem.not_loaded")}</p>`;
    return ready(speaking)?.choosing(context, actions, shut) ?? nothing;
}

/**
 * How the last deal ended, while the match goes on.
 *
 * @param {Table} table
 * @param {DealEnd} ended
 * @param {TableSession} actions
 * @param {Translate} t
 */
function dealOver(table, ended, actions, t) {
    const close = () => actions.set({ ended: null });
    const [title = t("dealOver"), ...places] = ended.result;
    // After the first deal the points of the match and of the deal are the same.
    const points = table.match.deal > 2 ? ended.score : [];
    const content = html`${resultOf(actions.state, places, t)} ${score(table, points, t)}
        <button type="button" class="act main" data-first @click=${shut}>${t("goOn")}</button>`;
    return dialog(title, content, close, t);
}

/**
 * @param {string} title
 * @param {unknown} content
 * @param {() => void} close called once it is closed
 * @param {Translate} t
 */
function dialog(title, content, close, t) {
    const outside = (/** @type {Event} */ event) => event.target === event.currentTarget && shut(event);
    return html`<dialog class="sheet" aria-label=${title} ${modal()} @close=${close} @click=${outside}>
        <div class="inside">
            <header>
                <h2>${title}</h2>
                <button type="button" class="icon" aria-label=${t("close")} @click=${shut}>×</button>
            </header>
            ${content}
        </div>
    </dialog>`;
}

/**
 * Closes the dialog around an element. The browser then returns the focus to the element that had it before.
 *
 * @param {Event} event
 */
function shut({ currentTarget }) {
    /** @type {Element} */ (currentTarget).closest("dialog")?.close();
}

/**
 * @param {SessionState} state
 * @param {readonly string[]} codes
 * @param {Translate} t
 */
function spread({ table, game, drawing }, codes, t) {
    if (!drawing) return nothing;
    const play = watching(drawing, game, table?.deal ?? {}, [], t);
    return fan(codes.map((code) => openCard(play, code)), { kind: "laid" });
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 * @param {"leave" | number} [asked] the action that the next press confirms
 */
function menu(context, actions, asked) {
    const { t } = context;
    const { state } = actions;
    const table = /** @type {Table} */ (state.table);
    const leave = async () => {
        if (await actions.leave()) actions.set({ sheet: null });
    };
    const pushed = context.storage.seat(table.id)?.pushed ?? context.settings.reminders;
    const push = () => setPushed(context, table.id, !pushed).catch(() => {}).finally(() => context.changed());
    const open = (/** @type {Sheet} */ sheet) => () => actions.set({ sheet });
    const press = (/** @type {string} */ icon, /** @type {string} */ text, /** @type {() => void} */ go) =>
        html`<button type="button" class="act" @click=${go}><i aria-hidden="true">${icon}</i> ${text}</button>`;
    const link = (/** @type {string} */ icon, /** @type {string} */ text, /** @type {string} */ to) =>
        html`<a class="act" href="#/${to}" target=${to.startsWith("tv/") ? "_blank" : nothing}><i aria-hidden="true">${icon}</i> ${text}</a>`;
    const group = inGroup(context, table);
    const groups = [
        [
            press("☰", t("history"), open({ name: "history" })),
            group && leaderboardButton(context, actions),
            link("?", t("rules"), `rules/${table.game}`),
            !context.telegram && link("▭", t("television"), `tv/${table.id}`),
        ],
        [
            flip(t("sounds"), context.settings.sound, t, () => void context.configure({ sound: !context.settings.sound })),
            table.you !== null && !context.telegram && canPush() && flip(t("pushed"), pushed, t, push),
            press("⌨", t("keys"), open({ name: "keys" })),
            link("⚙", t("settings"), "settings"),
        ],
        [
            link("⌂", t("toLobby"), ""),
            ...idle(table).map((seat) => removal(seat, asked, actions, t)),
            group && closingButton(context, actions),
            table.you !== null && table.status === "playing" && !state.lesson && leaving(asked === "leave", leave, open({ name: "menu", asked: "leave" }), t),
        ],
    ];
    return groups.map((entries) => html`<ul class="menu">${entries.filter(Boolean).map((entry) => html`<li>${entry}</li>`)}</ul>`);
}

/**
 * A switch.
 *
 * @param {string} label
 * @param {boolean} on
 * @param {Translate} t
 * @param {() => void} set
 */
export function flip(label, on, t, set) {
    return html`<button type="button" class="act" role="switch" aria-checked=${on ? "true" : "false"} @click=${set}>
        ${label} <b aria-hidden="true">${t(on ? "on" : "off")}</b>
    </button>`;
}

/**
 * The button that gives up one's seat, at the second press.
 *
 * @param {boolean} asked
 * @param {() => void} leave
 * @param {() => void} ask
 * @param {Translate} t
 */
function leaving(asked, leave, ask, t) {
    return html`${asked ? html`<p>${t("leaveWarning")}</p>` : nothing}
        <button type="button" class="act danger" @click=${asked ? leave : ask}>${t(asked ? "leaveSurely" : "leave")}</button>`;
}

/**
 * The list of keys that read out facts of the table.
 *
 * @param {Translate} t
 */
function keys(t) {
    return html`<p>${t("keysLead")}</p>
        <dl class="keys">
            ${Object.entries(KEYS).map(([key, asked]) => html`<dt><kbd>${key.toUpperCase()}</kbd></dt><dd>${t(`key.${asked}`)}</dd>`)}
        </dl>
        <p>${t("keysMove")}</p>`;
}

/**
 * The people whom a table may be waiting for. Its host may give their seats to computer players.
 *
 * @param {Table} table
 * @returns {Seat[]}
 */
function idle({ status, you, host, seats, deal, turn_seconds: limit }) {
    if (status !== "playing" || you === null || you !== host) return [];
    const awaited = limit ? undefined : deal?.turn;
    return seats.filter(({ seat, kind, away }) => kind === "person" && seat !== you && (away || seat === awaited));
}

/**
 * @param {Seat} idler
 * @param {"leave" | number | undefined} confirmed the action that the next press confirms
 * @param {TableSession} actions
 * @param {Translate} t
 */
function removal({ seat, name }, confirmed, actions, t) {
    const asked = confirmed === seat;
    const remove = async () => {
        if (await actions.leave(seat)) actions.set({ sheet: null });
    };
    return html`
        ${asked ? html`<p>${t("removeWarning", { name })}</p>` : nothing}
        <button type="button" class="act danger" @click=${() => (asked ? remove() : actions.set({ sheet: { name: "menu", asked: seat } }))}>
            <span>${t(asked ? "removeSurely" : "removePlayer", { name })}</span>
        </button>
    `;
}

/** Shows a dialog element as modal when it is rendered, and keeps the focus in it when its content changes. */
class Modal extends Directive {
    render() {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     */
    update(part) {
        const dialog = /** @type {HTMLDialogElement} */ (part.element);
        queueMicrotask(() => {
            if (!dialog.isConnected) return;
            if (!dialog.open) {
                dialog.showModal();
                // Keeps the title in sight, as the focused button may lie below the visible part.
                /** @type {HTMLElement | null} */ (dialog.querySelector("[data-first]"))?.focus({ preventScroll: true });
            } else if (!dialog.contains(document.activeElement)) dialog.querySelector("button")?.focus();
        });
        return noChange;
    }
}

const modal = directive(Modal);
