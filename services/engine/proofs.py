"""The proof of a finished deal: everything that a stranger needs to deal it again."""

import msgspec
from msgspec import Struct

from services.engine import fairness
from services.engine.errors import NoSuchDealError
from services.engine.games.game import AnyGame
from services.engine.table.state import DealStart, MoveMade
from shared.messages import PlayedMove, Proof


def prove(game: AnyGame, start: DealStart[Struct], made: list[MoveMade]) -> Proof:
    """Return the proof of a deal from its log. Raises `NoSuchDealError` where it was not played to its end."""
    match = start.match
    seed = match.deal_seed(match.deal)
    dealt = game.deal(start.options, len(match.points), match.dealer, seed, fairness.shuffle, start.previous)
    over = dealt
    for line in made:
        over, _ = game.play(over, msgspec.convert(line.move, game.move_type), fairness.shuffle)
    result = game.result(over)
    if result is None:
        raise NoSuchDealError
    return Proof(
        table=match.table,
        game=game.name,
        rules=start.rules,
        match=match.number,
        deal=match.deal,
        commitment=match.commitment,
        server_seed=match.server_seed.hex(),
        client_seeds=match.client_seeds,
        seed=seed.hex(),
        start=game.record(dealt),
        moves=[PlayedMove(line.seat, line.move) for line in made],
        result=result,
    )
