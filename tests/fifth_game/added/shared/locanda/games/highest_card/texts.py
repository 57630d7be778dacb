"""Highest Card's texts: hands, tasks, moves, events, refusals (functions of `texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.highest_card.types import Event, Played, Taken, View

from locanda.messages import JsonObject
from locanda.texts.cards import card, french_deck, in_order
from locanda.texts.games import Taps, no_facts, no_secrets
from locanda.translations import Translations

ICON = "🔝"

ENDINGS: dict[str, str] = {}
TITLES: dict[int, tuple[str, ...]] = {}
LABELS = {"play": "Play", "table": "Trick"}

deck = french_deck
facts = no_facts
secrets = no_secrets


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds and how many it has captured."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {points(view.captured[seat], translations)}"


def points(number: int, translations: Translations) -> str:
    """Return a number of captured cards."""
    return translations.ngettext("{n} card captured", "{n} cards captured", number).format(n=number)


def hand(view: View, _translations: Translations) -> list[str]:
    """Return the viewer's cards by suit and rank."""
    return [card(code) for code in in_order(view.hand or ())]


def task(view: View, _moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:
    """Return what the viewer has to do: the same by taps and without."""
    if view.table is None:
        return translations.gettext("You lead: play any card.")
    return translations.gettext("Answer {top} with any card.").format(top=card(view.table))


def move_label(move: JsonObject, _view: View, _translations: Translations) -> str:
    """Return the card."""
    return card(move["card"])


def event_text(event: Event, names: Sequence[str], translations: Translations) -> str:
    """Return an event of the game."""
    match event:
        case Played(seat, code):
            return translations.gettext("{name} plays {card}").format(name=names[seat], card=card(code))
        case Taken(seat):
            return translations.gettext("{name} takes both").format(name=names[seat])
        case _:
            return ""


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return why the engine refused a move."""
    if code == "not_in_hand":
        return translations.gettext("You do not hold {card}.").format(card=card(str(facts["card"])))
    return ""
