"""Sentences for people, if a request asks for them."""

from typing import Annotated

from msgspec import Meta, Struct, field

from locanda.games.options import PresetName
from locanda.messages.values import Language, PileName


class CardWords(Struct, frozen=True):
    """The name of a card."""

    name: str
    """The card's name in full, such as `seven of hearts`."""
    short: str
    """The card's name as it stands in sentences, such as `7♥`."""


class PresetWords(Struct, frozen=True):
    """Options that make a match short, usual or long."""

    preset: PresetName
    """Which of the three lengths of a match."""
    title: str
    """The preset's name, for people."""
    text: str
    """The options and their values, as a sentence for people."""
    options: dict[str, int]
    """The options to give to a table, with their values."""


class GameWords(Struct, frozen=True):
    """A game's words for its cards, piles and moves, in one language."""

    language: Language
    """The language of the texts."""
    cards: dict[str, CardWords]
    """The names of every card of the game's deck, by the card's code."""
    labels: dict[str, str]
    """Short names of piles, moves and states; each game has always the same keys."""
    levels: dict[str, str]
    """Names of the levels of computer players and of the server's own players."""
    presets: list[PresetWords]
    """Options for a short, a usual and a long match."""


class SelectedCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a player selects."""

    pile: PileName = field(name="from")
    """Where the card lies: the hand, or a pile of the mover's."""
    card: Annotated[str, Meta(min_length=1, max_length=16)]
    """The card's code."""


class TakenCard(SelectedCard, frozen=True, omit_defaults=True, forbid_unknown_fields=False):
    """A card that a move takes."""

    equals: list[str] = []
    """Other cards that lie there and do the same: the move may be made with each of them in place of `card`."""


class MoveCards(Struct, frozen=True):
    """The cards that a move takes, and where they go."""

    cards: list[TakenCard]
    """The cards; none for a pass, or for a draw."""
    to: PileName | None
    """The pile that they go to, or that is drawn from; null if it needs not be pointed at."""


class TableWords(Struct, frozen=True):
    """A table in sentences, in one language: of the viewer's view only, with players' names as plain text."""

    language: Language
    """The language of the texts."""
    title: str
    """The number of the deal in its match; empty if there is only one."""
    turn: str
    """The turn in words; for the viewer on turn, also their task. Empty while nobody is on turn."""
    events: list[str | None]
    """Each of `events` in one or more lines; null for an event without words."""
    moves: list[str]
    """The label of each of `moves`, in the same order."""
    seats: list[str]
    """Each seat's number of cards and winnings; empty without a deal."""
    piles: dict[str, str]
    """The cards on each pile, by its key in `labels`; for a seat's own pile by `key.seat`, such as `mazzetto.0`."""
    facts: list[str]
    """Sentences about the deal beyond its piles, such as that the order of the cards is upside down."""
    score: list[str]
    """The points of each seat in the match; empty before the first deal."""
    result: list[str]
    """How the deal or the match ended: the winner, then the seats by place; that the table is closed, if nobody sits
    there; empty until the end."""
    options: list[str]
    """The options that are not the game's defaults, one sentence each."""
    ending: str = ""
    """Why the deal, or the last deal of the match, ended, empty while it goes on, or from servers up to 0.1.0."""
    takes: list[MoveCards] = []
    """Which cards each of `moves` takes, in the same order; empty from servers up to 0.1.0."""
    rematch: list[str] = []
    """The answers for another match in words: who stays, who stops, who has not answered; empty before the first
    answer."""
    levels: list[str] = []
    """How the computer player of each seat plays, or whose player it is; empty for a person."""


class MovesWords(Struct, frozen=True):
    """Moves in words, in one language."""

    language: Language
    """The language of the texts."""
    moves: list[str]
    """The label of each of `moves`, in the same order."""
    takes: list[MoveCards] = []
    """Which cards each of `moves` takes, in the same order; empty from servers up to 0.1.0."""


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
    """The turn in words; empty once the deal is over."""
    seats: list[str]
    """Each seat's number of cards and winnings."""
    piles: dict[str, str]
    """The cards on each pile, as in a table's words."""
    facts: list[str]
    """Sentences about the deal beyond its piles, such as that the order of the cards is upside down."""


class ReviewWords(Struct, frozen=True):
    """A reviewed move in words, in one language."""

    language: Language
    """The language of the texts."""
    played: str
    """The label of the move that was made."""
    best: str
    """The label of the better move."""
