"""Helpers for dealing: the start of a deal, changes of one seat's value, and a check of submitted deals."""

from collections.abc import Sequence
from typing import TypeVar

from locanda.games.game import MalformedDealError

O = TypeVar("O")  # noqa: E741  (stands for options)
T = TypeVar("T")


def begun(options: O, players: int, dealer: int, seed: bytes) -> tuple[O, int, int, bytes, int]:
    """Return the first fields of `BaseState` for a fresh deal; the seat after the dealer begins."""
    return options, dealer, (dealer + 1) % players, seed, 1


def deal_out(stock: list[int], players: int, dealer: int, per_hand: int) -> list[list[int]]:
    """Take cards from the end (top) of the stock, and deal them one at a time from the seat after the dealer."""
    left = len(stock) - per_hand * players
    dealt = stock[left:][::-1]
    del stock[left:]
    return [dealt[(seat - dealer - 1) % players :: players] for seat in range(players)]


def changed(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return values by seat with one seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def added(sets: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Return bit sets by seat with cards added to the set of one seat."""
    return changed(sets, seat, sets[seat] | cards)


def removed(sets: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Return bit sets by seat with cards removed from one seat's set."""
    return changed(sets, seat, sets[seat] & ~cards)


def require_turn(hands: Sequence[int], turn: int | None, played: int) -> None:
    """Raise `MalformedDealError` unless all hands have the same size, minus one card for each seat that has played.

    `turn` must be None if, and only if, all hands are empty.
    """
    players = len(hands)
    leader = ((turn or 0) - played) % players
    sizes = {hand.bit_count() + ((seat - leader) % players < played) for seat, hand in enumerate(hands)}
    if len(sizes) != 1 or played >= players or (turn is not None) != (max(sizes) > 0):
        raise MalformedDealError("hands: they do not agree with the turn and with what has been played")
