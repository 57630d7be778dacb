"""Plays short matches with fixed ids and secrets when the engine starts. The OpenAPI document shows them as examples.

Each installed game plays a deal with each number of players, and makes its views and sentences. A game that raises an
error is left out before clients can see it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from locanda import messages
from locanda.games.game import AnyDealState, AnyGame
from locanda.games.installed import UnfitGameError
from locanda.games.registry import WIRE_TYPES, is_installed, of_each_game
from locanda.games.rules import GAMES
from locanda.texts.words import game_words, table_words
from services.engine import catalogue
from services.engine.table import fairness, playing, seating
from services.engine.table.match import MatchState
from services.engine.table.state import AnyTable, MoveMade, SeatState, TableSettings, TransitionContext, turn_of
from services.engine.table.view import view

TABLE_ID = "exampleTableExampleABC"
SECRET = bytes(32)
AT = TransitionContext(1_800_000_000_000)
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Ines", "Luca")
MOST_MOVES = 10_000
"""Maximum number of moves in a deal; more count as a deal that never ends."""


class Played(NamedTuple):
    """A move, and the table after the move."""

    made: MoveMade
    table: AnyTable


def options_of(game: AnyGame) -> Any:  # noqa: ANN401  (any game's)
    """Return the options of a game's example."""
    return getattr(WIRE_TYPES[game.name], "EXAMPLE", game.options())


def dealt(game: AnyGame) -> AnyDealState:
    """Return a fresh deal for the fewest players."""
    options = options_of(game)
    deal: AnyDealState = game.deal(options, min(game.seats(options)), 0, SECRET, fairness.shuffle, None)
    return deal


def seated(game: AnyGame, players: int = 0) -> AnyTable:
    """Return a table with this number of players, by default the game's minimum."""
    options = options_of(game)
    names = NAMES[: players or min(game.seats(options))]
    host, *others = (SeatState(name, "person", token=name.encode().ljust(32)) for name in names)
    settings = TableSettings(options, 60, listed=True)
    table = seating.open_table(MatchState(TABLE_ID, 1, SECRET), game, host, settings, AT.now).table
    for other in others:
        table = seating.sit(table, other).table
    return table


def first_move(table: AnyTable) -> Struct:
    """Return the first legal move."""
    move: Struct = GAMES[table.game].moves(table.deal)[0]
    return move


def played(table: AnyTable) -> Iterator[Played]:
    """Yield the first legal move of each turn to the end of the deal. Raises `UnfitGameError` if it does not end."""
    for _ in range(MOST_MOVES):
        turn = turn_of(table)
        if turn is None:
            return
        move = first_move(table)
        table = playing.play(table, turn, move, AT).table
        yield Played(MoveMade(turn, msgspec.to_builtins(move)), table)
    raise UnfitGameError(f"a deal has no end after {MOST_MOVES} moves")


def in_words(seen: messages.Table) -> messages.Table:
    """Return a table, as a client gets it, with sentences for people added."""
    plain = msgspec.json.decode(msgspec.json.encode(seen), type=messages.Table)
    return msgspec.structs.replace(plain, words=table_words(plain, catalogue.details(plain.game), "en"))


def _rehearsed(name: str) -> AnyTable:
    """Return a table of a game whose match has begun. An installed game is rehearsed first."""
    game = GAMES[name]
    if is_installed(name):
        _rehearse(game)
    return playing.start(seated(game), 0, AT).table


def _rehearse(game: AnyGame) -> None:
    """Play a deal with each number of players, and make all its sentences. Raises the errors of the game's code."""
    game_words(catalogue.details(game.name), "it")
    for players in game.seats(options_of(game)):
        table = playing.start(seated(game, players), 0, AT).table
        for shown in (table, *(move.table for move in played(table))):
            _show(shown)


def _show(table: AnyTable) -> None:
    """Make the views of the seat on turn and of a spectator, with sentences; decode the deal from its JSON."""
    game = GAMES[table.game]
    game.from_wire(msgspec.convert(msgspec.to_builtins(game.to_wire(table.deal)), game.wire_type))
    for seat in {turn_of(table), None}:
        in_words(view(table, seat))


STARTED = of_each_game(_rehearsed)
"""A table of each game. Its match has begun."""
