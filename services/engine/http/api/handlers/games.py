"""Handlers of the games' calls: the catalogue, and the rules alone, which store nothing."""

from typing import Any

import msgspec
from msgspec import Struct

from locanda import messages
from services.engine import catalogue
from services.engine.games.base import AnyGame, MalformedDealError
from services.engine.http.server.context import AppContext
from services.engine.service import tokens
from services.engine.service.facade import verdict
from services.engine.service.validation import ImpossibleError, ValidationError, read_move, read_options
from services.engine.table import fairness
from services.engine.table.state import MoveRefusedError

FURTHEST = 999_000
"""The largest count in a posted deal: the counts after its next move must still fit on the wire."""


async def games(_: AppContext) -> messages.Catalogue:
    """Return every game."""
    return messages.Catalogue(catalogue.catalogue())


async def game(_: AppContext, *, game: AnyGame) -> messages.GameDetails:
    """Return one game with its rules."""
    return catalogue.details(game.name)


# --- the rules alone


async def deals(_: AppContext, *, game: AnyGame, body: messages.DealRequest) -> messages.DealBody:
    """Deal the cards."""
    options = read_options(game, body.options)
    _demand_seats(game, options, body)
    seed = tokens.new_secret() if body.seed is None else bytes.fromhex(body.seed)
    deal = game.deal(options, body.seats, body.dealer, seed, fairness.shuffle, None)
    return messages.DealBody(game.to_wire(deal))


async def moves(_: AppContext, *, game: AnyGame, body: messages.DealBody) -> messages.LegalMoves:
    """Return every legal move."""
    deal = _read_deal(game, body.deal)
    return messages.LegalMoves(deal.turn, [msgspec.to_builtins(move) for move in game.moves(deal)])


async def check(_: AppContext, *, game: AnyGame, body: messages.MoveRequest) -> messages.Verdict:
    """Return whether a move is legal, and if not, why."""
    deal, move = _read_deal(game, body.deal), read_move(game, body.move)
    return verdict(game.check(deal, move))


async def play(_: AppContext, *, game: AnyGame, body: messages.MoveRequest) -> messages.PlayAnswer:
    """Make a move."""
    deal, move = _read_deal(game, body.deal), read_move(game, body.move)
    refusal = game.check(deal, move)
    if refusal:
        raise MoveRefusedError(refusal)
    after, events = game.play(deal, move, fairness.shuffle)
    happened = [msgspec.to_builtins(event) for event in events]
    return messages.PlayAnswer(game.to_wire(after), happened, game.result(after))


async def view(_: AppContext, *, game: AnyGame, body: messages.ViewRequest) -> messages.ViewAnswer:
    """Return what a seat, or a spectator, may see."""
    deal = _read_deal(game, body.deal)
    if body.seat is not None and body.seat >= len(body.deal.hands):
        raise ImpossibleError("seat", f"the deal has {len(body.deal.hands)} seats, counted from 0")
    return messages.ViewAnswer(game.view(deal, body.seat))


def _demand_seats(game: AnyGame, options: Struct, asked: messages.DealRequest) -> None:
    """Refuse a number of seats that the options do not admit, and a dealer beyond the seats."""
    admitted = game.seats(options)
    if asked.seats not in admitted:
        raise ImpossibleError("seats", f"these options admit {min(admitted)} to {max(admitted)} players")
    if asked.dealer >= asked.seats:
        raise ImpossibleError("dealer", f"there are {asked.seats} seats, counted from 0")


def _demand_small_counts(record: Struct) -> None:
    """Refuse a count above `FURTHEST`."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        for count in value if isinstance(value, tuple) else (value,):
            if isinstance(count, int) and count > FURTHEST:
                raise ImpossibleError(f"deal.{name}", f"no deal counts further than {FURTHEST}")


def _read_deal(game: AnyGame, record: object) -> Any:  # noqa: ANN401  (each game has its own)
    """Return the deal of a record. Raises `ValidationError` and `ImpossibleError`, which name the field."""
    if not isinstance(record, game.wire_type):
        raise ValidationError("deal.game", f"the path names {game.name}")
    _demand_small_counts(record)
    try:
        return game.from_wire(record)
    except MalformedDealError as error:
        field, _, detail = str(error).partition(": ")
        raise ImpossibleError(f"deal.{field}", detail) from None
