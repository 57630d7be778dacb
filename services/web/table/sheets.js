/**
 * Dialogs over the table: the menu, the history, the cards of a pile, the result of a deal; and the end of a match.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";
import { fan, openCard } from "../cards.js";
import { GAMES } from "../games/games.js";
import { canPush, setPushed } from "../pushing.js";
import { watching } from "./context.js";
import { closing, closingButton, inGroup, leaderboard, leaderboardButton } from "./group.js";
import { KEYS } from "./keys.js";
import { history, score } from "./log.js";
import { resultOf } from "./over.js";

/**
 * @import { ElementPart } from "../vendor/lit-html/directive.js"
 * @import { Context } from "../app.js"
 * @import { DealEnd, SessionState, TableSession } from "../session.js"
 * @import { Translate } from "../parts.js"
 * @import { Seat, Table } from "../types.js"
 * @import { Play, Spread } from "./shapes.js"
 */

export { aside } from "./log.js";
export { matchOver } from "./over.js";
export { beside } from "./beside.js";
export { hearing } from "./remarks.js";

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function sheet(context, actions) {
    const { t } = context;
    const { state } = actions;
    const table = /** @type {Table} */ (state.table);
    const { ui } = state;
    const close = () => actions.setUi({ sheet: null, spread: null, leaving: false, removing: null });
    const points = table.words?.score ?? [];
    if (ui.spread) return dialog(ui.spread.title, spread(state, ui.spread, t), close, t);
    if (ui.sheet === "history") {
        return dialog(t("history"), html`${score(table, points, t)}${history(state, t)}`, close, t);
    }
    if (ui.sheet === "menu") return dialog(t("menu"), menu(context, actions), close, t);
    if (ui.sheet === "remarks") return dialog(t("speak"), words(context, actions), close, t);
    if (ui.sheet === "keys") return dialog(t("keys"), keys(t), close, t);
    if (ui.sheet === "closing") return dialog(t("closeTable"), closing(context, actions), close, t);
    if (ui.sheet === "leaderboard") return dialog(t("leaderboard"), leaderboard(context, actions), close, t);
    return table.status === "playing" && state.ended ? dealOver(table, state.ended, actions, t) : nothing;
}

/** What one can say, which is loaded when it is first asked for. @type {typeof import("./speaking.js") | null} */
let speaking = null;

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
function words(context, actions) {
    if (speaking) return speaking.choosing(context, actions, shut);
    const come = (/** @type {typeof import("./speaking.js")} */ loaded) => {
        speaking = loaded;
        actions.setUi({});
    };
    import("./speaking.js").then(come, console.error);
    return nothing;
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
    const close = () => actions.dismissDeal();
    const [title = t("dealOver"), ...places] = ended.result;
    // After the first deal the points of the match are those of the deal.
    const points = table.match.deal > 2 ? ended.score : [];
    const content = html`${resultOf(actions.state, places, t)} ${score(table, points, t)}
        <button type="button" class="act main" autofocus @click=${shut}>${t("goOn")}</button>`;
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
 * Closes the dialog around an element, so that the browser gives the focus back to what had it before.
 *
 * @param {Event} event
 */
function shut({ currentTarget }) {
    /** @type {Element} */ (currentTarget).closest("dialog")?.close();
}

/**
 * @param {SessionState} state
 * @param {Spread} pile
 * @param {Translate} t
 */
function spread(state, { title, codes }, t) {
    const table = /** @type {Table} */ (state.table);
    /** @type {Play} */
    const play = watching(GAMES[table.game], state.game, table.deal ?? {}, [], t);
    return fan(
        codes.map((code) => openCard(play, code)),
        { label: title, kind: "laid" },
    );
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
function menu(context, actions) {
    const { t } = context;
    const { state } = actions;
    const table = /** @type {Table} */ (state.table);
    const { ui } = state;
    const leave = async () => {
        if (await actions.leave()) actions.setUi({ sheet: null, leaving: false });
    };
    const pushed = context.storage.seat(table.id)?.pushed ?? context.settings.reminders;
    const push = () => setPushed(context, table.id, !pushed).catch(() => {}).finally(() => context.changed());
    const sounds = () => void context.configure({ sound: !context.settings.sound });
    return html`<ul class="menu">
        <li>
            <button type="button" class="act" @click=${() => actions.setUi({ sheet: "history" })}>${t("history")}</button>
        </li>
        ${inGroup(context, table) ? html`<li>${leaderboardButton(context, actions)}</li>` : nothing}
        <li>
            <button type="button" class="act" role="switch" aria-checked=${context.settings.sound ? "true" : "false"} @click=${sounds}>
                ${t("sounds")} <b aria-hidden="true">${t(context.settings.sound ? "on" : "off")}</b>
            </button>
        </li>
        ${table.you === null || context.telegram || !canPush()
            ? nothing
            : html`<li>
                  <button type="button" class="act" role="switch" aria-checked=${pushed ? "true" : "false"} @click=${push}>
                      ${t("pushed")} <b aria-hidden="true">${t(pushed ? "on" : "off")}</b>
                  </button>
              </li>`}
        <li>
            <button type="button" class="act" @click=${() => actions.setUi({ sheet: "keys" })}>${t("keys")}</button>
        </li>
        ${context.telegram ? nothing : html`<li><a class="act" href="#/tv/${table.id}" target="_blank">${t("television")}</a></li>`}
        <li><a class="act" href="#/rules/${table.game}">${t("rules")}</a></li>
        <li><a class="act" href="#/settings">${t("settings")}</a></li>
        <li><a class="act" href="#/">${t("toLobby")}</a></li>
        ${idle(table).map((seat) => html`<li>${removal(seat, state, actions, t)}</li>`)}
        ${inGroup(context, table) ? html`<li>${closingButton(context, actions)}</li>` : nothing}
        ${table.you !== null && table.status === "playing" && !actions.ways
            ? html`<li>
                  ${ui.leaving ? html`<p>${t("leaveWarning")}</p>` : nothing}
                  <button
                      type="button"
                      class="act danger"
                      @click=${() => (ui.leaving ? leave() : actions.setUi({ leaving: true }))}
                  >
                      ${t(ui.leaving ? "leaveSurely" : "leave")}
                  </button>
              </li>`
            : nothing}
    </ul>`;
}

/**
 * The keys that say something of the table.
 *
 * @param {Translate} t
 */
function keys(t) {
    return html`<p>${t("keysLead")}</p>
        <dl class="keys">
            ${Object.entries(KEYS).map(([key, asked]) => html`<dt><kbd>${key.toUpperCase()}</kbd></dt><dd>${t(`key.${asked}`)}</dd>`)}
        </dl>`;
}

/**
 * The people for whom a table may have to wait; its host may give their seats to computer players.
 *
 * @param {Table} table
 * @returns {Seat[]}
 */
function idle({ status, you, host, seats, deal }) {
    if (status !== "playing" || you === null || you !== host) return [];
    return seats.filter(({ seat, kind, away }) => kind === "person" && seat !== you && (away || deal?.turn === seat));
}

/**
 * @param {Seat} idler
 * @param {SessionState} state
 * @param {TableSession} actions
 * @param {Translate} t
 */
function removal({ seat, name }, { ui }, actions, t) {
    const asked = ui.removing === seat;
    const remove = async () => {
        if (await actions.leave(seat)) actions.setUi({ sheet: null, removing: null });
    };
    return html`
        ${asked ? html`<p>${t("removeWarning", { name })}</p>` : nothing}
        <button type="button" class="act danger" @click=${() => (asked ? remove() : actions.setUi({ removing: seat }))}>
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
            if (!dialog.open) dialog.showModal();
            else if (!dialog.contains(document.activeElement)) dialog.querySelector("button")?.focus();
        });
        return noChange;
    }
}

const modal = directive(Modal);
