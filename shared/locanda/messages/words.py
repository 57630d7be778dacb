"""Sentences for people, in responses to requests with `words`."""

from typing import Annotated

from msgspec import Meta, Struct, field

from locanda.games.options import PresetName
from locanda.messages.values import Language, PileName


class CardWords(Struct, frozen=True):
    """The name of a card."""

    name: str
    """Full name, such as `seven of hearts`."""
    short: str
    """Short name for sentences, such as `7♥`."""


class PresetWords(Struct, frozen=True):
    """Options for a short, usual or long match."""

    preset: PresetName
    """The length of the match."""
    title: str
    """Name of the preset."""
    text: str
    """The options and their values as a sentence."""
    options: dict[str, int]
    """The options and their values, to set for a table."""


class GameWords(Struct, frozen=True):
    """A game's words for its cards, piles and moves, in one language."""

    language: Language
    """The language of the texts."""
    cards: dict[str, CardWords]
    """Names of all cards of the game's deck, by code."""
    labels: dict[str, str]
    """Short names of piles, moves and states; a game always has the same keys."""
    levels: dict[str, str]
    """Names of the levels of computer players, and of the server's own players."""
    presets: list[PresetWords]
    """Options for a short, usual and long match."""


class SelectedCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a player selects."""

    pile: PileName = field(name="from")
    """Where the card is: in the hand, or on a pile that the mover may play from."""
    card: Annotated[str, Meta(min_length=1, max_length=16)]
    """The card's code."""


class TakenCard(SelectedCard, frozen=True, omit_defaults=True, forbid_unknown_fields=False):
    """A card that a move takes."""

    equals: list[str] = []
    """Other cards in the same place with the same effect: each may replace `card` in the move."""


class MoveCards(Struct, frozen=True):
    """The cards that a move takes, and where they go."""

    cards: list[TakenCard]
    """The cards; empty for a pass or a draw."""
    to: PileName | None
    """The pile that the cards go to, or that is drawn from; null if the player need not select it."""


class TableWords(Struct, frozen=True):
    """The viewer's view of a table in sentences, in one language. Players' names are plain text."""

    language: Language
    """The language of the texts."""
    title: str
    """The number of the deal in its match; empty if a match has only one."""
    turn: str
    """Who is on turn; for the viewer on turn, also what to do. Empty while nobody is on turn."""
    events: list[str | None]
    """Each of `events` in one or more lines; null for an event without words."""
    moves: list[str]
    """Labels of `moves`, in the same order."""
    seats: list[str]
    """Each seat's number of cards and its winnings; empty without a deal."""
    piles: dict[str, str]
    """The cards on each pile, by the pile's key in `labels`; for a seat's own pile by `key.seat`, such as
    `mazzetto.0`."""
    facts: list[str]
    """Other facts about the deal, such as an inverted order of the cards."""
    score: list[str]
    """Points of each seat in the match; empty before the first deal."""
    result: list[str]
    """How the deal or match ended: the winner, then the seats by place. For an empty table, that it is closed. Empty
    until the end."""
    options: list[str]
    """The options that differ from the game's defaults, one sentence each."""
    ending: str = ""
    """Why the deal, or the last deal of the match, ended; empty until then, and from servers up to 0.1.0."""
    takes: list[MoveCards] = []
    """Cards that each of `moves` takes, in the same order; empty from servers up to 0.1.0."""
    rematch: list[str] = []
    """The answers for another match: who stays, who stops, who has not answered; empty before the first answer."""
    levels: list[str] = []
    """For each seat, the level of its computer player or whose own player it is; empty for a person."""


class MovesWords(Struct, frozen=True):
    """Moves in words, in one language."""

    language: Language
    """The language of the texts."""
    moves: list[str]
    """Labels of `moves`, in the same order."""
    takes: list[MoveCards] = []
    """Cards that each of `moves` takes, in the same order; empty from servers up to 0.1.0."""


class PlayWords(Struct, frozen=True):
    """The outcome of a move, in one language."""

    language: Language
    """The language of the texts."""
    events: list[str | None]
    """Each of `events` in one or more lines; null for an event without words."""
    result: list[str]
    """The seats by place, one line each; empty until the deal is over."""


class ViewWords(Struct, frozen=True):
    """A view in sentences, in one language."""

    language: Language
    """The language of the texts."""
    turn: str
    """Who is on turn; empty once the deal is over."""
    seats: list[str]
    """Each seat's number of cards and its winnings."""
    piles: dict[str, str]
    """The cards on each pile, as in a table's words."""
    facts: list[str]
    """Other facts about the deal, such as an inverted order of the cards."""


class ReviewWords(Struct, frozen=True):
    """A reviewed move in words, in one language."""

    language: Language
    """The language of the texts."""
    played: str
    """Label of the move that was made."""
    best: str
    """Label of the better move."""
