"""Cards as people see them: French ones such as ``7♥`` and ``🃏``, the Cuccù's such as ``VII`` and ``🦁 Leone``."""

from collections.abc import Iterable

from shared.cards import CARDS
from shared.cuccu import CARDS as CUCCU
from shared.cuccu import DESIGNS
from shared.translate import Words, spoken

SUIT_SIGNS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}
JOKER, JOKER_SIGN = "*", "🃏"


def card(code: str) -> str:
    """Return a French card, or the joker, as people see it."""
    if code == JOKER:
        return JOKER_SIGN
    return rank(code[:-1]) + SUIT_SIGNS[code[-1]]


def rank(code: str) -> str:
    """Return a French rank as people see it."""
    return code.replace("T", "10")


def cards(codes: Iterable[str]) -> str:
    """Return several French cards on a line, in the order given."""
    return " ".join(card(code) for code in codes)


def in_order(codes: Iterable[str]) -> list[str]:
    """Return the codes by suit, then rank."""
    return sorted(codes, key=CARDS.__getitem__)


def cuccu(code: str, words: Words) -> str:
    """Return a card of the Cuccù as people see it: its symbol if it is a figure, and its numeral, or else its name."""
    design = DESIGNS[CUCCU[code]]
    if not design.figure:
        return code
    name = design.name_it if spoken(words) == "it" else design.name_en
    return f"{design.symbol} {design.numeral or name}"


def cuccus(codes: Iterable[str], words: Words) -> str:
    """Return several cards of the Cuccù on a line, in the order given."""
    return ", ".join(cuccu(code, words) for code in codes)
