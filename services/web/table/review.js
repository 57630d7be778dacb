/**
 * The review of a match: every deal step by step with all cards face up, the viewer's moves with better ones, and the
 * check of the shuffle.
 *
 * @module
 */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { fan, openCard, picture } from "../cards.js";
import { loadGame } from "../games/games.js";
import { problemView } from "../screens/frame.js";
import { watching } from "./context.js";
import { shuffleView } from "./shuffle.js";
import { Steps, cardsOf, moveText } from "./steps.js";
import { canVerify, examine } from "./verify.js";

/**
 * @import { Context, Screen } from "../app.js"
 * @import { Translate } from "../parts.js"
 * @import { GameDetails, Review, Table } from "../types.js"
 * @import { Finding } from "./verify.js"
 * @import { GameTable, Move } from "./shapes.js"
 */

/** @typedef {"steps" | "mine" | "shuffle"} Part */

/**
 * @param {Context} context
 * @param {string} id
 * @param {string} [deal]
 * @param {string} [step]
 * @returns {Screen}
 */
export function open(context, id, deal = "1", step = "0") {
    const { t } = context;
    const look = new MatchReview(context, id, t);
    void look.load(Number(deal) || 1, Number(step) || 0);
    const walk = (/** @type {KeyboardEvent} */ event) => look.walk(event);
    window.addEventListener("keydown", walk);
    return {
        title: () => t("lookBack"),
        bare: () => look.table !== null,
        view: () => look.view(),
        close: () => window.removeEventListener("keydown", walk),
    };
}

/** The state of the review: the shown deal and part, and the data loaded so far. */
class MatchReview {
    /**
     * @param {Context} context
     * @param {string} id
     * @param {Translate} t
     */
    constructor(context, id, t) {
        this.context = context;
        this.id = id;
        this.t = t;
        this.seat = context.storage.seat(id);
        /** @type {any} */
        this.problem = null;
        /** @type {Table | null} */
        this.table = null;
        /** @type {GameDetails | null} */
        this.details = null;
        /** @type {GameTable | null} */
        this.game = null;
        this.deal = 1;
        /** @type {Part} */
        this.part = "steps";
        /** @type {Steps | null} */
        this.steps = null;
        /** @type {Review | null} */
        this.review = null;
        /** @type {Finding[] | null} */
        this.findings = null;
        /** @type {any} the error if the review or the check could not be made */
        this.refused = null;
    }

    /**
     * @param {number} deal
     * @param {number} [step]
     */
    async load(deal, step = 0) {
        const { client } = this.context;
        Object.assign(this, { deal, steps: null, review: null, findings: null, refused: null });
        await this.#attempt(async () => {
            this.table ??= await client.table(this.id, { token: this.seat?.token });
            this.game ??= await loadGame(this.table.game, client);
            this.details ??= await client.game(this.table.game);
            const proof = await client.proof(this.id, deal, { match: this.match });
            this.steps = new Steps(client, proof);
            await this.steps.go(step);
        });
    }

    /** The last finished match: during a rematch, the one before it. */
    get match() {
        const { number = 1 } = this.table?.match ?? {};
        return this.table?.status === "over" ? number : number - 1;
    }

    /** @param {() => Promise<void>} act */
    async #attempt(act) {
        try {
            await act();
        } catch (error) {
            this.problem = error;
        }
        this.context.changed();
    }

    /** @param {number} at the position, which the address then names, so that it can be linked */
    go(at) {
        history.replaceState(null, "", `#/table/${this.id}/review/${this.deal}/${at}`);
        void this.#attempt(async () => {
            const going = this.steps?.go(at);
            this.context.changed();
            await going;
        });
    }

    /** @param {Part} part */
    async turnTo(part) {
        Object.assign(this, { part, refused: null });
        this.context.changed();
        try {
            if (part === "mine" && !this.review) {
                const { client } = this.context;
                this.review = await client.review(this.id, this.deal, { token: this.seat?.token, match: this.match });
            }
            if (part === "shuffle" && this.steps && !this.findings && canVerify()) {
                const { commitments = {}, seeds = {}, seat = null } = this.seat ?? {};
                const published = { commitment: commitments[this.match], seed: seeds[this.match], seat };
                this.findings = await examine(this.steps.proof, published);
            }
        } catch (error) {
            this.refused = error;
        }
        this.context.changed();
    }

    view() {
        const { t, problem, table, details, game, steps } = this;
        if (problem) return problemView(t, problem, html`<a class="button" href="#/table/${this.id}">${t("toTable")}</a>`);
        if (!table || !details || !game) return html`<p class="void" aria-busy="true">${t("loading")}</p>`;
        return html`<div class="play lookback ${table.game}">
            <header class="bar-top">
                <a class="icon" href="#/table/${this.id}" aria-label=${t("toTable")}>‹</a>
                <h1>${t("lookBack")}</h1>
                ${this.dealChoice(table)}
            </header>
            <nav class="tabs" aria-label=${t("lookBack")}>
                ${this.tab("steps")} ${table.you === null ? nothing : this.tab("mine")} ${this.tab("shuffle")}
            </nav>
            ${steps ? this.content(game, steps) : html`<p class="void" aria-busy="true">${t("loading")}</p>`}
        </div>`;
    }

    /** @param {Table} table */
    dealChoice(table) {
        const { t } = this;
        const all = Array.from({ length: table.status === "over" ? table.match.deal : this.deal }, (_, at) => at + 1);
        if (all.length < 2) return nothing;
        return html`<select
            aria-label=${t("chooseDeal")}
            @change=${(/** @type {Event} */ event) =>
                this.load(Number(/** @type {HTMLSelectElement} */ (event.target).value)).then(() => this.turnTo(this.part))}
        >
            ${all.map((deal) => html`<option value=${deal} ?selected=${deal === this.deal}>${t("dealNumber", { n: deal })}</option>`)}
        </select>`;
    }

    /** @param {Part} part */
    tab(part) {
        const { t } = this;
        return html`<button
            type="button"
            class="act ${part === this.part ? "main" : ""}"
            aria-current=${part === this.part ? "true" : nothing}
            @click=${() => this.turnTo(part)}
        >
            ${t(`part_${part}`)}
        </button>`;
    }

    /**
     * @param {GameTable} game
     * @param {Steps} steps
     */
    content(game, steps) {
        const { t, refused } = this;
        if (this.part === "steps") return this.stepsView(game, steps);
        if (refused) return html`<p class="void">${refused.text || refused.title || t("failed")}</p>`;
        return this.part === "mine" ? this.mineView(game) : shuffleView(this.findings, steps.proof, t);
    }

    /**
     * Steps back and forth with the arrow keys.
     *
     * @param {KeyboardEvent} event
     */
    walk(event) {
        const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
        const { steps } = this;
        const to = (steps?.at ?? 0) + step;
        if (step && this.part === "steps" && steps && !(event.target instanceof HTMLSelectElement)) {
            event.preventDefault();
            if (to >= 0 && to <= steps.moves.length) this.go(to);
        }
    }

    get names() {
        return this.table?.seats.map((seat) => seat.name) ?? [];
    }

    /**
     * @param {GameTable} game
     * @param {Steps} steps
     */
    stepsView(game, steps) {
        const { t, details, names } = this;
        if (!steps.shown) return html`<p class="void" aria-busy="true">${t("loading")}</p>`;
        const { deal, view } = steps.shown;
        const play = watching(game, details, view, names, t);
        const last = steps.at ? steps.moves[steps.at - 1] : null;
        const end = steps.moves.length;
        return html`<div class="felt">
            <div class="opened">
                ${names.map(
                    (name, seat) => html`<div class="left ${view.turn === seat ? "turn" : ""}">
                        <p class="title">${view.turn === seat ? "▸ " : ""}${name}</p>
                        ${fan(
                            deal.hands[seat].map((/** @type {string} */ code) => openCard(play, code)),
                            { label: name, kind: "small" },
                        )}
                    </div>`,
                )}
            </div>
            ${view.hands ? nothing : game.board(play)}
            <div class="mine">
                <p class="turn" role="status">
                    ${t("step", { n: steps.at, all: end })}${last
                        ? `: ${names[last.seat]} · ${moveText(/** @type {Move} */ (last.move), play)}`
                        : ""}
                </p>
                ${this.valueLine(end)}
                <input
                    type="range"
                    class="steps"
                    list="mistakes"
                    aria-label=${t("part_steps")}
                    max=${end}
                    .value=${live(String(steps.at))}
                    @input=${(/** @type {Event} */ event) => this.go(Number(/** @type {HTMLInputElement} */ (event.target).value))}
                />
                <datalist id="mistakes">${this.review?.worst.map((number) => html`<option value=${number}></option>`)}</datalist>
                <div class="bar" role="group" aria-label=${t("part_steps")}>
                    ${this.stepButton("first", "«", 0, steps.at > 0)}
                    ${this.stepButton("previous", "‹", steps.at - 1, steps.at > 0)}
                    ${this.stepButton("next", "›", steps.at + 1, steps.at < end)}
                    ${this.stepButton("last", "»", end, steps.at < end)}
                </div>
            </div>
        </div>`;
    }

    /**
     * The viewer's share of the win after each of their choices, as a line with the mistakes as dots.
     *
     * @param {number} end the number of moves of the deal
     */
    valueLine(end) {
        const { t, review } = this;
        const valued = (review?.moves ?? []).filter(({ value }) => typeof value === "number");
        if (valued.length < 2) return nothing;
        const point = (/** @type {Review["moves"][number]} */ { number, value }) => `${(100 * (number + 1)) / end} ${100 - 100 * Number(value)}`;
        const dots = valued.filter(({ number }) => review?.worst.includes(number));
        const [first, last] = [valued[0], valued[valued.length - 1]].map(({ value }) => Math.round(100 * Number(value)));
        return html`<svg class="value" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label=${t("value", { first, last })}>
            <path class="even" d="M0 50H100" />
            <path d="M${valued.map(point).join("L")}" />
            <path class="dots" d=${dots.map((move) => `M${point(move)}h0`).join("")} />
        </svg>`;
    }

    /**
     * @param {string} name
     * @param {string} sign
     * @param {number} to
     * @param {boolean} possible
     */
    stepButton(name, sign, to, possible) {
        return html`<button
            type="button"
            class="act step"
            aria-label=${this.t(name)}
            aria-disabled=${possible ? "false" : "true"}
            @click=${() => possible && this.go(to)}
        >
            ${sign}
        </button>`;
    }

    /** @param {GameTable} game */
    mineView(game) {
        const { t, review } = this;
        if (!review) return html`<p class="void" role="status" aria-busy="true">${t("reviewing")}</p>`;
        const { choices = 0, same = 0, others = [] } = review;
        const worst = review.worst.flatMap((number) => review.moves.filter((move) => move.number === number));
        return html`<div class="felt prose">
            ${review.well_played ? html`<p class="praise" aria-hidden="true"><b>${same}/${choices}</b> ★</p>` : nothing}
            <p>${t("asGood", { n: same, all: choices })}</p>
            ${review.well_played ? html`<p>${t("wellPlayed")}</p>` : nothing} ${this.valueLine(this.steps?.moves.length ?? 1)}
            ${worst.length > 1 ? html`<p>${t("worstFirst")}</p>` : nothing}
            ${worst.map((move) => this.mistake(game, move))}
            ${others.length ? html`<p>${t("otherChoices")}</p>` : nothing}
            <p class="others">${others.map((number) => this.seeButton(number, t("move", { n: number + 1 })))}</p>
        </div>`;
    }

    /**
     * @param {number} number
     * @param {string} label
     */
    seeButton(number, label) {
        const go = () => {
            this.part = "steps";
            this.go(number);
        };
        return html`<button type="button" class="act" @click=${go}>${label}</button>`;
    }

    /**
     * @param {GameTable} game
     * @param {Review["moves"][number]} reviewed
     */
    mistake(game, { number, played, best, cost, reason, view }) {
        const { t, details, names } = this;
        const play = watching(game, details, view ?? {}, names, t);
        return html`<article class="mistake" aria-label=${t("move", { n: number + 1 })}>
            <h2>${t("move", { n: number + 1 })} <small>${t("cost", { n: Math.round(100 * cost) })}</small></h2>
            ${view
                ? html`<div class="then">
                      ${game.board(play)}
                      <p class="title">${play.label("hand")}</p>
                      ${this.heldThen(view, play)}
                  </div>`
                : nothing}
            <dl class="choices">
                <div>
                    <dt>${t("youPlayed")}</dt>
                    <dd>${choice(/** @type {Move} */ (played), play)}</dd>
                </div>
                <div class="better">
                    <dt>${t("better")}</dt>
                    <dd>${choice(/** @type {Move} */ (best), play)}</dd>
                </div>
            </dl>
            <p>${reason.text}</p>
            ${this.seeButton(number, t("seeIt"))}
        </article>`;
    }

    /**
     * @param {any} view
     * @param {import("./shapes.js").Play} play
     */
    heldThen(view, play) {
        return fan(
            (view.hand ?? []).map((/** @type {string} */ code) => openCard(play, code)),
            { label: play.label("hand"), kind: "small" },
        );
    }
}

/**
 * A move: its cards and its label.
 *
 * @param {Move} move
 * @param {import("./shapes.js").Play} play
 */
function choice(move, play) {
    const cards = cardsOf(move);
    return html`${cards.length ? fan(cards.map((code) => picture(play.deck, code)), { kind: "small" }) : nothing}
        <span>${moveText(move, play)}</span>`;
}
