"""What the module `terminal` of each game defines, and how cards are typed."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from locanda.cards import CARDS
from locanda.cuccu import CODES, DESIGNS
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER, JOKER_SIGN, SUIT_SIGNS
from locanda.translations import Translations

V = TypeVar("V")

LabelledRows: TypeAlias = list[tuple[str, str]]
"""Rows of what lies on the table: a label, empty to continue the row above, and the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    """How the cards of a deck are typed."""

    read: Callable[[str], list[str] | None]
    """The codes of the cards that a text names; None if it names anything else."""
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBoard(Generic[V]):
    """What the terminal needs of a game beside its texts for all clients. `V` is its view."""

    rows: Callable[[V, Sequence[str], Translations], LabelledRows]
    """What lies on the table, from the view and the names by seat."""
    cards: CardInput
    source: Callable[[JsonObject, Translations], str] | None = None
    """What a move begins with, in words. Where there are many moves that is chosen first; None for games without."""
    equal: Callable[[JsonObject, V], Iterable[JsonObject]] = lambda move, _: (move,)
    """A legal move and those equal to it that the engine does not list, because other cards do the same."""


AnyGameBoard: TypeAlias = GameBoard[Any]


# --- parsing cards: ``7h``, ``10♠``, ``qd jc``, ``*``; ``VII``, ``leone``

FRENCH = re.compile(rf"(10|[a2-9tjqk])([hdcs{''.join(SUIT_SIGNS.values())}])|[*{JOKER_SIGN}]", re.IGNORECASE)
SEPARATORS = re.compile(r"[\s,;\ufe0e\ufe0f]+")
SUITS = {sign: code for code, sign in SUIT_SIGNS.items()}
CUCCU_NAMES = {name.casefold(): each.code for each in DESIGNS for name in (each.code, each.name_it, each.name_en)}


def read_french(text: str) -> list[str] | None:
    """Return the French cards and jokers in a text, with or without separators; None for any other text."""
    joined = SEPARATORS.sub("", text)
    found = list(FRENCH.finditer(joined))
    if not found or sum(len(each[0]) for each in found) != len(joined):
        return None
    return [_french_code(each) for each in found]


def _french_code(found: re.Match[str]) -> str:
    if found[1] is None:
        return JOKER
    code = found[1].upper().replace("10", "T") + SUITS.get(found[2], found[2].lower())
    return code if code in CARDS else JOKER


def read_cuccu(text: str) -> list[str] | None:
    """Return the cards of the Cuccù in a text, by numeral or by name in either language, in deck order."""
    parts = [part for part in SEPARATORS.split(text.casefold()) if part]
    found = [CUCCU_NAMES[part] for part in parts if part in CUCCU_NAMES]
    return sorted(found, key=CODES.index) if parts and len(found) == len(parts) else None


FRENCH_CARDS = CardInput(read=read_french, example="7h 10♠ *")
CARDS_WITHOUT_JOKERS = CardInput(read=read_french, example="7h 10♠")
CUCCU_CARDS = CardInput(read=read_cuccu, example="VII, leone")
