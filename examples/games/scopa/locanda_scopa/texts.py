"""Scopa's texts: hands, tasks, moves, events, refusals (functions of `locanda.texts.games.GameTexts`)."""

from collections.abc import Sequence

from msgspec import structs

from locanda.games.base import N_
from locanda.messages import JsonObject
from locanda.texts.cards import in_order, italian_card, italian_cards, italian_deck
from locanda.texts.games import Taps, no_secrets
from locanda.texts.phrases import listed
from locanda.translations import Translations
from locanda_scopa.types import Counted, Event, Laid, Refilled, Rest, Taken, View

ENDINGS: dict[str, str] = {}
TITLES: dict[int, tuple[str, ...]] = {}
LABELS = {
    "play": N_("Play"),
    "table": N_("On the table"),
    "captured": N_("Captured cards"),
}

REFUSAL_SENTENCES = {
    "not_in_hand": N_("You do not hold {card}."),
    "must_take": N_("{card} can take {takes}: it may not be laid on the table."),
    "cannot_take": N_("{card} does not take {takes}."),
}

deck = italian_deck
secrets = no_secrets


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return who plays with whom."""
    text = translations.gettext("{first} and {second} play together.")
    opposite = [(0, 2), (1, 3)] if len(view.counts) == 4 else []
    return [text.format(first=names[first], second=names[second]) for first, second in opposite]


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds and has taken, and how often it has cleared the table."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    taken = translations.gettext("{n} taken").format(n=len(view.captured[seat]))
    swept = translations.ngettext("{n} scopa", "{n} scope", view.sweeps[seat]).format(n=view.sweeps[seat])
    return " · ".join([held, taken, *([swept] if view.sweeps[seat] else [])])


def points(number: int, translations: Translations) -> str:
    """Return a number of points."""
    return translations.ngettext("{n} point", "{n} points", number).format(n=number)


def hand(view: View, _translations: Translations) -> list[str]:
    """Return the viewer's cards by suit and rank."""
    return [italian_card(code) for code in in_order(view.hand or ())]


def task(view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return what the viewer has to do: the same by taps and without."""
    if any(move.get("takes") for move in moves):
        return translations.gettext("Play a card: you can take.")
    return translations.gettext("You can take nothing: lay a card on the table.")


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
            return f"{text}: {translations.gettext('scopa!')}" if sweep else text
        case Refilled():
            return translations.gettext("Everybody gets three cards")
        case Rest(seat, cards):
            text = translations.gettext("{name} gets the cards that are left: {cards}")
            return text.format(name=names[seat], cards=italian_cards(cards))
        case Counted():
            text = translations.gettext(
                "Cards: {cards} · coins: {coins} · settebello: {settebello} · primiera: {primiera}"
            )
            counted = structs.asdict(event).items()
            return text.format(
                **{what: listed((names[seat] for seat in seats), translations) or "—" for what, seats in counted}
            )
        case _:
            return ""


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return why a move was refused."""
    if code not in REFUSAL_SENTENCES:
        return ""
    takes = italian_cards(map(str, facts.get("takes", ())))
    return translations.gettext(REFUSAL_SENTENCES[code]).format(card=italian_card(str(facts["card"])), takes=takes)
