"""Presidente's texts: tasks, moves, events and refusals, as `texts.games.GameTexts` asks for."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from locanda.games.base import N_, DealOver, Passed
from locanda.games.presidente import types as wire
from locanda.games.presidente.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER, JOKER_SIGN, card, cards, french_deck_with_joker
from locanda.texts.games import Taps, refusal_sentence
from locanda.texts.phrases import card_count, listed
from locanda.translations import Translations

PlayEvent: TypeAlias = wire.Taxed | wire.Played | wire.Revolution | Passed | wire.WentOut | wire.TrickWon

KINDS = {
    "single": N_("a single card"),
    "pair": N_("a pair"),
    "three": N_("three of a kind"),
    "four": N_("four of a kind"),
    "straight": N_("a straight"),
}

ICON = "🎩"

ENDINGS: dict[str, str] = {
    "first_out": N_("{name} was the first to get rid of all cards."),
    "all_placed": N_("{name} was the first to get rid of all cards, and the others played on for the places."),
}

TITLES: dict[int, tuple[str, ...]] = {
    2: (N_("President"), N_("Doorkeeper")),
    3: (N_("President"), N_("Minister"), N_("Doorkeeper")),
    4: (N_("President"), N_("Vice President"), N_("Bag carrier"), N_("Doorkeeper")),
    5: (N_("President"), N_("Vice President"), N_("Minister"), N_("Bag carrier"), N_("Doorkeeper")),
}

REFUSAL_SENTENCES = {
    "wrong_phase": N_("No tax is due: play your cards."),
    "wrong_phase tax": N_("The tax comes first: choose the cards to give away."),
    "must_lead": N_("You lead this trick: play a card, there is nothing to pass on."),
    "not_a_combination": N_("This cannot be played together: {cards}."),
    "wrong_length": N_("{top} is beaten by {needed} cards, not by {length}."),
    "must_beat": N_("With {cards} you do not beat {top}: it takes something higher."),
    "must_beat True": N_("With {cards} you do not beat {top}: the order is upside down, it takes something lower."),
    "incomplete": N_("Not enough yet. It goes with {cards}."),
}


LABELS = {
    "play": N_("Play"),
    "pass": N_("Pass"),
    "give": N_("Give"),
    "table": N_("On the table"),
    "empty": N_("The table is empty"),
    "leftovers": N_("Left over"),
    "inverted": N_("Upside down: the lower card wins"),
    "tax": N_("Tax"),
    "gone": N_("Played so far"),
    "stands_for": N_("as"),
    "out": N_("out"),
    "sitting_out": N_("out of this round"),
    "known": N_("known to you"),
    "joker": N_("Joker"),
}

deck = french_deck_with_joker


def piles(view: View, names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return labels for the combination on top, and for the cards that were not dealt."""
    rest = cards(view.shown) if view.shown else card_count(view.stock_count, translations)
    return {"table": _top(view, names, translations)} | ({"stock": rest} if view.shown or view.stock_count else {})


def _top(view: View, names: Sequence[str], translations: Translations) -> str:
    if view.table is None:
        leads = view.turn is not None and not view.dues
        return translations.gettext("empty: {name} leads").format(name=names[view.turn or 0]) if leads else "—"
    shown = combination(view.table.cards, view.table.joker)
    if view.last is None:
        return shown
    return translations.gettext("{cards} by {name}").format(cards=shown, name=names[view.last])


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return sentences for an inverted order, the taxes due and the leftover cards."""
    return [line for line in (*in_force(view, names, translations), _left_over(view, translations)) if line]


def in_force(view: View, names: Sequence[str], translations: Translations) -> Iterator[str]:
    """Yield sentences for an inverted order and for the taxes due."""
    if view.inverted:
        yield translations.gettext("🔄 The order is upside down: the lower card wins.")
    yield from _dues(view, names, translations)


def combination(codes: Sequence[str], joker: str | None) -> str:
    """Return a combination in words; if a joker is in a straight, with the card that the joker stands for."""
    stands = f" ({JOKER_SIGN} = {card(joker)})" if joker and JOKER in codes else ""
    return f"{cards(codes)}{stands}"


def points(number: int, translations: Translations) -> str:
    """Return a number of won deals in words."""
    return translations.ngettext("{n} win", "{n} wins", number).format(n=number)


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return the number of cards of a seat, or its place once it has no cards."""
    if seat in view.out:
        return translations.gettext("out, place {n}").format(n=view.out.index(seat) + 1)
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    out = " · " + translations.gettext("out of this round") if seat in view.sitting_out else ""
    return f"{held}{out}"


def secrets(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the cards that the viewer and their partner in the tax know of each other's hands."""
    lines = []
    for fact in view.known:
        if fact.cards and fact.by == view.seat:
            text = translations.gettext("You know that {name} holds {cards}.")
            lines.append(text.format(name=names[fact.seat], cards=cards(fact.cards)))
        elif fact.cards and fact.seat == view.seat:
            text = translations.gettext("{name} knows that you hold {cards}.")
            lines.append(text.format(name=names[fact.by], cards=cards(fact.cards)))
    return lines


def _dues(view: View, names: Sequence[str], translations: Translations) -> Iterator[str]:
    for giver, partner, count in view.dues:
        text = translations.ngettext(
            "Tax: {name} chooses {n} card for {partner}, and gets one by chance in return.",
            "Tax: {name} chooses {n} cards for {partner}, and gets as many by chance in return.",
            count,
        )
        yield text.format(name=names[giver], partner=names[partner], n=count)


def _left_over(view: View, translations: Translations) -> str:
    """Return the cards that were not dealt, or only their number if they are hidden."""
    if view.shown:
        return translations.gettext("Left over: {cards}").format(cards=cards(view.shown))
    if not view.stock_count:
        return ""
    return translations.ngettext(
        "Left over, face down: {n} card", "Left over, face down: {n} cards", view.stock_count
    ).format(n=view.stock_count)


def task(view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:
    """Return the sentence that says what the viewer should do."""
    gettext = translations.gettext
    count = next((len(move["cards"]) for move in moves if move["type"] == "give"), 0)
    if count:
        text = translations.ngettext("Choose {n} card to give away.", "Choose {n} cards to give away.", count)
        return text.format(n=count)
    single = all(len(move["cards"]) == 1 for move in moves if move["type"] == "play")
    if view.table is None:
        return _lead_task(taps, translations, single=single)
    if all(move["type"] != "play" for move in moves):
        text = gettext("Nothing of yours beats {top}: you have to pass.")
    elif taps == "play" and single:
        text = gettext("Beat {top} with a card, or pass.")
    elif taps == "play":
        text = gettext("Beat {top} with a combination below, or pass.")
    elif taps == "select":
        text = gettext("Beat {top}: tap your cards, or pass.")
    else:
        text = gettext("Beat {top}, or pass.")
    return text.format(top=combination(view.table.cards, view.table.joker))


def _lead_task(taps: Taps, translations: Translations, *, single: bool) -> str:
    """Return the sentence for a player who leads. `single` means that all their moves are single cards."""
    if taps == "none":
        return translations.gettext("You lead: play what you like.")
    if single:
        return translations.gettext("You lead: play any card.")
    if taps == "select":
        return translations.gettext("You lead: tap the cards that you want to play.")
    return translations.gettext("You lead with a card, or a combination.")


def move_label(move: JsonObject, _view: View, translations: Translations) -> str:
    """Return the label of a move: its cards, and whether they are given away; or the pass."""
    if move["type"] == "pass":
        return translations.gettext("Pass")
    if move["type"] == "give":
        return translations.gettext("Give {cards}").format(cards=cards(move["cards"]))
    return combination(move["cards"], move.get("joker"))


def event_text(event: wire.Event, names: Sequence[str], translations: Translations) -> str:
    """Return the sentence for an event."""
    if isinstance(event, DealOver):
        return translations.gettext("The deal goes to {name}").format(name=names[event.result.ranking[0][0]])
    return _played(event, names, translations) or _followed(event, names, translations)


def _played(event: PlayEvent, names: Sequence[str], translations: Translations) -> str:
    name = names[event.seat]
    match event:
        case wire.Taxed(partner=partner, count=n):
            text = translations.ngettext(
                "Tax: {name} and {partner} swap {n} card", "Tax: {name} and {partner} swap {n} cards", n
            )
            return text.format(name=name, partner=names[partner], n=n)
        case wire.Played(kind="single", cards=codes):
            return translations.gettext("{name} plays {card}").format(name=name, card=cards(codes))
        case wire.Played(kind=kind, cards=codes, joker=joker):
            text = translations.gettext("{name} plays {kind}: {cards}")
            return text.format(name=name, kind=translations.gettext(KINDS[kind]), cards=combination(codes, joker))
        case Passed():
            return translations.gettext("{name} passes").format(name=name)
        case _:
            return ""


def _followed(event: PlayEvent, names: Sequence[str], translations: Translations) -> str:
    name = names[event.seat]
    match event:
        case wire.Revolution(inverted=inverted):
            now = translations.gettext("🔄 Revolution by {name}: the lower card wins")
            back = translations.gettext("🔄 Revolution by {name}: the higher card wins again")
            return (now if inverted else back).format(name=name)
        case wire.WentOut(place=place):
            return translations.gettext("{name} is out, place {n}").format(name=name, n=place)
        case wire.TrickWon(seat=seat, leader=leader) if leader != seat:
            text = translations.gettext("{name} wins the trick, {leader} leads")
            return text.format(name=name, leader=names[leader])
        case wire.TrickWon():
            return translations.gettext("{name} wins the trick and leads").format(name=name)
        case _:
            return ""


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return the sentence for a refusal."""
    if code in {"incomplete", "tax_count"} and "count" in facts:
        n = facts["count"]
        return translations.ngettext("You give {n} card in all.", "You give {n} cards in all.", n).format(n=n)
    if code == "joker_as":
        return _joker_as(facts, translations)
    kinds = {name: translations.gettext(KINDS[kind]) for name, kind in facts.items() if kind in list(KINDS)}
    return refusal_sentence(wire.NAME, code, facts | kinds, translations)


def _joker_as(facts: JsonObject, translations: Translations) -> str:
    places = [card(code) for code in facts["cards"]]
    if len(places) == 1:
        return translations.gettext("The joker stands for {card}.").format(card=places[0])
    return translations.gettext("The joker may stand for {cards}: choose.").format(cards=listed(places, translations))
