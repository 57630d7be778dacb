"""Tressette's texts: hands, tasks, moves, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import in_order, italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, no_secrets
from locanda.translations import Translations
from locanda_tressette.types import Drawn, Event, Played, TrickTaken, View

ENDINGS: dict[str, str] = {}
TITLES: dict[int, tuple[str, ...]] = {}
LABELS = {
    "play": N_("Play"),
    "table": N_("Trick"),
    "captured": N_("Captured cards"),
}
THIRDS = ("", "⅓", "⅔")

deck = italian_deck
secrets = no_secrets


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return who plays with whom, and what others have drawn openly."""
    together = translations.gettext("{first} and {second} play together.")
    pairs = [(0, 2), (1, 3)] if len(view.counts) == 4 else []
    drawn = translations.gettext("{name} has drawn {cards}.")
    return [together.format(first=names[first], second=names[second]) for first, second in pairs] + [
        drawn.format(name=names[seat], cards=italian_cards(cards))
        for seat, cards in enumerate(view.shown)
        if cards and seat != view.seat
    ]


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds, and what the cards that it has taken count."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    return f"{held} · {_counted(view.thirds[seat], translations)}"


def _counted(thirds: int, translations: Translations) -> str:
    """Return a number of thirds as points."""
    whole, rest = divmod(thirds, 3)
    number = f"{whole or ''}{THIRDS[rest]}" or "0"
    return translations.ngettext("{n} point", "{n} points", 1 if 0 < thirds <= 3 else 2).format(n=number)


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
    if any(code[1] == view.table[0][1] for code in view.hand or ()):
        return translations.gettext("Follow the suit of {card}.").format(card=italian_card(view.table[0]))
    return translations.gettext("You cannot follow suit: play any card to {cards}.").format(
        cards=italian_cards(view.table)
    )


def move_label(move: JsonObject, _view: View, _translations: Translations) -> str:
    """Return the card."""
    return italian_card(move["card"])


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


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return why a move was refused."""
    if code == "not_in_hand":
        return translations.gettext("You do not hold {card}.").format(card=italian_card(str(facts["card"])))
    if code == "must_follow":
        text = translations.gettext("{card} does not follow the suit of {led}: you can play {cards}.")
        can = italian_cards(map(str, facts["can"]))
        return text.format(card=italian_card(str(facts["card"])), led=italian_card(str(facts["led"])), cards=can)
    return ""
