"""Texts of Highest Card: tasks and events (the functions of `texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.highest_card.types import Event, Played, Taken, View

from locanda.messages import JsonObject
from locanda.texts.cards import card, french_deck
from locanda.texts.games import Taps
from locanda.translations import Translations

ICON = "🔝"

LABELS = {"play": "Play", "table": "Trick"}

deck = french_deck


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return the text about how many cards a seat holds and how many it has captured."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {points(view.captured[seat], translations)}"


def points(number: int, translations: Translations) -> str:
    """Return the text for a number of captured cards."""
    return translations.ngettext("{n} card captured", "{n} cards captured", number).format(n=number)


def task(view: View, _moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:
    """Return the text of the viewer's task. It is the same with and without buttons."""
    if view.table is None:
        return translations.gettext("You lead: play any card.")
    return translations.gettext("Answer {top} with any card.").format(top=card(view.table))


def event_text(event: Event, names: Sequence[str], translations: Translations) -> str:
    """Return the text of an event."""
    match event:
        case Played(seat, code):
            return translations.gettext("{name} plays {card}").format(name=names[seat], card=card(code))
        case Taken(seat):
            return translations.gettext("{name} takes both").format(name=names[seat])
        case _:
            return ""
