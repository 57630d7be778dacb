/**
 * The end of a match: the winner, the last cards, the places, and the next actions.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { fan, openCard } from "../cards.js";
import { LONGEST_NAME, typedName } from "../opening.js";
import { sit } from "../seating.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";
import { watching } from "./context.js";
import { face } from "./faces.js";
import { remark } from "./said.js";
import { timeLeft } from "./seats.js";
import { leaderboardButton } from "./group.js";
import { speaking } from "./remarks.js";

/**
 * @import { Context } from "../app.js"
 * @import { TableSession } from "../session.js"
 * @import { SessionState } from "../state.js"
 * @import { Translate } from "../parts.js"
 * @import { Table } from "../types.js"
 */

const MEDALS = ["🥇", "🥈", "🥉"];
/** Among fewer players only the first place is worth a medal. */
const FEWEST_FOR_MEDALS = 4;
/** A line of the result: a medal or a number, the name, the points. */
const PLACE = /^(\S+) (.*) · (.*)$/s;
/** Seconds that people have to answer. */
const MINUTE = 60;
/** Pieces of confetti over the winner's panel. */
const PIECES = 18;

/** @typedef {{rank: number | string, name: string, points: string, seat: number}} Place */

/**
 * The places of a result.
 *
 * @param {Table} table
 * @param {readonly string[]} lines of the engine
 * @returns {Place[]}
 */
export function placesOf({ seats }, lines) {
    return lines.map((line) => {
        const [, mark, name, points] = PLACE.exec(line) ?? ["", "", line, ""];
        const rank = MEDALS.indexOf(mark) + 1 || mark.replace(".", "");
        return { rank, name, points, seat: seats.findIndex((player) => player.name === name) };
    });
}

/**
 * The cards that ended a deal.
 *
 * @param {SessionState} state
 * @returns {string[]}
 */
export function lastCards({ drawing, ended }) {
    const moved = (ended?.events.length && drawing?.movements(ended.events[0], null)) || [];
    return moved.flatMap(({ code }) => code ?? []);
}

/**
 * The reason for a deal's end with its last cards, and the places with the hands that were shown.
 *
 * @param {SessionState} state
 * @param {readonly string[]} lines of the engine: a medal or a number, the name, the points
 * @param {Translate} t
 */
export function resultOf(state, lines, t) {
    const { table, game, ended, drawing } = state;
    if (!table || !drawing) return nothing;
    const play = watching(drawing, game, table.deal ?? {}, [], t);
    const cards = (/** @type {readonly string[]} */ codes, /** @type {string} */ kind) =>
        codes.length ? fan(codes.map((code) => openCard(play, code)), { kind }) : nothing;
    const shown = ended?.events.find(({ type }) => type === "deal_over")?.hands ?? [];
    return html`${cards(lastCards(state), "last")}
        ${ended?.ending ? html`<p class="ending">${ended.ending}</p>` : nothing}
        <ol class="places ${lines.length < FEWEST_FOR_MEDALS ? "few" : ""}">
            ${placesOf(table, lines).map(
                ({ rank, name, points, seat }) => html`<li class="place${rank} ${seat === table.you ? "own" : ""}">
                    <b>${rank}</b> ${seat < 0 ? nothing : face(table.seats, seat)} <span>${name}</span> <i>${points}</i>
                    ${cards(shown[seat] ?? [], "shown")}
                </li>`,
            )}
        </ol>`;
}

/**
 * @param {Context} context
 * @param {TableSession} actions
 */
export function matchOver(context, actions) {
    const { t } = context;
    const { table, peek, unshared } = actions.state;
    if (!table) return nothing;
    if (peek) {
        return html`<div class="over peek" role="group" aria-label=${t("matchOver")}>
            <button type="button" class="act main" @click=${() => actions.set({ peek: false })}>${t("showResult")}</button>
        </div>`;
    }
    const [winner = "", ...places] = table.words?.result ?? [];
    const won = hasWon(table);
    return html`<section class="over ${won ? "won" : ""}" aria-label=${t("matchOver")} tabindex="-1" ${caught()} @pointerdown=${skip} @keydown=${skip}>
        ${won ? html`<span class="confetti" aria-hidden="true">${Array.from({ length: PIECES }, () => html`<i></i>`)}</span>` : nothing}
        ${table.you === null ? nothing : remark(actions.state, { seat: table.you })}
        <h2>${won ? t("youWin") : winner || t("matchOver")}</h2>
        ${won ? nothing : ownPlace(table, places, t)}
        ${resultOf(actions.state, places, t)} ${asked(actions.state, table, t)} ${sitting(context, actions)}
        <div class="bar" role="group" aria-label=${t("actions")}>
            ${actions.state.lesson ? afterLesson(context, actions.state) : ways(context, actions, places.length > 0)} ${speaking(actions, t)}
            <button type="button" class="act plain" @click=${() => actions.set({ peek: true })}>${t("showTable")}</button>
            <a class="act plain" href="#/">${t("toLobby")}</a>
        </div>
        ${unshared ? html`<p role="alert">${t("pictureFailed")}</p>` : nothing}
    </section>`;
}

/** Takes the focus if the focused element is gone, such as a card of the hand. */
class Caught extends Directive {
    isThere = false;

    render() {
        return noChange;
    }

    /**
     * @override
     * @param {import("../vendor/lit-html/directive.js").ElementPart} part
     */
    update({ element }) {
        if (!this.isThere) queueMicrotask(() => document.activeElement === document.body && /** @type {HTMLElement} */ (element).focus({ preventScroll: true }));
        this.isThere = true;
        return noChange;
    }
}

const caught = directive(Caught);

/**
 * The viewer's own place, if they have not won.
 *
 * @param {Table} table
 * @param {readonly string[]} lines
 * @param {Translate} t
 */
function ownPlace(table, lines, t) {
    const own = placesOf(table, lines).find(({ seat }) => seat >= 0 && seat === table.you);
    return own && lines.length > 2 ? html`<p class="own-place">${t("yourPlace", { rank: own.rank, of: lines.length })}</p>` : nothing;
}

/**
 * Whether the viewer has won, alone or with their team.
 *
 * @param {Table} table
 */
export function hasWon({ match: { result }, you }) {
    const first = result?.ranking[0] ?? [];
    return first.includes(you ?? -1) && first.length === (result?.teams?.[0]?.length || 1);
}

/**
 * Actions after a lesson.
 *
 * @param {Context} context
 * @param {SessionState} state
 */
function afterLesson({ go, t }, { lesson }) {
    return html`<a class="act main" href="#/solo/${lesson}">${t("solo")}</a>
        <button type="button" class="act" @click=${() => go(`#/lesson/${lesson}`, { replace: true })}>${t("once_more")}</button>`;
}

/**
 * Actions after a match.
 *
 * @param {Context} context
 * @param {TableSession} actions
 * @param {boolean} played whether there is a result for a picture
 */
function ways(context, actions, played) {
    const { t } = context;
    const { busy } = actions.state;
    const table = /** @type {Table} */ (actions.state.table);
    const { id, match } = table;
    const alone = !context.telegram && table.seats.every(({ seat, kind }) => seat === table.you || kind === "computer");
    return html`${answers(table, busy, actions, t, alone)}
        ${match.deal ? html`<a class="act" href="#/table/${id}/review">${t("lookBack")}</a>` : nothing}
        ${played ? html`<button type="button" class="act" @click=${() => pass(context, actions)}>${t("sharePicture")}</button>` : nothing}
        ${leaderboardButton(context, actions)}`;
}

/**
 * The line about another match: who stays, who has not answered, and the time left.
 *
 * @param {SessionState} state
 * @param {Table} table
 * @param {Translate} t
 */
function asked({ ahead }, { rematch, words, you }, t) {
    const lines = words?.rematch ?? [];
    const mine = you === null ? null : (rematch?.answers[you] ?? null);
    return html`<p class="asked">
        <span role="status">${lines.map((line) => html`<span>${line} </span>`)}</span>
        ${rematch && rematch.deadline
            ? html`<span class="dim">${t(mine === null && you !== null ? "beginsWithout" : "begins")} <span role="timer" aria-live="off" ${timeLeft(Date.parse(rematch.deadline) + ahead, MINUTE, t)}></span></span>`
            : nothing}
    </p>`;
}

/**
 * Buttons to stay for the next match, to decline, or to sit down.
 *
 * @param {Table} table
 * @param {boolean} busy
 * @param {TableSession} actions
 * @param {Translate} t
 * @param {boolean} alone against computer players, which always stay
 */
function answers({ game, rematch, you }, busy, actions, t, alone) {
    if (!rematch) return nothing;
    if (you === null) {
        const leave = html`<button type="button" class="act" ?disabled=${busy} @click=${() => actions.leave()}>${t("stop")}</button>`;
        return rematch.you === null ? nothing : html`<p>${t("playsNext")}</p>${leave}`;
    }
    const button = (/** @type {boolean} */ stays) => html`<button
        type="button"
        class="act ${stays ? "main" : ""}"
        aria-pressed=${rematch.answers[you] === stays ? "true" : "false"}
        ?disabled=${busy}
        @click=${() => actions.answerRematch(stays)}
    >
        ${t(alone ? "anotherGame" : stays ? "stay" : "stop")}
    </button>`;
    return html`${button(true)} ${alone ? html`<a class="act" href="#/solo/${game}">${t("otherOpponents")}</a>` : button(false)}`;
}

/**
 * The form with which a spectator sits down for the next match.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
function sitting({ storage, telegram, t }, actions) {
    const { table, busy } = actions.state;
    const free = table?.rematch && table.you === null && table.rematch.you === null;
    if (!free || telegram) return nothing;
    const submit = (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        void sit(actions, typedName(new FormData(/** @type {HTMLFormElement} */ (event.target))));
    };
    return html`<form class="sit" @submit=${submit}>
        <label>${t("yourName")} <input name="name" autocomplete="nickname" required maxlength=${LONGEST_NAME} .value=${storage.name} /></label>
        <button class="act" ?disabled=${busy}>${t("sitNext")}</button>
    </form>`;
}

/**
 * Ends the animations.
 *
 * @param {Event} event
 */
function skip({ currentTarget }) {
    /** @type {HTMLElement} */ (currentTarget).dataset.skipped = "";
}

/**
 * Shares a picture of the end.
 *
 * @param {Context} context
 * @param {TableSession} actions
 */
async function pass({ t, language, load }, actions) {
    const { table, game, ended, drawing } = actions.state;
    if (!table || !game || !drawing) return;
    const [winner = "", ...lines] = table.words?.result ?? [];
    const ending = { game: game.name[language], winner, places: placesOf(table, lines), cards: lastCards(actions.state), reason: ended?.ending ?? "" };
    try {
        const { passOn } = await load("picture");
        await passOn(drawing.deck, ending, t("sharePicture"));
        actions.set({ unshared: false });
    } catch (error) {
        console.warn(error);
        actions.set({ unshared: true });
    }
}
