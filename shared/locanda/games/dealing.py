"""Shared by all deals of cards: how a deal begins, how cards leave a hand, and the checks of a posted deal."""

from collections.abc import Sequence
from typing import TypeVar

from locanda.games.game import MalformedDealError

O = TypeVar("O")  # noqa: E741  (options)
T = TypeVar("T")


def begun(options: O, players: int, dealer: int, seed: bytes) -> tuple[O, int, int, bytes, int]:
    """Return the fields of `BaseState` once cards are shuffled and dealt: the seat after the dealer begins."""
    return options, dealer, (dealer + 1) % players, seed, 1


def deal_out(stock: list[int], players: int, dealer: int, per_hand: int) -> list[list[int]]:
    """Take cards from the top of a stock, its end, and deal them one at a time from the seat after the dealer."""
    left = len(stock) - per_hand * players
    dealt = stock[left:][::-1]
    del stock[left:]
    return [dealt[(seat - dealer - 1) % players :: players] for seat in range(players)]


def changed(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return what there is by seat, with one seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def added(sets: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Return what there is by seat, as bit sets, with these cards added to one seat's."""
    return changed(sets, seat, sets[seat] | cards)


def removed(sets: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Return what there is by seat, as bit sets, with these cards removed from one seat's."""
    return changed(sets, seat, sets[seat] & ~cards)


def require_turn(hands: Sequence[int], turn: int | None, played: int) -> None:
    """Raise `MalformedDealError` unless hands have one size, less a card for each seat that has played.

    `turn` is None once all hands are empty, and then only.
    """
    players = len(hands)
    leader = ((turn or 0) - played) % players
    sizes = {hand.bit_count() + ((seat - leader) % players < played) for seat, hand in enumerate(hands)}
    if len(sizes) != 1 or played >= players or (turn is not None) != (max(sizes) > 0):
        raise MalformedDealError("hands: they do not agree with the turn and with what has been played")
