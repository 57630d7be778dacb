"""Gatto Rosso Gatto Grigio's texts: tasks, events, refusals and piles, as `texts.games.GameTexts` asks for."""

from collections.abc import Iterator, Sequence

from locanda.games.base import N_, Passed
from locanda.games.gatto_rosso import types as wire
from locanda.games.gatto_rosso.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import card, cards, french_deck, in_order
from locanda.texts.games import Taps, refusal_sentence
from locanda.texts.phrases import card_count, listed
from locanda.translations import Translations

ICON = "🐈"

ENDINGS: dict[str, str] = {
    "closed": N_("{closer} plays the last card and closes."),
    "emptied": N_("The stock is finished, and not everybody has a card left: the deal ends."),
}

REFUSAL_SENTENCES = {
    "must_beat": N_("{card} does not beat {top}."),
    "must_lead": N_("You lead this trick: play a card, there is nothing to pass on."),
}

LABELS = {
    "play": N_("Play"),
    "pass": N_("Pass"),
    "table": N_("On the table"),
    "empty": N_("The table is empty"),
    "trick": N_("Trick"),
    "captured": N_("Captured cards"),
    "sitting_out": N_("out of this trick"),
}

deck = french_deck


def piles(view: View, names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return labels for the trick, top card last, and for the stock."""
    stock = card_count(view.stock_count, translations)
    finished = translations.gettext("finished: the first to run out of cards ends the deal")
    return {"table": _trick(view, names, translations), "stock": stock if view.stock_count else finished}


def _trick(view: View, names: Sequence[str], translations: Translations) -> str:
    if not view.table:
        leader = "" if view.turn is None else names[view.turn]
        return translations.gettext("empty: {name} leads").format(name=leader) if leader else "—"
    below = f"{cards(view.table[:-1])} ▸ " if view.table[:-1] else ""
    trick = f"{below}{card(view.table[-1])}"
    if view.last is None:
        return trick
    return translations.gettext("{cards} by {name}").format(cards=trick, name=names[view.last])


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds and has captured."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    out = " · " + translations.gettext("out of this trick") if seat in view.sitting_out else ""
    return f"{held} · {points(view.captured[seat], translations)}{out}"


def points(number: int, translations: Translations) -> str:
    """Return a number of captured cards in words."""
    return translations.ngettext("{n} card captured", "{n} cards captured", number).format(n=number)


def task(view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:  # noqa: ARG001
    """Return the sentence that says what the viewer should do; `taps` makes no difference."""
    useful = playable(moves)
    if not view.table:
        return translations.gettext("You lead: play any card.")
    top = card(view.table[-1])
    if not view.hand:
        return translations.gettext("You are out of cards: you have to pass.")
    if not useful:
        return translations.gettext("Nothing of yours beats {top}: you have to pass.").format(top=top)
    which = listed((card(code) for code in useful), translations)
    return translations.gettext("Beat {top}: you can with {cards}.").format(top=top, cards=which)


def event_text(event: wire.Event, names: Sequence[str], translations: Translations) -> str:
    """Return the sentence for an event."""
    match event:
        case wire.Played(seat, code):
            return translations.gettext("{name} plays {card}").format(name=names[seat], card=card(code))
        case Passed(seat):
            return translations.gettext("{name} passes").format(name=names[seat])
        case wire.TrickTaken(seat, taken) if seat is None:
            text = translations.ngettext("Nobody takes the last card", "Nobody takes the last {n} cards", len(taken))
            return text.format(n=len(taken))
        case wire.TrickTaken(int(seat), taken):
            text = translations.ngettext(
                "{name} takes the trick: {n} card", "{name} takes the trick: {n} cards", len(taken)
            )
            return text.format(name=names[seat], n=len(taken))
        case _:
            return ""


def refusal_text(
    code: str, facts: JsonObject, view: View | None, moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return the sentence for a refusal. For a card that is too low, it includes the rule and the playable cards."""
    if "cards" in facts:
        facts = facts | {"cards": listed(map(card, facts["cards"]), translations)}
    text = refusal_sentence(wire.NAME, code, facts, translations)
    return " ".join([text, *_advice(view, moves, translations)]) if code == "must_beat" else text


def _advice(view: View | None, moves: Sequence[JsonObject], translations: Translations) -> Iterator[str]:
    if view is not None and not view.options.cats and not view.options.three_suits:
        yield translations.gettext("It takes a higher card of its suit, or one of the next suit (♥ ♦ ♣ ♠ ♥).")
    useful = listed((card(code) for code in playable(moves)), translations)
    advice = translations.gettext("You can play {cards}.").format(cards=useful)
    yield advice if useful else translations.gettext("You have to pass.")


def playable(moves: Sequence[JsonObject]) -> list[str]:
    """Return the playable cards by suit and rank."""
    return in_order(move["card"] for move in moves if move["type"] == "play")
