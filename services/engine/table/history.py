"""What has happened in a deal since the cards were dealt, replayed from its log: the memory of computer players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from services.engine.games.base import AnyDealState, AnyGame
from services.engine.players.base import AnySituation, Situation
from services.engine.table import fairness
from services.engine.table.state import AnyTable, DealStart, MoveMade, game_of


def dealt(game: AnyGame, start: DealStart[Struct]) -> AnyDealState:
    """Return the deal before its first move."""
    match = start.match
    seed = match.deal_seed(match.deal)
    deal: AnyDealState = game.deal(
        start.options, len(match.points), match.dealer, seed, fairness.shuffle, start.previous
    )
    return deal


def public_events(
    table: AnyTable, seat: int, start: DealStart[Struct], made: Sequence[MoveMade]
) -> tuple[Struct, ...] | None:
    """Return the game's events of the deal under way, oldest first; None where the log does not lead to it.

    Whether it does is judged by what the seat sees: nothing that is hidden from it decides.
    """
    game = game_of(table)
    deal = dealt(game, start)
    happened: list[Struct] = []
    for line in made:
        deal, events = game.play(deal, msgspec.convert(line.move, game.move_type), fairness.shuffle)
        happened += events
    return tuple(happened) if game.view(deal, seat) == game.view(table.deal, seat) else None


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's move in a deal that is over, and what the seat knew when it made it."""

    number: int
    """The move's place in the deal, counted from 0."""
    situation: AnySituation
    moves: list[Any]
    """Every legal move."""
    played: Struct


def decisions(game: AnyGame, start: DealStart[Struct], made: Sequence[MoveMade], seat: int) -> Iterator[Decision]:
    """Yield each move of a seat. Raises what the game does where the log is not one of it."""
    deal = dealt(game, start)
    happened: list[Struct] = []
    for number, line in enumerate(made):
        move = msgspec.convert(line.move, game.move_type)
        if line.seat == seat:
            yield Decision(number, Situation(game.view(deal, seat), tuple(happened)), game.moves(deal), move)
        deal, events = game.play(deal, move, fairness.shuffle)
        happened += events


def situation(table: AnyTable, seat: int, events: tuple[Struct, ...] | None) -> AnySituation:
    """Return what a computer player in this seat knows: the seat's view, and the events of the game so far."""
    return Situation(game_of(table).view(table.deal, seat), events)
