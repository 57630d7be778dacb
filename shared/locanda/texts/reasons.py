"""Reasons of computer players as sentences, in the words that all clients share."""

from functools import cache

from locanda.cards import CARDS as FRENCH
from locanda.cuccu import CARDS as CUCCU
from locanda.games.registry import WIRE_TYPES
from locanda.reasons import SHARED_REASONS, Reason, ReasonCode
from locanda.texts.cards import JOKER, card, cuccu_card
from locanda.translations import Translations


@cache
def reasons_of(game: str) -> dict[str, ReasonCode]:
    """Return by their codes the reasons that computer players of a game give: its own, and those that games share."""
    own: tuple[ReasonCode, ...] = getattr(WIRE_TYPES[game], "REASONS", ())
    return {each.code: each for each in (*SHARED_REASONS, *own)}


def reason_text(game: str, reason: Reason, translations: Translations) -> str:
    """Return the sentence of a reason, with its cards as they are shown. Raises `KeyError` for an undeclared code."""
    sentence = translations.gettext(reasons_of(game)[reason.code].sentence)
    return sentence.format(**{name: _shown(fact, translations) for name, fact in reason.facts.items()})


def _shown(fact: object, translations: Translations) -> str:
    """Return a fact as it is shown: a card, cards between commas, or a number."""
    if isinstance(fact, list | tuple):
        return ", ".join(_shown(each, translations) for each in fact)
    if isinstance(fact, str) and fact in CUCCU:
        return cuccu_card(fact, translations)
    if isinstance(fact, str) and (fact in FRENCH or fact == JOKER):
        return card(fact)
    return str(fact)
