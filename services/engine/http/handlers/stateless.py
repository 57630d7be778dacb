"""The rules alone: deals go in, deals come out, nothing is stored."""

from typing import Any

import msgspec
from msgspec import Struct

from services.engine import fairness, tokens
from services.engine.faults import FaultError, ImpossibleError
from services.engine.games.game import AnyGame, MalformedDealError
from services.engine.http import bodies, parsing
from services.engine.http.answers import Answer, encoded
from services.engine.http.request import Request
from services.engine.reading import read_move, read_options
from services.engine.service import verdict
from services.engine.table.state import IllegalMoveError
from shared import messages

FURTHEST = 999_000
"""How far the counts of a posted deal may have come: what follows must still fit on the wire."""


async def deals(request: Request) -> Answer:
    """Deal the cards."""
    game, asked = parsing.game(request), await bodies.body(request, messages.DealRequest)
    options = read_options(game, asked.options)
    _demand_seats(game, options, asked)
    seed = tokens.new_secret() if asked.seed is None else bytes.fromhex(asked.seed)
    deal = game.deal(options, asked.seats, asked.dealer, seed, fairness.shuffle, None)
    return encoded(messages.DealBody(game.record(deal)))


async def moves(request: Request) -> Answer:
    """Return every legal move."""
    game, asked = parsing.game(request), await bodies.body(request, messages.DealBody)
    deal = _read_deal(game, asked.deal)
    legal = [msgspec.to_builtins(move) for move in game.moves(deal)]
    return encoded(messages.LegalMoves(deal.turn, legal))


async def check(request: Request) -> Answer:
    """Tell whether a move is legal, and if not, why."""
    game, asked = parsing.game(request), await bodies.body(request, messages.MoveRequest)
    deal, move = _read_deal(game, asked.deal), read_move(game, asked.move)
    return encoded(verdict(game.check(deal, move)))


async def play(request: Request) -> Answer:
    """Make a move."""
    game, asked = parsing.game(request), await bodies.body(request, messages.MoveRequest)
    deal, move = _read_deal(game, asked.deal), read_move(game, asked.move)
    refusal = game.check(deal, move)
    if refusal:
        raise IllegalMoveError(refusal)
    after, events = game.play(deal, move, fairness.shuffle)
    happened = [msgspec.to_builtins(event) for event in events]
    return encoded(messages.PlayAnswer(game.record(after), happened, game.result(after)))


async def view(request: Request) -> Answer:
    """Return what a seat, or a spectator, may see."""
    game, asked = parsing.game(request), await bodies.body(request, messages.ViewRequest)
    deal = _read_deal(game, asked.deal)
    if asked.seat is not None and asked.seat >= len(asked.deal.hands):
        raise ImpossibleError("seat", f"the deal has {len(asked.deal.hands)} seats, counted from 0")
    return encoded(messages.ViewAnswer(game.view(deal, asked.seat)))


def _demand_seats(game: AnyGame, options: Struct, asked: messages.DealRequest) -> None:
    admitted = game.seats(options)
    if asked.seats not in admitted:
        raise ImpossibleError("seats", f"these options admit {min(admitted)} to {max(admitted)} players")
    if asked.dealer >= asked.seats:
        raise ImpossibleError("dealer", f"there are {asked.seats} seats, counted from 0")


def _demand_room(record: Struct) -> None:
    """Refuse a count so high that the next move would take it past what the wire can say."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        for count in value if isinstance(value, tuple) else (value,):
            if isinstance(count, int) and count > FURTHEST:
                raise ImpossibleError(f"deal.{name}", f"no deal counts further than {FURTHEST}")


def _read_deal(game: AnyGame, record: Struct) -> Any:  # noqa: ANN401  (each game has its own)
    """Return the deal inside. Raises `FaultError` and `ImpossibleError`, which name the field."""
    if not isinstance(record, game.record_type):
        raise FaultError("deal.game", f"the path names {game.name}")
    _demand_room(record)
    try:
        return game.read(record)
    except MalformedDealError as error:
        field, _, detail = str(error).partition(": ")
        raise ImpossibleError(f"deal.{field}", detail) from None
