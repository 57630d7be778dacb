"""Briscola's texts: tasks, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import ITALIAN_SUIT_NAMES, italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, partners
from locanda.texts.phrases import points
from locanda.translations import Translations
from locanda_briscola.types import Drawn, Event, Played, TrickTaken, View

LABELS = {
    "play": N_("Play"),
    "trump": N_("Trumps"),
    "table": N_("Trick"),
    "captured": N_("Captured cards"),
}

deck = italian_deck


facts = partners


def piles(view: View, _names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return the suit of trumps, once its card has gone."""
    return {} if view.turned_up else {"trump": translations.gettext(ITALIAN_SUIT_NAMES[view.trump[0][1]])}


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds, and the points that it has taken."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {points(view.points[seat], translations)}"


def task(view: View, _moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return the viewer's task, the same with and without taps."""
    if not view.table:
        return translations.gettext("You lead: play any card.")
    return translations.gettext("Play any card to {cards}.").format(cards=italian_cards(view.table))


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
