"""How a game is shown and played in a chat: what the module `chat` of a game may say, and what all others get.

Cards are buttons. Which moves they make follows from the moves themselves (`locanda.texts.selection`).
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
"""About how many characters a line of a message has on a phone."""
_TAG = re.compile("<[^>]+>")
REMEMBERED = 2048
"""Texts that are remembered escaped: names and headings come again in each drawing."""


_MEANT = re.compile(r"(?<!\S)[@/#$](?=\w)|(?<=\w)[.@:](?=\w*[^\W\d])")
"""Characters that a chat may read as part of a mention, a command, a tag or an address."""
_JOINER = "\u2060"
"""An invisible character (word joiner) after which a chat detects none of these."""
_ISOLATE = "\u2068{}\u2069"
"""A text from right to left with its bounds (Unicode, UAX #9): it carries nothing along that stands beside it."""


@lru_cache(REMEMBERED)
def plain(text: str) -> str:
    """Return a text, such as a name, escaped for HTML and meaning nothing else where it stands in a line."""
    shown = escape(_MEANT.sub(lambda mark: f"{mark[0]}{_JOINER}", text), quote=False)
    from_right = any(bidirectional(char) in {"R", "AL"} for char in text)
    return _ISOLATE.format(shown) if from_right else shown


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


class PickableCard(SelectedCard, frozen=True, forbid_unknown_fields=False):
    """A card that the viewer can select, in the hand or elsewhere."""

    label: str


Cards: TypeAlias = tuple[PickableCard | None, ...]
"""A row of cards; None is an empty place."""


# --- defaults of games


def piles_and_facts(view: AnyView, names: Sequence[str], translations: Translations) -> list[str]:
    """Return each pile with its label, and what else there is to know."""
    shown = [f"{plain(label)}: {bold(cards)}" for label, cards in labelled_piles(view, names, translations)]
    return [*shown, *texts_of(game_of(view)).facts(view, [bold(name) for name in names], translations)]


def hand_on_a_line(view: AnyView, translations: Translations) -> str:
    """Return the viewer's cards."""
    return on_a_line(view.hand or (), game_of(view), translations)


def cards_of_hand(view: AnyView, translations: Translations) -> tuple[Cards, ...]:
    """Return the cards of the hand."""
    short = short_names(game_of(view), translations)
    return (tuple(PickableCard(HAND, code, short[code]) for code in view.hand or ()),)


def move_label(move: JsonObject, view: AnyView, translations: Translations) -> str:
    """Return a move as in every client."""
    return texts_of(game_of(view)).move_label(move, view, translations)


def whole(event: JsonObject) -> JsonObject:
    """Return an event as it is."""
    return event


def always(_: object) -> bool:
    """Return true."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameScreens(Generic[V]):
    """A game's part for the bot, beside the texts for all clients (`locanda.games.<game>.texts`). `V` is its view."""

    table: Callable[[V, Sequence[str], Translations], list[str]] = piles_and_facts
    """The lines that show the cards on the table, from the view and the names by seat."""
    in_brief: Callable[[V, Sequence[str], Translations], list[str]] | None = None
    """The same where space is short, if there is something to spare."""
    hand: Callable[[V, Translations], str] = hand_on_a_line
    """The viewer's cards, in order, on one line."""
    cards: Callable[[V, Translations], tuple[Cards, ...]] = cards_of_hand
    """The cards that are buttons, row by row: first the hand, then what else the viewer may play from."""
    label: Callable[[JsonObject, V, Translations], str] = move_label
    """The label of a move's button, beside the selected cards that it takes."""
    target: Callable[[JsonObject, V, Translations], str] | None = None
    """The short label of where a move's card goes, if several places are open to most cards: they stand beside it."""
    columns: int = 5
    """How many cards of the hand are in a row."""
    event_in_brief: Callable[[JsonObject], JsonObject] = whole
    """A short form of an event, for little space."""
    free_pass: Callable[[V], bool] = always
    """Whether a pass may be chosen though cards could be played, so that it proves nothing of the hand."""


AnyGameScreens: TypeAlias = GameScreens[Any]


def stock_line(count: int, translations: Translations) -> str:
    """Return how many cards are left in the stock."""
    if not count:
        return translations.gettext("The stock is finished.")
    return translations.ngettext("Stock: {n} card", "Stock: {n} cards", count).format(n=count)
