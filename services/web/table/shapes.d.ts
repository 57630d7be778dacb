// Shapes that the parts of the playing table share.

import type { TemplateResult } from "../vendor/lit-html/lit-html.js";
import type { Translate } from "../parts.js";
import type { GameDetails, JsonObject, MoveCards, SelectedCard } from "../types.js";

/** A move as the API has it: its shape is the game's. */
export type Move = JsonObject & { type: string };

/** A deal as one seat or a spectator sees it: its shape is the game's. */
export type View = JsonObject;

/** A deck that the page has pictures of, or else what draws a card by its code. */
export type Deck = "french" | "italian" | "cuccu" | ((code: string | null) => TemplateResult);

/** A card that can be tapped. */
export type Place = SelectedCard & {
    /** Unique on the screen. */
    id: string;
};

/** A legal move, the cards that it takes, and its number among the listed moves. */
export type Listed = MoveCards & { move: Move; number: number };

/** A card that moved, from the first of some places that is on the screen to the first of others. */
export type Movement = {
    /** Null for a card that is not seen. */
    code: string | null;
    from: string[];
    to: string[];
};

export type CardState = { playable?: boolean; selected?: boolean; hinted?: boolean; sending?: boolean };
export type TargetState = { open?: boolean; hinted?: boolean };

/** A pile whose cards all may be looked at. */
export type Spread = { title: string; codes: readonly string[] };

/** Everything that a game's templates render. */
export type Play = {
    view: View;
    /** The viewer's seat. */
    me: number | null;
    /** By seat. */
    names: readonly string[];
    deck: Deck;
    /** What lies on each pile in words, by its key. */
    piles: Record<string, string>;
    /** Whether cards and piles can be tapped. */
    live: boolean;
    /** A label of the game, from the engine. */
    label: (key: string) => string;
    /** A card's name, from the engine; of null, a card that lies face down. */
    cardName: (code: string | null) => string;
    /** A card's name in two or three characters. */
    short: (code: string) => string;
    t: Translate;
    /** A sentence, with its cards drawn where they have to be. */
    drawn: (text: string) => unknown;
    stateOf: (place: Place) => CardState;
    tap: (place: Place) => void;
    /** Puts a card of the hand in the place of another one, by its number. */
    arrange?: (place: Place, to: number) => void;
    /** Starts a drag when a pointer goes down on a card. */
    drag: (place: Place, down: PointerEvent) => void;
    targetOf: (target: string) => TargetState;
    tapTarget: (target: string) => void;
    /** What can be played now. */
    moves: readonly Listed[];
    /** The selected places. */
    selected: readonly Place[];
    /** The moves with just the selected cards, and what makes one. */
    offers?: readonly Offer[];
    make?: (move: Move) => unknown;
    spread: (pile: Spread) => void;
};

/** A legal move with its label. */
export type Offer = Listed & { label: string };

/** A game of the playing table: what lies there, and which cards can be tapped. */
export type GameTable = {
    deck: Deck;
    /** The viewer's cards that can be tapped, the hand first. */
    places: (view: View, moves?: readonly Listed[]) => Place[];
    /** Whether what lies on the table tells something about the result once the match is over. */
    shownAtEnd: boolean;
    /** A sentence with its cards drawn, where not every font has their signs; without it the sentence is shown as it is. */
    drawn?: (text: string, details: GameDetails | null, people?: readonly string[]) => unknown;
    /** What lies on the table. */
    board: (play: Play) => TemplateResult;
    /** The cards that an event moves. */
    movements: (event: JsonObject, me: number | null) => Movement[];
};
