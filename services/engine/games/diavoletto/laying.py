"""How a card moves: out of its place, on to a build or a column; a build that reaches the King is set aside."""

from typing import TypeVar

from msgspec import UnsetType, structs

from services.engine.games.diavoletto.cards import CARDS, KING, SINGLE, codes
from services.engine.games.diavoletto.state import Deal, with_seat
from shared.cards import RANKS
from shared.games.diavoletto import Build, Built, Completed, Discard, Discarded, Event

T = TypeVar("T")


def build(deal: Deal, seat: int, move: Build) -> tuple[Deal, list[Event]]:
    """Move a card to a build."""
    return _lay(_take(deal, seat, move), seat, move, CARDS[move.card])


def discard(deal: Deal, seat: int, move: Discard) -> tuple[Deal, list[Event]]:
    """Move a card from the hand to a column."""
    number, card = _whole(move.column), CARDS[move.card]
    discarded = structs.replace(
        deal,
        hands=with_seat(deal.hands, seat, _without(deal.hands[seat], card)),
        columns=_with_column(deal, seat, number, deal.columns[seat][number] + SINGLE[card]),
        moved=True,
    )
    return discarded, [Discarded(seat, move.card, number)]


def _take(deal: Deal, seat: int, move: Build) -> Deal:
    """Take a card from where it lies."""
    if move.column is not None:
        return structs.replace(
            deal, columns=_with_column(deal, seat, move.column, deal.columns[seat][move.column][:-1])
        )
    if move.source == "hand":
        hand = _without(deal.hands[seat], CARDS[move.card])
        return structs.replace(deal, hands=with_seat(deal.hands, seat, hand))
    mazzetti = with_seat(deal.mazzetti, seat, deal.mazzetti[seat][:-1])
    return structs.replace(deal, mazzetti=mazzetti, advanced=True, refills=0)


def _lay(deal: Deal, seat: int, move: Build, card: int) -> tuple[Deal, list[Event]]:
    """Put a card on a build, or open one with it."""
    builds, goal = list(deal.builds), _whole(move.build)
    number = len(builds) if goal is None else goal
    pile = SINGLE[card] if goal is None else builds[number] + SINGLE[card]
    builds[number:] = [pile, *builds[number + 1 :]]
    events: list[Event] = [Built(seat, move.source, move.card, move.column, number, RANKS[len(pile) - 1])]
    if len(pile) <= KING:
        return structs.replace(deal, builds=tuple(builds), moved=True), events
    del builds[number]
    events.append(Completed(number, codes(pile)))
    return structs.replace(deal, builds=tuple(builds), aside=deal.aside + pile, moved=True), events


def _without(hand: bytes, card: int) -> bytes:
    return hand.replace(SINGLE[card], b"", 1)


def _with_column(deal: Deal, seat: int, number: int, column: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    columns = deal.columns[seat]
    return with_seat(deal.columns, seat, (*columns[:number], column, *columns[number + 1 :]))


def _whole(part: T | UnsetType) -> T:
    """Return a part of a move that `check` has admitted, and that is therefore there."""
    if isinstance(part, UnsetType):
        raise TypeError("the move is half made")
    return part
