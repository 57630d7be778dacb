/**
 * Seats at the table: name, number of cards, winnings, turn and time left.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";
import { timeText } from "../clock.js";
import { face } from "./faces.js";
import { remark } from "./said.js";

/**
 * @import { ElementPart } from "../vendor/lit-html/directive.js"
 * @import { SessionState } from "../state.js"
 * @import { Translate } from "../parts.js"
 * @import { Seat, Table } from "../types.js"
 */

/** The most card backs in a seat's fan. */
const MOST_BACKS = 7;

/**
 * All seats but the viewer's, in order of play from the next seat.
 *
 * @param {SessionState} state
 * @param {Translate} t
 */
export function others(state, t) {
    const { seats, you } = /** @type {Table} */ (state.table);
    const from = you === null ? 0 : you + 1;
    const order = [...seats.slice(from), ...seats.slice(0, from)].filter((seat) => seat.seat !== you);
    const many = order.length > 4 ? "crowd" : "";
    return html`<ol class="seats of${order.length} ${many}" .style=${`--of:${order.length}`} aria-label=${t("players")}>
        ${order.map((seat, at) => html`<li .style=${`--place:${at}`}>${seatOf(state, seat, t)}</li>`)}
    </ol>`;
}

/**
 * @param {SessionState} state
 * @param {Seat} seat
 * @param {Translate} t
 */
export function seatOf(state, seat, t) {
    const table = /** @type {Table} */ (state.table);
    const turn = table.status === "playing" && table.deal?.turn === seat.seat;
    return html`<div
        class="player ${turn ? "turn" : ""} ${seat.away ? "away" : ""}"
        data-place="seat-${seat.seat}"
        aria-current=${turn ? "true" : nothing}
    >
        <span class="face">
            ${face(table.seats, seat.seat)}
            ${table.deal?.dealer === seat.seat ? html`<b class="dealer">${state.game?.words?.labels.dealer}</b>` : nothing}
        </span>
        ${backs(table, seat.seat)}
        <span class="who">
            <b class="name">${seat.name}</b>
            <span class="marks">${marks(table, seat, t)}</span>
            <span class="tally">${tally(table.words?.seats[seat.seat] ?? "")}</span>
        </span>
        ${turn && table.deadline
            ? html`<span class="clock" role="timer" aria-live="off" ${timeLeft(Date.parse(table.deadline) + state.ahead, table.turn_seconds ?? 0, t)}></span>`
            : nothing}
        ${lastAct(state, seat)} ${remark(state, seat)}
    </div>`;
}

/**
 * A seat's cards and winnings. Lines break only between two facts.
 *
 * @param {string} text the engine's text
 */
const tally = (text) => text.split(" · ").map((fact, at, all) => html`<span>${fact}${at + 1 < all.length ? " ·" : nothing}</span> `);

/**
 * The backs of a hand, one fewer after each played card, and their number, which the tally has in words.
 *
 * @param {Table} table
 * @param {number} seat
 */
function backs({ deal, you }, seat) {
    const count = seat === you ? 0 : (deal?.counts?.[seat] ?? 0);
    const shown = Array.from({ length: Math.min(count, MOST_BACKS) }, (_, at) => html`<i .style=${`--place:${at}`}></i>`);
    return count ? html`<span class="backs" aria-hidden="true">${shown}<b>${count}</b></span>` : nothing;
}

/**
 * A person's last action, to be shown beside them: the engine's sentence without their name.
 *
 * @param {SessionState} state
 * @param {Seat} seat
 */
function lastAct({ table, game, drawing }, { seat, name }) {
    const { events, words, you } = /** @type {Table} */ (table);
    const number = events.findIndex((event) => event.seat === seat);
    const text = words?.events[number] ?? "";
    if (seat === you || !text.startsWith(`${name} `)) return nothing;
    const act = text.slice(name.length + 1);
    return html`<span class="did" aria-hidden="true">${drawing?.drawn?.(act, game) ?? act}</span>`;
}

/**
 * @param {Table} table
 * @param {Seat} seat
 * @param {Translate} t
 */
function marks({ words }, seat, t) {
    const level = words?.levels?.[seat.seat];
    return html`${level ? html`<i class="level">${level}</i>` : nothing}${seat.away ? html`<i>${t("isAway")}</i>` : nothing}`;
}

/**
 * Writes the time left into an element, every second while the element is on the page. Also sets the property `--left`,
 * from 1 to 0, on its parent.
 */
class TimeLeft extends Directive {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    ticking = undefined;

    /**
     * @param {number} _end milliseconds since 1970, by this device's clock
     * @param {number} _seconds
     * @param {Translate} _t
     */
    render(_end, _seconds, _t) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[number, number, Translate]} values
     */
    update({ element }, [end, seconds, t]) {
        clearInterval(this.ticking);
        if (Number.isNaN(end)) return noChange;
        const write = () => {
            const left = end - Date.now();
            element.textContent = timeText(left, t);
            element.parentElement?.style.setProperty("--left", `${Math.max(0, Math.min(1, left / (1000 * seconds)))}`);
        };
        this.ticking = setInterval(() => (element.isConnected ? write() : clearInterval(this.ticking)), 1000);
        write();
        return noChange;
    }
}

export const timeLeft = directive(TimeLeft);
