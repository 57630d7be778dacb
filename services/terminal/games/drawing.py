"""How one game looks in a terminal; all the rest is the same for every game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from shared.messages import JsonObject
from shared.translate import Words

V = TypeVar("V")

Rows: TypeAlias = list[tuple[str, str]]
"""What lies on the table: what it is, and the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Generic[V]):
    """How one game looks. `V` is its view."""

    rows: Callable[[V, Sequence[str], Words], Rows]
    """What lies open, from the view and the names by seat."""
    tally: Callable[[V, int, Words], str]
    """What a seat holds and has won, in a few words."""
    hand: Callable[[V, Words], str]
    """The viewer's cards, in order, on one line."""
    task: Callable[[V, Sequence[JsonObject], Words], str]
    """What the viewer, on turn, is to do."""
    label: Callable[[JsonObject, V, Words], str]
    """A legal move in a few words."""
    read: Callable[[str], list[str] | None]
    """The cards that a text names; nothing where it names anything else."""
    wish: Callable[[V, Sequence[str]], JsonObject]
    """The move that somebody who types these cards must mean, legal or not: the engine says why it is not."""
    act: Callable[[JsonObject, Sequence[str], Words], str]
    """An event of the game in words; nothing where it is not worth telling."""
    points: Callable[[int, Words], str]
    """A number of points, called by their name."""
    refusal: Callable[[str, JsonObject, V | None, Sequence[JsonObject], Words], str]
    """Why a move was refused, in words; nothing for a code that is not the game's own."""
    secrets: Callable[[V, Sequence[str], Words], list[str]] = lambda _view, _names, _words: []
    """What the viewer alone knows, beside his hand."""
    same: Callable[[str], str] = lambda code: code
    """What two cards must have in common to be one choice."""
    fewest_wins: bool = False
    """Do points count against their holder?"""
