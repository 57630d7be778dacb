"""Replays a deal's log, to get the events since the cards were dealt, for computer players and reviews."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from locanda.games.game import AnyDealState, AnyGame
from locanda.games.players import AnySituation, Situation
from services.engine.table import fairness
from services.engine.table.state import AnyTable, DealStart, MoveMade, game_of

MOVES_AT_ONCE = 20
"""Number of moves that are replayed before other work may run. They take a quarter of a millisecond."""


def dealt(game: AnyGame, start: DealStart[Struct]) -> AnyDealState:
    """Return the deal before its first move."""
    match = start.match
    seed = match.deal_seed(match.deal)
    deal: AnyDealState = game.deal(
        start.options, len(match.points), match.dealer, seed, fairness.shuffle, start.previous
    )
    return deal


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal after some moves of its log, with the events so far."""

    deal: AnyDealState
    events: tuple[Struct, ...] = ()
    """The game's events since the cards were dealt, oldest first."""


def replay(game: AnyGame, before: Replay, made: Sequence[MoveMade]) -> Replay:
    """Return the replay after more moves. Raises the game's errors for illegal moves."""
    deal, happened = before.deal, [*before.events]
    for line in made:
        deal, events = game.play(deal, msgspec.convert(line.move, game.move_type), fairness.shuffle)
        happened += events
    return Replay(deal, tuple(happened))


def leads_to(replay: Replay, table: AnyTable, seat: int) -> bool:
    """Return whether a replay leads to the table's current deal, by comparing the seat's views."""
    game = game_of(table)
    return bool(game.view(replay.deal, seat) == game.view(table.deal, seat))


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's move in a finished deal, and what the seat knew at that time."""

    number: int
    """The move's index in the deal, from 0."""
    situation: AnySituation
    moves: list[Any]
    played: Struct


def decisions(game: AnyGame, start: DealStart[Struct], made: Sequence[MoveMade], seat: int) -> Iterator[Decision]:
    """Yield the decision of each move of a seat. Raises the game's errors for an invalid log."""
    deal = dealt(game, start)
    happened: list[Struct] = []
    for number, line in enumerate(made):
        move = msgspec.convert(line.move, game.move_type)
        if line.seat == seat:
            yield Decision(number, Situation(game.view(deal, seat), tuple(happened)), game.moves(deal), move)
        deal, events = game.play(deal, move, fairness.shuffle)
        happened += events


def situation(table: AnyTable, seat: int, events: tuple[Struct, ...] | None) -> AnySituation:
    """Return what a computer player in this seat knows: its view, and the game's events so far."""
    return Situation(game_of(table).view(table.deal, seat), events)
