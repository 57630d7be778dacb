"""What each game draws for itself; all the rest of a screen is the same for every game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from services.telegram.screens.screen import Button
from shared.messages import JsonObject
from shared.translate import Words

V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTap(Generic[V]):
    """A game in which every card is played by a tap of its own."""

    buttons: Callable[[V, Sequence[JsonObject], Callable[[str], Button], Words], tuple[tuple[Button, ...], ...]]
    """The hand as buttons; each is made from the code that `move` understands."""


class Piece(Struct, frozen=True):
    """A card that the viewer may take up, wherever it lies."""

    card: str
    label: str
    choice: str
    """What it is to the moves: pieces of the same choice may stand for each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selecting(Generic[V]):
    """A game in which cards are taken up first, and then what may be done with them is chosen."""

    pieces: Callable[[V, Words], tuple[tuple[Piece, ...], ...]]
    """What may be taken up, row by row."""
    several: bool
    """May more than one be taken up at a time?"""
    takes: Callable[[JsonObject], tuple[str, ...]]
    """The choices that a move is made of; none where it takes no card of one's own."""
    label: Callable[[JsonObject, V, Words], str]
    """A move as its button says it."""
    code: Callable[[JsonObject, Sequence[Piece]], str]
    """The code of a move with the pieces that were taken up, as `move` understands it."""
    questions: Callable[[V, Sequence[Piece]], tuple[JsonObject, ...]]
    """The moves, maybe half made, that tell what the pieces taken up are good for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Generic[V]):
    """How one game looks. `V` is its view."""

    icon: str
    table: Callable[[V, Sequence[str], Words], list[str]]
    """The lines that show what lies open, from the view and the names by seat."""
    tally: Callable[[V, int, Words], str]
    """What a seat holds and has won, in a few words."""
    hand: Callable[[V, Words], str]
    """The viewer's cards, in order, on one line."""
    task: Callable[[V, Sequence[JsonObject], Words], str]
    """What the viewer, on turn, is to do, and with which of his legal moves."""
    playing: OneTap[V] | Selecting[V]
    """How the viewer plays by buttons."""
    move: Callable[[str], JsonObject]
    """The engine's move of a button's code. Raises `ValueError` or `LookupError` for a code that is none."""
    act: Callable[[JsonObject, Sequence[str], Words], str]
    """An event of the game in words, from the names as they are marked up; nothing where it is not worth telling."""
    points: Callable[[int, Words], str]
    """A number of points, called by their name."""
    refusal: Callable[[str, JsonObject, V | None, Sequence[JsonObject], Words], str]
    """Why a move was refused, in words, from its code and facts and from the mover's view and legal moves.

    Nothing for a code that is not the game's own.
    """
    secrets: Callable[[V, Sequence[str], Words], list[str]] = lambda _view, _names, _words: []
    """What the viewer alone knows, beside his hand; from the names as they are marked up."""
    fewest_wins: bool = False
    """Do points count against their holder?"""
