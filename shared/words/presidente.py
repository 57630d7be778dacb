"""What happens in Presidente, and why it does not, in words."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from shared.games import presidente as wire
from shared.games.base import N_, DealOver, Passed
from shared.games.presidente import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import JOKER, JOKER_SIGN, card, cards
from shared.words.phrases import listed

Happened: TypeAlias = wire.Taxed | wire.Played | wire.Revolution | Passed | wire.WentOut | wire.TrickWon

KINDS = {
    "single": N_("a single card"),
    "pair": N_("a pair"),
    "three": N_("three of a kind"),
    "four": N_("four of a kind"),
    "straight": N_("a straight"),
}

REFUSALS = {
    "wrong_phase": N_("No tax is due: play your cards."),
    "wrong_phase tax": N_("The tax comes first: choose the cards to give away."),
    "must_lead": N_("You lead this trick: play a card, there is nothing to pass on."),
    "not_in_hand": N_("You do not hold {card}."),
    "unbeatable": N_("Nothing beats {top}."),
    "not_a_combination": N_("This cannot be played together: {cards}."),
    "wrong_kind": N_("That is {kind}: {top} is beaten only by {needed}."),
    "wrong_length": N_("{top} is beaten by {needed} cards, not by {length}."),
    "must_beat": N_("{cards} does not beat {top}: it takes something higher."),
    "must_beat True": N_("{cards} does not beat {top}: the order is upside down, it takes something lower."),
    "finish_ban": N_("These may not be your last cards: {cards}."),
    "incomplete": N_("Not enough yet: with it go {cards}."),
}


def combination(codes: Sequence[str], joker: str | None) -> str:
    """Return cards that are played together; of a joker in a straight, also what it stands for."""
    stands = f" ({JOKER_SIGN} = {card(joker)})" if joker and JOKER in codes else ""
    return f"{cards(codes)}{stands}"


def points(number: int, words: Words) -> str:
    """Return how many deals somebody has won."""
    return words.ngettext("{n} win", "{n} wins", number).format(n=number)


def tally(view: View, seat: int, words: Words) -> str:
    """Return how many cards a seat holds, or its place once it is out."""
    if seat in view.out:
        return words.gettext("out, place {n}").format(n=view.out.index(seat) + 1)
    held = words.gettext("{n} in hand").format(n=view.counts[seat])
    out = " · " + words.gettext("out of this round") if seat in view.sitting_out else ""
    return f"{held}{out}"


def secrets(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Return what the tax has told the viewer of a partner's hand, and the partner of his."""
    lines = []
    for fact in view.known:
        if fact.cards and fact.by == view.seat:
            text = words.gettext("You know that {name} holds {cards}.")
            lines.append(text.format(name=names[fact.seat], cards=cards(fact.cards)))
        elif fact.cards and fact.seat == view.seat:
            text = words.gettext("{name} knows that you hold {cards}.")
            lines.append(text.format(name=names[fact.by], cards=cards(fact.cards)))
    return lines


def dues(view: View, names: Sequence[str], words: Words) -> Iterator[str]:
    """Yield the taxes that are owed."""
    for giver, partner, count in view.dues:
        text = words.ngettext(
            "Tax: {name} chooses {n} card for {partner}, and gets one by chance in return.",
            "Tax: {name} chooses {n} cards for {partner}, and gets as many by chance in return.",
            count,
        )
        yield text.format(name=names[giver], partner=names[partner], n=count)


def left_over(view: View, words: Words) -> str:
    """Return the cards that nobody was dealt, or how many there are."""
    if view.shown:
        return words.gettext("Left over: {cards}").format(cards=cards(view.shown))
    if not view.stock_count:
        return ""
    return words.ngettext("Left over, face down: {n} card", "Left over, face down: {n} cards", view.stock_count).format(
        n=view.stock_count
    )


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    if isinstance(known, DealOver):
        return words.gettext("The deal goes to {name}").format(name=names[known.result.ranking[0][0]])
    return _played(known, names, words) or _followed(known, names, words)


def _played(event: Happened, names: Sequence[str], words: Words) -> str:
    name = names[event.seat]
    match event:
        case wire.Taxed(partner=partner, count=n):
            text = words.ngettext(
                "Tax: {name} and {partner} swap {n} card", "Tax: {name} and {partner} swap {n} cards", n
            )
            return text.format(name=name, partner=names[partner], n=n)
        case wire.Played(kind="single", cards=codes):
            return words.gettext("{name} plays {card}").format(name=name, card=cards(codes))
        case wire.Played(kind=kind, cards=codes, joker=joker):
            text = words.gettext("{name} plays {kind}: {cards}")
            return text.format(name=name, kind=words.gettext(KINDS[kind]), cards=combination(codes, joker))
        case Passed():
            return words.gettext("{name} passes").format(name=name)
        case _:
            return ""


def _followed(event: Happened, names: Sequence[str], words: Words) -> str:
    name = names[event.seat]
    match event:
        case wire.Revolution(inverted=inverted):
            now = words.gettext("🔄 Revolution by {name}: the lower card wins")
            back = words.gettext("🔄 Revolution by {name}: the higher card wins again")
            return (now if inverted else back).format(name=name)
        case wire.WentOut(place=place):
            return words.gettext("{name} is out, place {n}").format(name=name, n=place)
        case wire.TrickWon(seat=seat, leader=leader) if leader != seat:
            text = words.gettext("{name} wins the trick, {leader} leads")
            return text.format(name=name, leader=names[leader])
        case wire.TrickWon():
            return words.gettext("{name} wins the trick and leads").format(name=name)
        case _:
            return ""


def refusal(code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], words: Words) -> str:
    """Return in words why the engine refused a move."""
    if code in {"incomplete", "tax_count"} and "count" in facts:
        n = facts["count"]
        return words.ngettext("You give {n} card in all.", "You give {n} cards in all.", n).format(n=n)
    if code == "joker_as":
        return _joker_as(facts, words)
    text = REFUSALS.get(f"{code} {facts.get('phase', facts.get('inverted', ''))}", REFUSALS.get(code, ""))
    return words.gettext(text).format(**_shown(facts, words)) if text else ""


def _joker_as(facts: JsonObject, words: Words) -> str:
    places = [card(code) for code in facts["cards"]]
    if len(places) == 1:
        return words.gettext("The joker stands for {card}.").format(card=places[0])
    return words.gettext("The joker may stand for {cards}: choose.").format(cards=listed(places, words))


def _shown(facts: JsonObject, words: Words) -> dict[str, str]:
    shown = {name: str(value) for name, value in facts.items()}
    shown |= {name: cards(facts[name]) for name in ("cards", "top") if name in facts}
    shown |= {name: words.gettext(KINDS[facts[name]]) for name in ("kind", "needed") if facts.get(name) in KINDS}
    return shown | ({"card": card(facts["card"])} if "card" in facts else {})
