"""Tressette's texts: tasks, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, partners
from locanda.translations import Translations
from locanda_tressette.types import Drawn, Event, Played, TrickTaken, View

LABELS = {
    "play": N_("Play"),
    "table": N_("Trick"),
    "captured": N_("Captured cards"),
}
THIRDS = ("", "⅓", "⅔")

deck = italian_deck


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return the partners, and the cards that others drew face up."""
    drawn = translations.gettext("{name} has drawn {cards}.")
    return partners(view, names, translations) + [
        drawn.format(name=names[seat], cards=italian_cards(cards))
        for seat, cards in enumerate(view.shown)
        if cards and seat != view.seat
    ]


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return the number of cards a seat holds, and the points of those it has taken."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {_counted(view.thirds[seat], translations)}"


def _counted(thirds: int, translations: Translations) -> str:
    """Return a number of thirds as points."""
    whole, rest = divmod(thirds, 3)
    number = f"{whole or ''}{THIRDS[rest]}" or "0"
    return translations.ngettext("{n} point", "{n} points", 1 if 0 < thirds <= 3 else 2).format(n=number)


def task(view: View, _moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return the viewer's task, the same with and without taps."""
    if not view.table:
        return translations.gettext("You lead: play any card.")
    if any(code[1] == view.table[0][1] for code in view.hand or ()):
        return translations.gettext("Follow the suit of {card}.").format(card=italian_card(view.table[0]))
    return translations.gettext("You cannot follow suit: play any card to {cards}.").format(
        cards=italian_cards(view.table)
    )


def event_text(event: Event, names: Sequence[str], translations: Translations) -> str:
    """Return an event of the game."""
    match event:
        case Played(seat, code):
            return translations.gettext("{name} plays {card}").format(name=names[seat], card=italian_card(code))
        case TrickTaken(seat, _, thirds):
            text = translations.gettext("{name} takes the trick: {points}")
            return text.format(name=names[seat], points=_counted(thirds, translations))
        case Drawn(seat, code):
            return translations.gettext("{name} draws {card}").format(name=names[seat], card=italian_card(code))
        case _:
            return ""
