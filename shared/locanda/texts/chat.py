"""How games are shown in a chat: the interface of a game's module `chat`, and the defaults for games without one.

Cards are buttons. `locanda.texts.selection` derives the effect of a tap from the legal moves.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import Any, Generic, TypeAlias, TypeVar
from unicodedata import bidirectional

from locanda.games.registry import AnyView
from locanda.messages import JsonObject, SelectedCard
from locanda.texts.games import game_of, labelled_piles, on_a_line, short_names, texts_of
from locanda.texts.selection import HAND
from locanda.translations import Translations

V = TypeVar("V", bound=AnyView)

PHONE_WIDTH = 40
"""Approximate number of characters on a line of a message on a phone."""
_TAG = re.compile("<[^>]+>")
REMEMBERED = 2048
"""Cache size for escaped texts: names and headings recur in every message."""


_MEANT = re.compile(r"(?<!\S)[@/#$](?=\w)|(?<=\w)[.@:](?=\w*[^\W\d])")
"""Characters that chats may treat as part of a mention, command, hashtag or address."""
_JOINER = "\u2060"
"""An invisible character (word joiner). After one of these characters, it keeps chats from detecting a link."""
_ISOLATE = "\u2068{}\u2069"
"""Isolates a right-to-left text, so that it does not reorder the text around it (Unicode, UAX #9)."""


@lru_cache(REMEMBERED)
def plain(text: str) -> str:
    """Escape a text, such as a name, for HTML, and keep chats from turning parts of it into links."""
    shown = escape(_MEANT.sub(lambda mark: f"{mark[0]}{_JOINER}", text), quote=False)
    from_right = any(bidirectional(char) in {"R", "AL"} for char in text)
    return _ISOLATE.format(shown) if from_right else shown


@lru_cache(REMEMBERED)
def bold(text: str) -> str:
    """Escape a text, and put it in bold."""
    return f"<b>{plain(text)}</b>"


def visible(text: str) -> str:
    """Convert Telegram HTML to the plain text that people see."""
    return unescape(_TAG.sub("", text))


def lines_on_a_phone(text: str) -> int:
    """Return the number of lines of Telegram HTML when wrapped at `PHONE_WIDTH`."""
    lines = visible(text).split("\n")
    return len(lines) + sum([(len(line) - 1) // PHONE_WIDTH for line in lines if line])


class PickableCard(SelectedCard, frozen=True, forbid_unknown_fields=False):
    """A card that the viewer can select, in the hand or on a pile."""

    label: str


Cards: TypeAlias = tuple[PickableCard | None, ...]
"""A row of cards; None is an empty place."""


# --- defaults


def piles_and_facts(view: AnyView, names: Sequence[str], translations: Translations) -> list[str]:
    """Return a line for each pile with its label, then other facts."""
    shown = [f"{plain(label)}: {bold(cards)}" for label, cards in labelled_piles(view, names, translations)]
    return [*shown, *texts_of(game_of(view)).facts(view, [bold(name) for name in names], translations)]


def hand_on_a_line(view: AnyView, translations: Translations) -> str:
    """Return the viewer's cards on one line."""
    return on_a_line(view.hand or (), game_of(view), translations)


def cards_of_hand(view: AnyView, translations: Translations) -> tuple[Cards, ...]:
    """Return the cards of the viewer's hand as one row."""
    short = short_names(game_of(view), translations)
    return (tuple(PickableCard(HAND, code, short[code]) for code in view.hand or ()),)


def move_label(move: JsonObject, view: AnyView, translations: Translations) -> str:
    """Return the move's label that all clients use."""
    return texts_of(game_of(view)).move_label(move, view, translations)


def whole(event: JsonObject) -> JsonObject:
    """Return the event unchanged."""
    return event


def always(_: object) -> bool:
    """Return True."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameScreens(Generic[V]):
    """A game's screens in the chat. Type parameter: `V` is the game's view."""

    table: Callable[[V, Sequence[str], Translations], list[str]] = piles_and_facts
    """Returns the lines that show the table, from the view and the names by seat."""
    in_brief: Callable[[V, Sequence[str], Translations], list[str]] | None = None
    """Returns shorter lines for when space is short; None if there are none."""
    hand: Callable[[V, Translations], str] = hand_on_a_line
    """Returns the viewer's cards, in order, on one line."""
    cards: Callable[[V, Translations], tuple[Cards, ...]] = cards_of_hand
    """Returns the cards that are buttons, row by row: first the hand, then other cards that the viewer may play."""
    label: Callable[[JsonObject, V, Translations], str] = move_label
    """Returns the label of a move's button, which is shown next to the selected cards."""
    target: Callable[[JsonObject, V, Translations], str] | None = None
    """Returns a short label for a move's target. Set it if most cards have several targets: then a button for each
    target is next to the card."""
    columns: int = 5
    """Number of cards of the hand in a row."""
    event_in_brief: Callable[[JsonObject], JsonObject] = whole
    """Returns a short form of an event, for when space is short."""
    free_pass: Callable[[V], bool] = always
    """Returns whether players may pass although they could play, so that a pass reveals nothing about the hand."""


AnyGameScreens: TypeAlias = GameScreens[Any]


def stock_line(count: int, translations: Translations) -> str:
    """Return a line with the number of cards left in the stock."""
    if not count:
        return translations.gettext("The stock is finished.")
    return translations.ngettext("Stock: {n} card", "Stock: {n} cards", count).format(n=count)
