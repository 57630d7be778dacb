"""Full deals that agree with all that a seat knows; what it does not know is drawn at random."""

from random import Random

from msgspec import structs

from locanda.cards import mask, members
from locanda.games.gatto_rosso import Event, View
from services.engine.games.gatto_rosso.state import DealState
from services.engine.games.gatto_rosso.view import determinize
from services.engine.players.base import Situation
from services.engine.players.gatto_rosso.knowledge import Knowledge, knowledge

SWEEPS = 2
"""How often every slot's card is offered for exchange, where the slots of several seats compete for cards."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a deal that agrees with the situation."""
    view = situation.view
    known = knowledge(situation)
    placed, rest = draw(known, rng)
    hands = [0 if seat == view.seat else cards for seat, cards in enumerate(hands_of(known, placed, len(view.counts)))]
    deal = determinize(view, rng)
    full = tuple(deal.hands[seat] if seat == view.seat else cards for seat, cards in enumerate(hands))
    return structs.replace(deal, hands=full, stock=bytes(rest[: view.stock_count]))


def hands_of(known: Knowledge, placed: list[int], players: int) -> list[int]:
    """Return the hands, as bit sets, that these cards in the slots make; the own hand is empty."""
    hands = [0] * players
    for slot, card in zip(known.slots, placed, strict=True):
        hands[slot.seat] |= 1 << card
    return hands


def draw(known: Knowledge, rng: Random) -> tuple[list[int], list[int]]:
    """Return a card for each slot, and the other hidden cards in random order."""
    placed: list[int] = []
    left = known.hidden
    for slot in known.slots[: known.bound]:
        choice = members(left & slot.allowed)
        card = choice[int(rng.random() * len(choice))] if choice else _make_room(known, placed, left)
        placed.append(card)
        left ^= 1 << card
        if not choice:
            left = known.hidden & ~mask(placed)
    rest = members(left)
    rng.shuffle(rest)
    free = len(known.slots) - known.bound
    placed += rest[:free]
    rest = rest[free:]
    if known.contested:
        _exchange(known, placed, rest, rng)
    return placed, rest


def _make_room(known: Knowledge, placed: list[int], left: int) -> int:
    """Return a card for the next slot, to which cards of slots before it give way: an augmenting path of a matching.

    In a deal that was played by the rules there always is one. A posted position may contradict itself; then any card
    must do.
    """
    card = _give_way(known, placed, len(placed), left, set())
    return members(left)[0] if card is None else card


def _give_way(known: Knowledge, placed: list[int], wanting: int, left: int, tried: set[int]) -> int | None:
    for number, card in enumerate(placed):
        if number in tried or not known.slots[wanting].allowed >> card & 1:
            continue
        tried.add(number)
        choice = left & known.slots[number].allowed
        other = members(choice)[0] if choice else _give_way(known, placed, number, left, tried)
        if other is not None:
            placed[number] = other
            return card
    return None


def _exchange(known: Knowledge, placed: list[int], rest: list[int], rng: Random) -> None:
    """Exchange cards at random wherever the proofs admit it: in the limit, every deal that agrees is equally likely."""
    slots, held = known.slots, len(placed)
    for _ in range(SWEEPS):
        for number in range(known.bound):
            other = int(rng.random() * (held + len(rest)))
            mine = placed[number]
            theirs = placed[other] if other < held else rest[other - held]
            if not slots[number].allowed >> theirs & 1:
                continue
            if other >= held:
                placed[number], rest[other - held] = theirs, mine
            elif slots[other].allowed >> mine & 1:
                placed[number], placed[other] = theirs, mine
