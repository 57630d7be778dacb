"""What the module `chat` of each game defines: how its table and hands look in a chat, and which buttons play it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from locanda.messages import JsonObject
from locanda.translations import Translations

V = TypeVar("V")

PASS = "-"  # noqa: S105  (no password)
"""The code of a pass."""


PHONE_WIDTH = 40
"""About how many characters a line of a message has on a phone."""
_TAG = re.compile("<[^>]+>")
REMEMBERED = 2048
"""Texts that are remembered escaped: names and headings come again in each drawing."""


@lru_cache(REMEMBERED)
def plain(text: str) -> str:
    """Return a text escaped for HTML."""
    return escape(text, quote=False)


@lru_cache(REMEMBERED)
def bold(text: str) -> str:
    """Return a text escaped and in bold."""
    return f"<b>{plain(text)}</b>"


def visible(text: str) -> str:
    """Return a text in Telegram's HTML as people see it."""
    return unescape(_TAG.sub("", text))


def lines_on_a_phone(text: str) -> int:
    """Return how many lines a text in Telegram's HTML takes up when wrapped at `PHONE_WIDTH`."""
    lines = visible(text).split("\n")
    return len(lines) + sum([(len(line) - 1) // PHONE_WIDTH for line in lines if line])


def always(_: object) -> bool:
    """Return true."""
    return True


class PickableCard(Struct, frozen=True):
    """A card that the viewer can select, in the hand or elsewhere."""

    card: str
    label: str
    choice: str
    """What the card is to the moves: cards of the same choice can replace each other."""


Cards: TypeAlias = tuple[PickableCard | None, ...]
"""A row of cards; None is an empty place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls(Generic[V]):
    """How the viewer plays by buttons: each card is one, and moves that take several cards have theirs.

    A press plays a card that has one use. A card with several uses is selected, then the move with it is chosen.
    """

    cards: Callable[[V, Translations], tuple[Cards, ...]]
    """The cards, row by row: first the hand, then what else the viewer may play from."""
    takes: Callable[[JsonObject], tuple[str, ...]]
    """The choices of the cards that a move takes; empty for a move without cards of the player."""
    label: Callable[[JsonObject, V, Translations], str]
    """The label of a move's button, beside the selected cards that it takes."""
    code: Callable[[JsonObject, Sequence[PickableCard]], str]
    """The code of a move with the selected cards, from which `move` makes the move again."""
    candidates: Callable[[V, Sequence[PickableCard]], tuple[JsonObject, ...]]
    """The moves, maybe incomplete, that the selected cards can mean."""
    by_card: Callable[[JsonObject], bool]
    """Whether a press on the card itself is to make a move; the others have buttons of their own while they are few."""
    advances: Callable[[JsonObject], bool]
    """Whether a move is what its player is after, unlike a pass, or a discard that ends the turn: it is highlighted."""
    by_first_press: Callable[[JsonObject], bool] = always
    """Whether the first press on a card may make a move that is its only one: otherwise it selects the card."""
    several: bool = False
    """Whether more than one card can be selected at a time."""
    selectable: bool = True
    """Whether cards can be selected: otherwise a press always plays the card, and the engine says why it may not."""
    standing: tuple[JsonObject, ...] = ()
    """Moves without cards that have a button even where they are not legal: the engine then says why."""
    columns: int = 5
    """How many cards of the hand are in a row."""
    free_pass: Callable[[V], bool] = always
    """Whether a pass may be chosen though cards could be played, so that it proves nothing of the hand."""


def one_press(cards: Callable[[V], Sequence[str]], label: Callable[[str], str], **others: Any) -> Controls[V]:  # noqa: ANN401
    """Return the controls of a game in which each move is one card (`play`) or a pass; `others` as in `Controls`."""

    def rows(view: V, _translations: Translations) -> tuple[Cards, ...]:
        return (tuple(PickableCard(code, label(code), code) for code in cards(view)),)

    def takes(move: JsonObject) -> tuple[str, ...]:
        return (move["card"],) if "card" in move else ()

    def move_label(_move: JsonObject, _view: V, translations: Translations) -> str:
        return translations.gettext("Pass")

    def code(move: JsonObject, _selected: Sequence[PickableCard]) -> str:
        return str(move.get("card", PASS))

    def candidates(_view: V, selected: Sequence[PickableCard]) -> tuple[JsonObject, ...]:
        return ({"type": "play", "card": selected[0].card},)

    return Controls(
        cards=rows,
        takes=takes,
        label=move_label,
        code=code,
        candidates=candidates,
        by_card=always,
        advances=lambda move: "card" in move,
        selectable=False,
        **others,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameScreens(Generic[V]):
    """What the bot needs of a game beside the texts of all clients (`locanda.games.<game>.texts`). `V` is its view."""

    icon: str
    table: Callable[[V, Sequence[str], Translations], list[str]]
    """The lines that show the cards on the table, from the view and the names by seat."""
    in_brief: Callable[[V, Sequence[str], Translations], list[str]] | None = None
    """The same where space is short, if there is something to spare."""
    hand: Callable[[V, Translations], str]
    """The viewer's cards, in order, on one line."""
    controls: Controls[V]
    """How the viewer plays by buttons."""
    move: Callable[[str], JsonObject]
    """The engine's move from a button's code. Raises `ValueError` or `LookupError` for an invalid code."""


def stock_line(count: int, translations: Translations) -> str:
    """Return how many cards are left in the stock."""
    if not count:
        return translations.gettext("The stock is finished.")
    return translations.ngettext("Stock: {n} card", "Stock: {n} cards", count).format(n=count)
