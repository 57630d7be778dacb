"""Who owes the tax to whom (rules 4.1, Tassa; rulings P13 to P15)."""

from collections.abc import Sequence
from typing import TypeAlias

Due: TypeAlias = tuple[int, int, int]
"""Who chooses cards to give, whose hand is drawn from in return, and how many cards go each way."""


def dues(places: Sequence[int], players: int) -> tuple[Due, ...]:
    """Return the taxes after a deal in which the seats took these places: none if they are not the same players."""
    if len(places) != players:
        return ()
    second = ((places[1], places[-2], 1),) if players > 3 else ()
    return ((places[0], places[-1], 2), *second)
