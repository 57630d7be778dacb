"""Names and signs of cards, such as ``7♥`` and ``🃏``, or ``VII`` and ``🦁 Leone`` for the Cuccù deck."""

from collections.abc import Iterable
from functools import lru_cache

from locanda.cards import CARDS, CODES, ITALIAN_RANKS, pack
from locanda.cards.cuccu import CARDS as CUCCU
from locanda.cards.cuccu import DESIGNS
from locanda.games.base import N_
from locanda.messages import CardWords
from locanda.translations import Translations, language_of

SUIT_SIGNS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}
JOKER, JOKER_SIGN = "*", "🃏"

RANK_NAMES = {
    "A": N_("ace"),
    "2": N_("two"),
    "3": N_("three"),
    "4": N_("four"),
    "5": N_("five"),
    "6": N_("six"),
    "7": N_("seven"),
    "8": N_("eight"),
    "9": N_("nine"),
    "T": N_("ten"),
    "J": N_("jack"),
    "Q": N_("queen"),
    "K": N_("king"),
}
SUIT_NAMES = {"h": N_("hearts"), "d": N_("diamonds"), "c": N_("clubs"), "s": N_("spades")}


@lru_cache(128)
def card(code: str) -> str:
    """Return the sign of a French card or the joker."""
    if code == JOKER:
        return JOKER_SIGN
    return rank(code[:-1]) + SUIT_SIGNS[code[-1]]


def rank(code: str) -> str:
    """Return the sign of a French rank."""
    return code.replace("T", "10")


def cards(codes: Iterable[str]) -> str:
    """Return the signs of several French cards on a line, in the same order."""
    return " ".join(card(code) for code in codes)


def in_order(codes: Iterable[str]) -> list[str]:
    """Return the codes of French cards sorted by suit, then rank."""
    return sorted(codes, key=CARDS.__getitem__)


ITALIAN_SUIT_SIGNS = {"h": "🍷", "d": "🪙", "c": "🪵", "s": "🗡"}
ITALIAN_RANK_SIGNS = {"J": "F", "Q": "C", "K": "R"}
"""Letters for fante, cavallo and re on Italian cards, in every language."""
ITALIAN_RANK_NAMES = RANK_NAMES | {"J": N_("knave"), "Q": N_("knight")}
ITALIAN_SUIT_NAMES = {"h": N_("cups"), "d": N_("coins"), "c": N_("batons"), "s": N_("swords")}
"""Names of the Italian suits by French suit: a card has the same code in both packs."""


@lru_cache(40)
def italian_card(code: str) -> str:
    """Return the sign of a card with Italian suits: ``7🪙``, ``C🗡``."""
    return ITALIAN_RANK_SIGNS.get(code[0], code[0]) + ITALIAN_SUIT_SIGNS[code[1]]


def italian_cards(codes: Iterable[str]) -> str:
    """Return the signs of several cards with Italian suits on a line, in the same order."""
    return " ".join(italian_card(code) for code in codes)


def cuccu_card(code: str, translations: Translations) -> str:
    """Return the sign of a Cuccù card: for a figure its symbol, then the numeral or, without one, the name."""
    design = DESIGNS[CUCCU[code]]
    if not design.figure:
        return code
    name = design.name_it if language_of(translations) == "it" else design.name_en
    return f"{design.symbol} {design.numeral or name}"


def cuccu_cards(codes: Iterable[str], translations: Translations) -> str:
    """Return the signs of several Cuccù cards on a line, in the same order."""
    return ", ".join(cuccu_card(code, translations) for code in codes)


# --- all cards of a deck, by code


def french_deck(translations: Translations) -> dict[str, CardWords]:
    """Return the names of the French cards."""
    return {code: CardWords(_french_name(code, translations), card(code)) for code in CODES}


def french_deck_with_joker(translations: Translations) -> dict[str, CardWords]:
    """Return the names of the French cards and the joker."""
    return french_deck(translations) | {JOKER: CardWords(translations.gettext("joker"), JOKER_SIGN)}


def italian_deck(translations: Translations) -> dict[str, CardWords]:
    """Return the names of the 40 cards with Italian suits."""
    return {
        CODES[card]: CardWords(_italian_name(CODES[card], translations), italian_card(CODES[card]))
        for card in pack(ITALIAN_RANKS)
    }


def cuccu_deck(translations: Translations) -> dict[str, CardWords]:
    """Return the names of the Cuccù cards."""
    italian = language_of(translations) == "it"
    return {
        design.code: CardWords(design.name_it if italian else design.name_en, cuccu_card(design.code, translations))
        for design in DESIGNS
    }


def _french_name(code: str, translations: Translations) -> str:
    return _name(RANK_NAMES[code[0]], SUIT_NAMES[code[1]], translations)


def _italian_name(code: str, translations: Translations) -> str:
    return _name(ITALIAN_RANK_NAMES[code[0]], ITALIAN_SUIT_NAMES[code[1]], translations)


def _name(rank: str, suit: str, translations: Translations) -> str:
    text = translations.gettext("{rank} of {suit}")
    return text.format(rank=translations.gettext(rank), suit=translations.gettext(suit))
