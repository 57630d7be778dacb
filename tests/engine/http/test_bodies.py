"""Bodies that are nearly right, in every call and every game: the answer is a documented one, and soon."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from services.engine.fairness import shuffle
from services.engine.games.registry import GAMES
from services.engine.http.problems import KINDS
from services.engine.http.routes import ROUTES
from tests.engine.http.house import Answer, House, Players, gather
from tests.engine.http.oddities import Oddity, applied, oddities
from tests.engine.http.wire import PATIENCE

ROUTES_OF = {(route.method, route.path): route for route in ROUTES}
CAREFUL = {"X-Content-Type-Options": "nosniff", "Server": "locanda", "Referrer-Policy": "no-referrer"}


class Call(NamedTuple):
    """A call with a body that it takes."""

    method: Literal["POST", "PUT", "PATCH"]
    route: str
    body: Any


def stateless(name: str) -> Iterator[Call]:
    """The calls of the rules alone, with a deal under way and a move of it."""
    game, rng = GAMES[name], Random(name)
    seats = min(game.seats(game.options()))
    deal = game.deal(game.options(), seats, 0, bytes(32), shuffle, None)
    for _ in range(9):
        deal, _ = game.play(deal, rng.choice(game.moves(deal)), shuffle)
    posted, move = msgspec.to_builtins(game.record(deal)), msgspec.to_builtins(game.moves(deal)[-1])
    path = "/v1/games/{game}"
    options = msgspec.to_builtins(game.options())
    yield Call("POST", f"{path}/deals", {"options": options, "seats": seats, "dealer": 0, "seed": "0" * 64})
    yield Call("POST", f"{path}/moves", {"deal": posted})
    yield Call("POST", f"{path}/view", {"deal": posted, "seat": 1})
    yield from (Call("POST", f"{path}/{call}", {"deal": posted, "move": move}) for call in ("check", "play"))


def on_tables(name: str, move: Any) -> Iterator[Call]:
    """The calls on tables."""
    options = msgspec.to_builtins(GAMES[name].options())
    path = "/v1/tables/{table}"
    terms = {"options": options, "turn_seconds": 30, "listed": True}
    yield Call("POST", "/v1/tables", {"game": name, "name": "Anna", **terms})
    yield Call("PATCH", path, terms)
    yield Call("POST", f"{path}/seats", {"name": "Zoe", "kind": "computer", "level": "plain"})
    yield Call("POST", f"{path}/seats", {"name": "Zoe", "client_seed": "z"})
    yield Call("PUT", f"{path}/seats/{{seat}}/seed", {"client_seed": "z"})
    yield from (Call("POST", f"{path}/{call}", {"move": move}) for call in ("moves", "moves/check"))
    yield from (Call("POST", f"{path}/{call}", {}) for call in ("start", "seats/{seat}/return"))


async def answered(players: Players, name: str, call: Call, octets: bytes) -> Answer:
    """Send bytes in the place of a call's body."""
    path = call.route.format(game=name, table=players.table, seat=0)
    async with asyncio.timeout(PATIENCE):
        return await players.house.ask(call.method, path, octets, token=players.tokens[0])


def demand_a_documented_answer(call: Call, answer: Answer) -> None:
    """The call's success, or one of its problems."""
    route = ROUTES_OF[call.method, call.route]
    assert CAREFUL.items() <= dict(answer.headers).items()
    if answer.status < 400:
        assert answer.status == route.status
        return
    assert answer.status < 500, answer.body
    assert answer.code in route.problems, answer.body
    assert KINDS[answer.code].status == answer.status


@pytest.mark.parametrize("status", ["open", "playing"])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=settings().max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(oddity=oddities)
async def test_odd_bodies(engine: House, name: str, status: str, oddity: Oddity) -> None:
    players = await gather(engine, 2, game=name)
    move: Any = {"type": "pass"}
    if status == "playing":
        await players.start()
        move = (await players.see(await players.turn()))["moves"][-1]
    calls = [*on_tables(name, move), *(stateless(name) if status == "open" else ())]
    for call in calls:
        demand_a_documented_answer(call, await answered(players, name, call, applied(oddity, call.body)))
