/**
 * The table of a game without page code of its own: its declared piles, and everything else in words.
 *
 * @module
 */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { cardButton, heap, openCard, picture, spreadButton, targetButton } from "../cards.js";
import { PICTURES, drawn } from "../cardtext.js";
import { handPlaces } from "./common.js";

/**
 * @import { GameTable, Listed, Place, Play, View } from "../table/shapes.js"
 * @import { GameDetails, JsonObject, Pile } from "../types.js"
 */

/** A pile on the table: its declaration, and its cards or their number. `seat`: its owner. */
/** @typedef {{ pile: Pile, name: string, place: string, cards: string[], count: number, seat: number | null }} Lying */

/**
 * @param {GameDetails} details
 * @returns {GameTable}
 */
export function tableOf({ deck, piles, words }) {
    const cards = words?.cards ?? {};
    const pictures = PICTURES[deck] ?? ((/** @type {string | null} */ code) => face(code === null ? null : (cards[code]?.short ?? code)));
    return {
        deck: pictures,
        shownAtEnd: false,
        places: (view, moves = []) => [...handPlaces(view), ...tops(lying(piles, view), view, moves)],
        board: (play) => board(play, lying(piles, play.view)),
        movements: (event, me) => movements(event, me, piles),
        drawn: pictures === "italian" ? (text, details, people) => drawn(text, details, pictures, people) : undefined,
    };
}

/**
 * A card of a deck without pictures: its short name, in a corner and in the middle.
 *
 * @param {string | null} short null for the back
 */
function face(short) {
    return html`<span class="card plain ${short === null ? "back" : ""}" data-short=${short ?? nothing} aria-hidden="true"></span>`;
}

/**
 * Everything that lies on the table.
 *
 * @param {readonly Pile[]} piles
 * @param {View} view
 * @returns {Lying[]}
 */
function lying(piles, view) {
    return piles.flatMap((pile) => {
        const value = view[pile.field];
        if (pile.whose !== "seat") return all(pile, value, null);
        return value.flatMap((/** @type {any} */ own, /** @type {number} */ seat) => all(pile, own, seat));
    });
}

/**
 * @param {Pile} pile
 * @param {any} value the pile's value in the view
 * @param {number | null} seat
 * @returns {Lying[]}
 */
function all(pile, value, seat) {
    const one = (/** @type {any} */ content, /** @type {string} */ name) => {
        const place = seat === null ? name : `${name}.${seat}`;
        return { pile, name, place, seat, ...contents(content) };
    };
    return pile.several
        ? value.map((/** @type {any} */ content, /** @type {number} */ number) => one(content, `${pile.name}-${number}`))
        : [one(value, pile.name)];
}

/**
 * The visible cards of a pile, and their number.
 *
 * @param {any} value
 * @returns {Pick<Lying, "cards" | "count">}
 */
function contents(value) {
    if (typeof value === "number") return { cards: [], count: value };
    if (value && "top" in Object(value)) return { cards: value.top ? [value.top] : [], count: value.count };
    const cards = value?.cards ?? (typeof value === "string" ? [value] : (value ?? []));
    return { cards, count: cards.length };
}

/**
 * The top cards of the viewer's and the table's piles that can be played.
 *
 * @param {readonly Lying[]} all
 * @param {View} view
 * @param {readonly Listed[]} moves
 * @returns {Place[]}
 */
function tops(all, view, moves) {
    const sources = moves.flatMap(({ cards }) => cards.map(({ from }) => from));
    return all.flatMap(({ name, cards, seat }) =>
        sources.includes(name) && cards.length && (seat === null || seat === view.seat) ? [topOf(name, cards)] : [],
    );
}

/**
 * @param {string} name
 * @param {readonly string[]} cards
 * @returns {Place}
 */
const topOf = (name, cards) => ({ id: name, from: name, card: cards[cards.length - 1] });

/**
 * @param {Play} play
 * @param {readonly Lying[]} all
 */
function board(play, all) {
    const { me, names, label } = play;
    const common = all.filter(({ seat, pile }) => seat === null && !pile.under);
    const spread = common.filter(({ pile }) => isOpen(pile));
    const under = (/** @type {Lying} */ { name }) => all.find(({ pile }) => pile.under === name);
    const stacked = common.filter((lying) => !isOpen(lying.pile) && (play.view[lying.pile.field] !== 0 || under(lying)?.count));
    const own = all.filter(({ seat }) => seat !== null && seat === me);
    const others = all.filter(({ seat, pile }) => seat !== null && seat !== me && (me === null || isOpen(pile)));
    const told = Object.entries(play.piles).filter(([key]) => label(key) !== key && !all.some(({ pile }) => keyOf(pile) === key));
    return html`<div class="board plain" role="group" aria-label=${play.t("board")}>
        ${names.map((name, seat) => side(play, name, others.filter((lying) => lying.seat === seat)))}
        <div class="stacks">${stacked.map((lying) => stack(play, lying, under(lying)))}</div>
        <div class="laid">
            ${told.map(([key, text]) => html`<p class="told"><b>${label(key)}</b> ${play.drawn(text)}</p>`)}
            ${spread.map((lying) => row(play, lying))} ${openings(play, all)}
        </div>
        <div class="own">${own.map((lying) => shown(play, lying))}</div>
    </div>`;
}

/**
 * Whether all cards of a pile are seen.
 *
 * @param {Pick<Pile, "lies">} pile
 */
const isOpen = ({ lies }) => lies === "spread" || lies === "trick";

/**
 * @param {Play} play
 * @param {Lying} lying
 */
const shown = (play, lying) => (isOpen(lying.pile) ? row(play, lying) : stack(play, lying));

/**
 * The piles of another seat.
 *
 * @param {Play} play
 * @param {string} name
 * @param {readonly Lying[]} piles
 */
function side(play, name, piles) {
    if (!piles.length) return nothing;
    return html`<div class="side" role="group" aria-label=${name}>
        <p class="title" aria-hidden="true">${name}</p>
        ${piles.map((lying) => shown(play, lying))}
    </div>`;
}

/**
 * Places for new piles.
 *
 * @param {Play} play
 * @param {readonly Lying[]} all
 */
function openings(play, all) {
    const piles = new Set(all.map(({ pile }) => pile));
    return [...piles].map((pile) =>
        pile.several && goesTo(play, pile.name)
            ? targetButton(play, pile.name, { label: play.label(keyOf(pile)), kind: "pile", content: heap(play, 0, null) })
            : nothing,
    );
}

/**
 * A pile with a visible top, and the card that lies crosswise under it.
 *
 * @param {Play} play
 * @param {Lying} lying
 * @param {Lying} [under]
 */
function stack(play, { name, place, cards, count, pile, seat }, under) {
    const title = titleOf(play, pile, name);
    const top = pile.lies === "stacked" ? (cards.at(-1) ?? null) : null;
    const below = under?.count ? under.cards[0] : null;
    const content = html`<span class="crossed ${below ? "both" : ""}"
            >${below ? picture(play.deck, below) : nothing} ${count || !below ? heap(play, count, top) : nothing}</span
        >
        <span class="caption">${title} <b>${count}</b></span>`;
    const said = [title, top && play.cardName(top), `${count}`].filter(Boolean).join(", ");
    const lies = below && under ? html`<span class="unseen">${titleOf(play, under.pile, under.name)}: ${play.cardName(below)}</span>` : nothing;
    return html`<div class="stack">
        ${laid(play, { name, place, cards, own: seat === null || seat === play.me }, said, content)} ${lies}
        ${spreadButton(play, title, cards)}
    </div>`;
}

/**
 * Cards side by side; those of a trick with their players' names.
 *
 * @param {Play} play
 * @param {Lying} lying
 */
function row(play, { pile, name, place, cards, seat }) {
    const title = titleOf(play, pile, name);
    const { turn } = play.view;
    const players = play.names.length;
    const by = (/** @type {number} */ number) =>
        pile.lies === "trick" && typeof turn === "number"
            ? play.names[(turn - cards.length + number + players) % players]
            : "";
    const content = html`<span class="cards n${Math.min(cards.length, 12)}">
        ${cards.length ? nothing : heap(play, 0, null)}
        ${cards.map(
            (code, number) =>
                html`<span class="one">${lyingCard(play, code)}${by(number) ? html`<span class="by">${by(number)}</span>` : nothing}</span>`,
        )}
    </span>`;
    return html`<div class="lay">
        <p class="title">${title}</p>
        ${laid(play, { name, place, cards, own: seat === null || seat === play.me }, title, content)}
    </div>`;
}

/**
 * A card lying face up. If the selected card has several takes, tapping a card that belongs to only one of them plays that one.
 *
 * @param {Play} play
 * @param {string} code
 */
function lyingCard(play, code) {
    const { offers = [], make } = play;
    const left = offers.filter((offer) => takes(offer, code));
    if (left.length !== 1 || offers.length < 2) return openCard(play, code, `lying-${code}`);
    return html`<button
        type="button"
        class="holding playable taken"
        aria-label="${play.cardName(code)}, ${play.label("playable")}"
        data-place="lying-${code}"
        @click=${() => make?.(left[0].move)}
    >
        ${picture(play.deck, code)}
    </button>`;
}

/**
 * Whether a move takes this card from the table.
 *
 * @param {Listed} move
 * @param {string} code
 */
function takes({ move, cards }, code) {
    return Object.values(move).flat().includes(code) && !cards.some(({ card }) => card === code);
}

/**
 * Whether a move goes to a pile now.
 *
 * @param {Play} play
 * @param {string} name
 */
const goesTo = ({ moves }, name) => moves.some(({ to }) => to === name);

/**
 * Draws a pile by its current use: a card to play, a target for cards, or neither.
 *
 * @param {Play} play
 * @param {{ name: string, place: string, cards: readonly string[], own: boolean }} pile
 * @param {string} said
 * @param {unknown} content
 */
function laid(play, { name, place, cards, own }, said, content) {
    const { open, hinted } = play.targetOf(name);
    const able = goesTo(play, name);
    if (own && cards.length && play.moves.some((move) => move.cards.some(({ from }) => from === name))) {
        const goes = open && play.selected.length > 0;
        return html`<span class="goal ${goes ? "open" : ""} ${hinted ? "hinted" : ""}" data-target=${able ? name : nothing}
            >${cardButton(play, topOf(name, cards), { origin: place, where: said, onTap: goes ? () => play.tapTarget(name) : undefined })}</span
        >`;
    }
    if (own && able) return targetButton(play, name, { label: said, kind: "pile", place, content });
    return html`<div class="pile" role="group" aria-label=${said} data-place=${place}>${content}</div>`;
}

/**
 * The key of a pile's label.
 *
 * @param {Pile} pile
 */
const keyOf = ({ name, field, several }) => (several ? field : name);

/**
 * @param {Play} play
 * @param {Pile} pile
 * @param {string} name with a number if there are several
 */
function titleOf(play, pile, name) {
    const [, number] = name.split("-");
    return number === undefined ? play.label(keyOf(pile)) : `${play.label(keyOf(pile))} ${Number(number) + 1}`;
}

/**
 * Movements of an event's cards: a played card goes from its seat to the table, taken cards go to the seat that takes them.
 *
 * @param {JsonObject} event
 * @param {number | null} me
 * @param {readonly Pile[]} piles
 */
function movements({ type, seat, card, cards = [], from }, me, piles) {
    if (typeof seat !== "number") return [];
    const table = piles.filter(({ whose, lies }) => whose !== "seat" && isOpen({ lies })).map(({ name }) => name);
    const won = piles.filter(({ whose }) => whose === "seat").map(({ name }) => `${name}.${seat}`);
    const home = seat === me ? [...won, "hand"] : [...won, `seat-${seat}`];
    const plays = type === "played" || (card && !cards.length);
    return [...(card ? [card] : []), ...cards].map((/** @type {string} */ code) => ({
        code,
        from: [...(from ? [from] : []), `lying-${code}`, seat === me ? `hand-${code}` : `seat-${seat}`],
        to: [`lying-${code}`, ...(plays ? table : []), ...home],
    }));
}
