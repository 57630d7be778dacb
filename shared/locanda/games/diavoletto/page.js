/**
 * Diavoletto at the playing table.
 *
 * @module
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { cardButton, heap, openCard, picture, pile, targetButton } from "../../cards.js";
import { handPlaces, ownOr } from "../common.js";

/** @import { GameTable, Place, Play } from "../../table/shapes.js" */

const RANKS = "A23456789TJQK";
const NEW = "build";
const MOST_BUILDS = 8;

/** @type {GameTable} */
export const table = {
    deck: "french",
    shownAtEnd: true,

    places(view) {
        const held = handPlaces(view);
        if (view.seat === null) return held;
        const { top } = view.mazzetti[view.seat];
        const tops = view.columns[view.seat].flatMap((/** @type {string[]} */ column, /** @type {number} */ number) => {
            const [id, card] = [`column-${number}`, column.at(-1)];
            return card ? [{ id, from: id, card }] : [];
        });
        return [...held, ...(top ? [{ id: "mazzetto", from: "mazzetto", card: top }] : []), ...tops];
    },

    board(play) {
        const { view, me, label } = play;
        const seats = view.mazzetti.map((/** @type {unknown} */ _, /** @type {number} */ seat) => seat);
        const own = me ?? seats.length - 1;
        const others = seats.filter((/** @type {number} */ seat) => seat !== own);
        return html`<div class="board diavoletto" role="group" aria-label=${play.t("board")}>
            ${others.map((/** @type {number} */ seat) => side(play, seat))}
            <div class="centre">
                <div class="builds" role="group" aria-label=${label("builds")} data-place="builds">
                    ${view.builds.map((/** @type {string[]} */ cards, /** @type {number} */ number) =>
                        build(play, cards, number),
                    )}
                    ${newBuild(play)}
                </div>
                <div class="reserves">
                    ${pile(play, { title: label("stock"), count: view.stock_count, place: "stock" })}
                    ${pile(play, {
                        title: label("aside"),
                        count: view.aside.length,
                        top: view.aside.at(-1) ?? null,
                        place: "aside",
                    })}
                </div>
            </div>
            ${side(play, own)}
        </div>`;
    },

    movements(event, me) {
        const { seat, card } = event;
        switch (event.type) {
            case "built":
                return [{ code: card, from: sourceOf(event, me), to: [`build-${event.build}`, NEW, "aside"] }];
            case "completed": // all of them, from the King down
                return [...event.cards].reverse().map((code) => ({ code, from: [`build-${event.build}`], to: ["aside"] }));
            case "discarded":
                return [{ code: card, from: ownOr(seat, me, `hand-${card}`), to: [`column-${seat}-${event.column}`] }];
            case "drew":
                return event.count ? [{ code: null, from: ["stock"], to: ownOr(seat, me) }] : [];
            default:
                return [];
        }
    },
};

/**
 * @param {Record<string, any>} event
 * @param {number | null} me
 */
function sourceOf({ seat, card, from, column }, me) {
    if (from === "mazzetto") return [`mazzetto-${seat}`];
    return from === "column" ? [`column-${seat}-${column}`] : ownOr(seat, me, `hand-${card}`);
}

/**
 * @param {Play} play
 * @param {string[]} cards
 * @param {number} number
 */
function build(play, cards, number) {
    const { label } = play;
    const top = cards.at(-1) ?? "";
    const next = short(RANKS[cards.length] ?? "");
    return targetButton(play, `build-${number}`, {
        label: `${label("build")} ${number + 1}, ${play.cardName(top)}, ${label("needs")} ${next}`,
        kind: "build",
        content: html`${heap(play, cards.length, top)}
            <span class="caption">${label("needs")} <b>${next}</b></span>`,
    });
}

/** @param {string} rank */
const short = (rank) => (rank === "T" ? "10" : rank);

/** @param {Play} play */
function newBuild(play) {
    const { view, label } = play;
    if (view.builds.length === MOST_BUILDS || (!play.live && view.builds.length)) return nothing;
    return targetButton(play, NEW, {
        label: label("new_build"),
        kind: "build new",
        content: html`${heap(play, 0, null)}`,
    });
}

/**
 * The mazzetto and the columns of a seat.
 *
 * @param {Play} play
 * @param {number} seat
 */
function side(play, seat) {
    const { view, me, names, label } = play;
    const own = seat === me;
    const { top, count } = view.mazzetti[seat];
    const place = own ? table.places(view).find((target) => target.id === "mazzetto") : undefined;
    const said = `${label("mazzetto")}, ${count}`;
    return html`<div class="side ${own ? "own" : ""}" role="group" aria-label=${names[seat]}>
        ${me === null ? html`<p class="title" aria-hidden="true">${names[seat]}</p>` : nothing}
        <div class="mazzetto">
            ${place && play.live
                ? cardButton(play, place, { origin: `mazzetto-${seat}`, where: said })
                : html`<span role="img" aria-label="${top ? play.cardName(top) : ""}, ${said}" class="lying"
                      data-place="mazzetto-${seat}">${heap(play, count, top)}</span>`}
            <span class="count" aria-hidden="true">${count}</span>
            <span class="caption" aria-hidden="true">${label("mazzetto")}</span>
        </div>
        ${view.columns[seat].map((/** @type {string[]} */ cards, /** @type {number} */ number) =>
            column(play, seat, cards, number),
        )}
    </div>`;
}

/**
 * A column. Its top card can be played, and cards of the hand can be discarded on it.
 *
 * @param {Play} play
 * @param {number} seat
 * @param {string[]} cards
 * @param {number} number
 */
function column(play, seat, cards, number) {
    const { view, me, label } = play;
    const origin = `column-${seat}-${number}`;
    const name = `${label("column")} ${number + 1}`;
    const top = cards.at(-1);
    const place = seat === me && play.live ? table.places(view).find(({ id }) => id === `column-${number}`) : null;
    const shown = place ? ownTop(play, place, number, name) : top ? openCard(play, top) : heap(play, 0, null);
    const vacant = seat === me && play.live && !top;
    return html`<div class="column" role="group" aria-label=${name} data-place=${origin}>
        <div class="overlap down">
            ${below(play, name, cards)}
            <div class="uppermost">${vacant ? emptyColumn(play, number) : shown}</div>
        </div>
        ${cards.length > 1 ? html`<span class="count" aria-hidden="true">${cards.length}</span>` : nothing}
    </div>`;
}

/**
 * The cards under a column's top card, which everybody may look at.
 *
 * @param {Play} play
 * @param {string} name
 * @param {string[]} cards
 */
function below(play, name, cards) {
    if (cards.length < 2) return nothing;
    const open = () => play.spread({ title: name, codes: cards });
    return html`<button
        type="button"
        class="below"
        aria-label="${name}: ${play.t("showAll", { n: cards.length })}"
        @click=${open}
    >
        ${cards.slice(0, -1).map((code) => html`<span class="slot">${picture(play.deck, code)}</span>`)}
    </button>`;
}

/**
 * @param {Play} play
 * @param {Place} place
 * @param {number} number
 * @param {string} name
 */
function ownTop(play, place, number, name) {
    const target = `column-${number}`;
    const goal = play.selected.some(({ from }) => from === "hand");
    const { open, hinted } = play.targetOf(target);
    return html`<span class="goal ${goal && open ? "open" : ""} ${hinted ? "hinted" : ""}" data-target=${target}
        >${cardButton(play, place, {
            origin: `top-${number}`,
            where: goal && open ? `${play.label("discard")}: ${name}, ${play.label("playable")}` : name,
            onTap: goal ? () => play.tapTarget(target) : undefined,
        })}</span
    >`;
}

/**
 * @param {Play} play
 * @param {number} number
 */
function emptyColumn(play, number) {
    return targetButton(play, `column-${number}`, {
        label: `${play.label("new_column")} (${number + 1})`,
        kind: "vacant",
        place: `vacant-${number}`,
        content: heap(play, 0, null),
    });
}
