"""How cards are shown: French ones such as ``7♥`` and ``🃏``, those of the Cuccù such as ``VII`` and ``🦁 Leone``."""

from collections.abc import Iterable

from locanda.cards import CARDS
from locanda.cuccu import CARDS as CUCCU
from locanda.cuccu import DESIGNS
from locanda.translations import Translations, language_of

SUIT_SIGNS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}
JOKER, JOKER_SIGN = "*", "🃏"


def card(code: str) -> str:
    """Return a French card, or the joker, as it is shown."""
    if code == JOKER:
        return JOKER_SIGN
    return rank(code[:-1]) + SUIT_SIGNS[code[-1]]


def rank(code: str) -> str:
    """Return a French rank as it is shown."""
    return code.replace("T", "10")


def cards(codes: Iterable[str]) -> str:
    """Return several French cards on a line, in the order given."""
    return " ".join(card(code) for code in codes)


def in_order(codes: Iterable[str]) -> list[str]:
    """Return the codes of French cards sorted by suit, then rank."""
    return sorted(codes, key=CARDS.__getitem__)


def cuccu_card(code: str, translations: Translations) -> str:
    """Return a card of the Cuccù as it is shown: the symbol if it is a figure, and the numeral, or else the name."""
    design = DESIGNS[CUCCU[code]]
    if not design.figure:
        return code
    name = design.name_it if language_of(translations) == "it" else design.name_en
    return f"{design.symbol} {design.numeral or name}"


def cuccu_cards(codes: Iterable[str], translations: Translations) -> str:
    """Return several cards of the Cuccù on a line, in the order given."""
    return ", ".join(cuccu_card(code, translations) for code in codes)
