"""The effects of moves: builds, columns, refills, the end of a turn and of the deal; and the result."""

from typing import TypeVar

from msgspec import UnsetType, structs

from locanda.cards import RANKS
from locanda.games.base import Result
from locanda.games.diavoletto.deal import CARDS, CODES, KING, SINGLE, codes, draw, redeal, with_seat
from locanda.games.diavoletto.types import (
    Build,
    Built,
    Columns,
    Completed,
    DealState,
    Discard,
    Discarded,
    Ended,
    Event,
    Exposed,
    Move,
)
from locanda.games.game import Shuffle

T = TypeVar("T")

STALLED = 2
"""Number of consecutive turns without a card moved that make a deadlock: one for each seat."""

MOST_REDEALS = 2


def play(deal: DealState, seat: int, move: Move, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    if isinstance(move, Build):
        return _build(deal, seat, move, shuffle)
    if isinstance(move, Discard):
        return _discard(deal, seat, move, shuffle)
    return _end_turn(deal, seat, deal.hands, deal.columns, [Ended(seat)], shuffle)


def _build(deal: DealState, seat: int, move: Build, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    built, events = _lay(_take(deal, seat, move), seat, move, CARDS[move.card])
    if move.source == "mazzetto":
        return _expose(built, seat, events)
    if move.source == "hand" and not built.hands[seat] and (built.stock or built.aside):
        return _refill(built, seat, events, shuffle)
    return built, events


def _expose(deal: DealState, seat: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Turn up the next card of the mazzetto; if the mazzetto is empty, the deal is over."""
    mazzetto = deal.mazzetti[seat]
    if not mazzetto:
        return structs.replace(deal, turn=None), events
    events.append(Exposed(seat, CODES[mazzetto[-1]]))
    return deal, events


def _refill(deal: DealState, seat: int, events: list[Event], shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Draw a new hand during the turn (ruling D9). Each refill counts as a turn without progress, so that turns end."""
    refilled = structs.replace(deal, refills=deal.refills + 1)
    if _idle(refilled) >= deal.options.no_progress_turns:
        return _deadlock(refilled, seat, events, shuffle)
    return draw(refilled, seat, events, shuffle), events


def _idle(deal: DealState) -> int:
    """Return the turns and refills since a mazzetto card was last played, without the current turn."""
    return deal.refills + (0 if deal.advanced else deal.barren)


def _discard(deal: DealState, seat: int, move: Discard, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Move a card from the hand to a column, which ends the turn."""
    number, card = _whole(move.column), CARDS[move.card]
    hands = with_seat(deal.hands, seat, _without(deal.hands[seat], card))
    columns = _with_column(deal, seat, number, deal.columns[seat][number] + SINGLE[card])
    return _end_turn(deal, seat, hands, columns, [Discarded(seat, move.card, number)], shuffle)


def _end_turn(
    deal: DealState,
    seat: int,
    hands: tuple[bytes, bytes],
    columns: tuple[Columns, Columns],
    events: list[Event],
    shuffle: Shuffle,
) -> tuple[DealState, list[Event]]:
    """Pass the turn to the other seat, or handle a deadlock: too many turns without a move or without progress.

    `hands` and `columns` already include the discard that ends the turn, if there is one.
    """
    ended = structs.replace(
        deal,
        hands=hands,
        columns=columns,
        stalled=0 if deal.moved or columns is not deal.columns else deal.stalled + 1,
        barren=_idle(deal) + (not deal.advanced),
        moved=False,
        advanced=False,
        refills=0,
    )
    if ended.stalled >= STALLED or ended.barren >= deal.options.no_progress_turns:
        return _deadlock(ended, seat, events, shuffle)
    return draw(ended, 1 - seat, events, shuffle), events


def _deadlock(deal: DealState, seat: int, events: list[Event], shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """End the deal, or deal new cards (option `deadlock`, ruling D12). In both cases the current turn ends."""
    if deal.options.deadlock == "redeal" and deal.redeals < MOST_REDEALS:
        return draw(redeal(deal, events, shuffle), 1 - seat, events, shuffle), events
    return structs.replace(deal, turn=None), events


def _take(deal: DealState, seat: int, move: Build) -> DealState:
    """Remove the move's card from its place in the hand, the mazzetto or a column."""
    if move.column is not None:
        return structs.replace(
            deal, columns=_with_column(deal, seat, move.column, deal.columns[seat][move.column][:-1])
        )
    if move.source == "hand":
        hand = _without(deal.hands[seat], CARDS[move.card])
        return structs.replace(deal, hands=with_seat(deal.hands, seat, hand))
    mazzetti = with_seat(deal.mazzetti, seat, deal.mazzetti[seat][:-1])
    return structs.replace(deal, mazzetti=mazzetti, advanced=True, refills=0)


def _lay(deal: DealState, seat: int, move: Build, card: int) -> tuple[DealState, list[Event]]:
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


def _with_column(deal: DealState, seat: int, number: int, column: bytes) -> tuple[Columns, Columns]:
    columns = deal.columns[seat]
    return with_seat(deal.columns, seat, (*columns[:number], column, *columns[number + 1 :]))


def _whole(part: T | UnsetType) -> T:
    """Return a field of a move that is set in every legal move. Raises `TypeError` if the field is not set."""
    if isinstance(part, UnsetType):
        raise TypeError("the move is half made")
    return part


# --- points and ranking


def score(deal: DealState) -> Result:
    """Rank the seats. An empty mazzetto wins. In a deadlock the shorter mazzetto wins, or nobody does (ruling D12)."""
    left = [len(mazzetto) for mazzetto in deal.mazzetti]
    emptied = 0 in left
    if left[0] == left[1] or (deal.options.deadlock == "draw" and not emptied):
        return Result(((0, 1),), (0, 0), "deadlock")
    winner = int(left[1] < left[0])
    points = left[1 - winner] if deal.options.score == "cards_left" else 1
    return Result(
        ((winner,), (1 - winner,)), (0, points) if winner else (points, 0), "emptied" if emptied else "deadlock"
    )
