"""What a module `screens.games.<game>` defines: the parts of the screens that differ from game to game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from locanda.messages import JsonObject
from locanda.translations import Translations
from services.telegram.screens.screen import Button

V = TypeVar("V")

PASS = "-"  # noqa: S105  (no password)
"""The code of a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardButtons(Generic[V]):
    """The controls of a game in which one press plays one card."""

    buttons: Callable[[V, Sequence[JsonObject], Callable[[str], Button], Translations], tuple[tuple[Button, ...], ...]]
    """The hand as buttons, from the view, the legal moves, and a function that makes the button of a move's code."""


class PickableCard(Struct, frozen=True):
    """A card that the viewer can select, in the hand or elsewhere."""

    card: str
    label: str
    choice: str
    """What the card is to the moves: cards of the same choice can replace each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelection(Generic[V]):
    """The controls of a game in which the player first selects cards, then a move with them."""

    cards: Callable[[V, Translations], tuple[tuple[PickableCard, ...], ...]]
    """The cards that can be selected, row by row."""
    several: bool
    """Whether more than one card can be selected at a time."""
    takes: Callable[[JsonObject], tuple[str, ...]]
    """The choices of the cards that a move takes; empty for a move without cards of the player."""
    label: Callable[[JsonObject, V, Translations], str]
    """The label of a move's button."""
    code: Callable[[JsonObject, Sequence[PickableCard]], str]
    """The code of a move with the selected cards, from which `move` makes the move again."""
    candidates: Callable[[V, Sequence[PickableCard]], tuple[JsonObject, ...]]
    """The moves, maybe incomplete, that the selected cards can mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameScreens(Generic[V]):
    """What the bot needs of a game beside the texts of all clients (`locanda.texts.<game>`). `V` is its view."""

    icon: str
    table: Callable[[V, Sequence[str], Translations], list[str]]
    """The lines that show the cards on the table, from the view and the names by seat."""
    hand: Callable[[V, Translations], str]
    """The viewer's cards, in order, on one line."""
    controls: CardButtons[V] | CardSelection[V]
    """How the viewer plays by buttons."""
    move: Callable[[str], JsonObject]
    """The engine's move from a button's code. Raises `ValueError` or `LookupError` for an invalid code."""


def stock_line(count: int, translations: Translations) -> str:
    """Return how many cards are left in the stock."""
    if not count:
        return translations.gettext("The stock is finished.")
    return translations.ngettext("Stock: {n} card", "Stock: {n} cards", count).format(n=count)
