"""What happens in Presidente, and why it does not, in words."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from services.telegram.screens.cards import JOKER, JOKER_SIGN, card, cards
from services.telegram.screens.text import bold, listed
from shared.games import presidente as wire
from shared.games.base import N_
from shared.games.presidente import View
from shared.messages import JsonObject
from shared.translate import Words

Happened: TypeAlias = wire.Taxed | wire.Played | wire.Revolution | wire.Passed | wire.WentOut | wire.TrickWon

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


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    if isinstance(known, wire.DealOver):
        return words.gettext("The deal goes to {name}").format(name=bold(names[known.result.ranking[0][0]]))
    return _played(known, names, words) or _followed(known, names, words)


def _played(event: Happened, names: Sequence[str], words: Words) -> str:
    name = bold(names[event.seat])
    match event:
        case wire.Taxed(partner=partner, count=n):
            text = words.ngettext(
                "Tax: {name} and {partner} swap {n} card", "Tax: {name} and {partner} swap {n} cards", n
            )
            return text.format(name=name, partner=bold(names[partner]), n=n)
        case wire.Played(kind="single", cards=codes):
            return words.gettext("{name} plays {card}").format(name=name, card=cards(codes))
        case wire.Played(kind=kind, cards=codes, joker=joker):
            text = words.gettext("{name} plays {kind}: {cards}")
            return text.format(name=name, kind=words.gettext(KINDS[kind]), cards=combination(codes, joker))
        case wire.Passed():
            return words.gettext("{name} passes").format(name=name)
        case _:
            return ""


def _followed(event: Happened, names: Sequence[str], words: Words) -> str:
    name = bold(names[event.seat])
    match event:
        case wire.Revolution(inverted=inverted):
            now = words.gettext("🔄 Revolution by {name}: the lower card wins")
            back = words.gettext("🔄 Revolution by {name}: the higher card wins again")
            return (now if inverted else back).format(name=name)
        case wire.WentOut(place=place):
            return words.gettext("{name} is out, place {n}").format(name=name, n=place)
        case wire.TrickWon(seat=seat, leader=leader) if leader != seat:
            text = words.gettext("{name} wins the trick, {leader} leads")
            return text.format(name=name, leader=bold(names[leader]))
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
