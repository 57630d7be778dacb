"""What each game draws for itself; all the rest of a screen is the same for every game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from services.telegram.screens.screen import Button
from shared.messages import JsonObject
from shared.translate import Words

V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Generic[V]):
    """How one game looks. `V` is its view."""

    icon: str
    table: Callable[[V, Sequence[str], Words], list[str]]
    """The lines that show what lies open, from the view and the names by seat."""
    tally: Callable[[V, int, Words], str]
    """What a seat holds and has won, in a few words."""
    hand: Callable[[V], str]
    """The viewer's cards, in order, on one line."""
    task: Callable[[V, Sequence[JsonObject], Words], str]
    """What the viewer, on turn, is to do, and with which of his legal moves."""
    buttons: Callable[[V, Sequence[JsonObject], Callable[[str], "Button"], Words], tuple[tuple[Button, ...], ...]]
    """The hand as buttons; each is made from the code that `move` understands."""
    move: Callable[[str], JsonObject]
    """The engine's move of a button's code."""
    act: Callable[[JsonObject, Sequence[str], Words], str]
    """An event of the game in words; nothing where it is not worth telling."""
    points: Callable[[int, Words], str]
    """A number of points, called by their name."""
    refusal: Callable[[str, JsonObject, V | None, Sequence[JsonObject], Words], str]
    """Why a move was refused, in words, from its code and facts and from the mover's view and legal moves.

    Nothing for a code that is not the game's own.
    """
