"""Briscola's texts: hands, tasks, moves, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import ITALIAN_SUIT_NAMES, in_order, italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, no_secrets
from locanda.translations import Translations
from locanda_briscola.types import Drawn, Event, Played, TrickTaken, View

ENDINGS: dict[str, str] = {}
TITLES: dict[int, tuple[str, ...]] = {}
LABELS = {
    "play": N_("Play"),
    "trump": N_("Trumps"),
    "table": N_("Trick"),
    "captured": N_("Captured cards"),
}

deck = italian_deck
secrets = no_secrets


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return who plays with whom, and the suit of trumps once its card has gone."""
    text = translations.gettext("{first} and {second} play together.")
    opposite = [(0, 2), (1, 3)] if len(view.counts) == 4 else []
    found = [text.format(first=names[first], second=names[second]) for first, second in opposite]
    suit = translations.gettext(ITALIAN_SUIT_NAMES[view.trump[0][1]])
    return found if view.turned_up else [*found, translations.gettext("Trumps: {suit}.").format(suit=suit)]


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds, and the points that it has taken."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {points(view.points[seat], translations)}"


def points(number: int, translations: Translations) -> str:
    """Return a number of points."""
    return translations.ngettext("{n} point", "{n} points", number).format(n=number)


def hand(view: View, _translations: Translations) -> list[str]:
    """Return the viewer's cards by suit and rank."""
    return [italian_card(code) for code in in_order(view.hand or ())]


def task(view: View, _moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return what the viewer has to do: the same by taps and without."""
    if not view.table:
        return translations.gettext("You lead: play any card.")
    return translations.gettext("Play any card to {cards}.").format(cards=italian_cards(view.table))


def move_label(move: JsonObject, _view: View, _translations: Translations) -> str:
    """Return the card."""
    return italian_card(move["card"])


def event_text(event: Event, names: Sequence[str], translations: Translations) -> str:
    """Return an event of the game."""
    match event:
        case Played(seat, code):
            return translations.gettext("{name} plays {card}").format(name=names[seat], card=italian_card(code))
        case TrickTaken(seat, _, count):
            text = translations.gettext("{name} takes the trick: {points}")
            return text.format(name=names[seat], points=points(count, translations))
        case Drawn(_, int(seat)):
            return translations.gettext("{name} draws the card that was turned up").format(name=names[seat])
        case _:
            return ""


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return why a move was refused."""
    if code == "not_in_hand":
        return translations.gettext("You do not hold {card}.").format(card=italian_card(str(facts["card"])))
    return ""
