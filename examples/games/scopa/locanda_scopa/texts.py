"""Scopa's texts: tasks, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from msgspec import structs

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, partners
from locanda.texts.phrases import listed
from locanda.translations import Translations
from locanda_scopa.types import Counted, Event, Laid, Refilled, Rest, Taken, View

LABELS = {
    "play": N_("Play"),
    "table": N_("On the table"),
    "captured": N_("Captured cards"),
}

deck = italian_deck
facts = partners


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds and has taken, and how often it has cleared the table."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    taken = translations.gettext("{n} taken").format(n=len(view.captured[seat]))
    swept = translations.ngettext("{n} scopa", "{n} scope", view.sweeps[seat]).format(n=view.sweeps[seat])
    return " · ".join([held, taken, *([swept] if view.sweeps[seat] else [])])


def task(view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return the viewer's task, the same with and without taps."""
    taking = dict.fromkeys(move["card"] for move in moves if move.get("takes"))
    if taking:
        return translations.gettext("Play a card: you can take with {cards}.").format(cards=italian_cards(taking))
    return translations.gettext("You can't take anything: lay a card on the table.")


def move_label(move: JsonObject, _view: View, _translations: Translations) -> str:
    """Return the card, and what it takes."""
    taken = move.get("takes", ())
    return f"{italian_card(move['card'])} → {italian_cards(taken)}" if taken else italian_card(move["card"])


def event_text(event: Event, names: Sequence[str], translations: Translations) -> str:
    """Return an event of the game."""
    match event:
        case Laid(seat, code):
            return translations.gettext("{name} lays {card}").format(name=names[seat], card=italian_card(code))
        case Taken(seat, code, taken, sweep):
            text = translations.gettext("{name} takes {cards} with {card}")
            text = text.format(name=names[seat], cards=italian_cards(taken), card=italian_card(code))
            return ": ".join((text, translations.gettext("scopa!"))) if sweep else text
        case Refilled():
            return translations.gettext("Everybody gets three cards")
        case Rest(seat, cards):
            text = translations.gettext("{name} gets the cards that are left: {cards}")
            return text.format(name=names[seat], cards=italian_cards(cards))
        case Counted():
            text = translations.gettext(
                "Cards: {cards} · coins: {coins} · settebello: {settebello} · primiera: {primiera}"
            )
            counted: dict[str, tuple[int, ...]] = structs.asdict(event)
            lists = {what: listed([names[seat] for seat in seats], translations) for what, seats in counted.items()}
            tied = translations.gettext("tied")
            return text.format(**{what: among or tied for what, among in lists.items()})
        case _:
            return ""
