"""Mutated bodies, in every call and every game, get a documented response in time."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from locanda.games.rules import GAMES
from services.engine.http.api.handlers import ROUTES
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.table.fairness import shuffle
from tests.engine.http.body_mutations import BodyMutation, mutated, mutations
from tests.engine.http.engine_server import ApiRequest, ApiResponse, RunningEngine, SeatedPlayers, seat_players
from tests.engine.http.raw_client import TIMEOUT

ROUTES_OF = {(str(route.method), route.path): route for route in ROUTES}
SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Server": "locanda", "Referrer-Policy": "no-referrer"}


def stateless(name: str) -> Iterator[ApiRequest]:
    """The stateless calls of a game, with a deal in progress and a move of that deal."""
    game, rng = GAMES[name], Random(name)
    seats = min(game.seats(game.options()))
    deal = game.deal(game.options(), seats, 0, bytes(32), shuffle, None)
    happened = []
    for _ in range(9):
        deal, events = game.play(deal, rng.choice(game.moves(deal)), shuffle)
        happened += events
    wire_deal, move = msgspec.to_builtins(game.to_wire(deal)), msgspec.to_builtins(game.moves(deal)[-1])
    path = "/v1/games/{game}"
    options = msgspec.to_builtins(game.options())
    yield ApiRequest("POST", f"{path}/deals", {"options": options, "seats": seats, "dealer": 0, "seed": "0" * 64})
    yield ApiRequest("POST", f"{path}/moves", {"deal": wire_deal})
    yield ApiRequest("POST", f"{path}/view", {"deal": wire_deal, "seat": 1})
    view, history = msgspec.to_builtins(game.view(deal, deal.turn)), msgspec.to_builtins(happened)
    yield ApiRequest("POST", f"{path}/suggest", {"view": view, "history": history, "budget": {"iterations": 1}})
    played = {"deal": wire_deal, "moves": [move], "then": "random", "steps": 2}
    yield ApiRequest("POST", f"{path}/playouts", {"playouts": [played], "show": ["deal", "events", "moves", "views"]})
    yield from (ApiRequest("POST", f"{path}/{call}", {"deal": wire_deal, "move": move}) for call in ("check", "play"))


def on_tables(name: str, move: Any) -> Iterator[ApiRequest]:
    """The calls on tables."""
    options = msgspec.to_builtins(GAMES[name].options())
    path = "/v1/tables/{table}"
    terms = {"options": options, "turn_seconds": 30, "listed": True}
    yield ApiRequest("POST", "/v1/tables", {"game": name, "name": "Anna", **terms})
    yield ApiRequest("PATCH", path, terms)
    yield ApiRequest("POST", f"{path}/seats", {"name": "Zoe", "kind": "computer", "level": "plain"})
    yield ApiRequest("POST", f"{path}/seats", {"name": "Zoe", "client_seed": "z"})
    yield ApiRequest("PATCH", f"{path}/seats/{{seat}}", {"level": "hard"})
    yield ApiRequest("PUT", f"{path}/seats/{{seat}}/seed", {"client_seed": "z"})
    yield ApiRequest("PUT", f"{path}/seats/{{seat}}/rematch", {"stays": True, "client_seed": "y"})
    yield ApiRequest("PUT", f"{path}/seats/{{seat}}/name", {"name": "Zoe"})
    yield from (ApiRequest("POST", f"{path}/{call}", {"move": move}) for call in ("moves", "moves/check"))
    yield from (ApiRequest("POST", f"{path}/{call}", {}) for call in ("start", "seats/{seat}/return"))


async def answered(players: SeatedPlayers, name: str, call: ApiRequest, octets: bytes) -> ApiResponse:
    """Send these bytes as the body of a call, and return the response."""
    path = call.path.format(game=name, table=players.table, seat=0)
    async with asyncio.timeout(TIMEOUT):
        return await players.engine.ask(call.method, path, octets, token=players.tokens[0])


def demand_a_documented_answer(call: ApiRequest, answer: ApiResponse) -> None:
    """Check that the response is the success of the call, or one of its documented problems."""
    route = ROUTES_OF[call.method, call.path]
    assert SECURITY_HEADERS.items() <= dict(answer.headers).items()
    if answer.status < 400:
        assert answer.status == route.status
        return
    assert answer.status < 500, answer.body
    assert answer.code in route.problems, answer.body
    assert PROBLEM_TYPES[answer.code].status == answer.status


@pytest.mark.parametrize("status", ["open", "playing"])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=settings().max_examples // 2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutation=mutations)
async def test_mutated_bodies_get_documented_responses(
    engine: RunningEngine, name: str, status: str, mutation: BodyMutation
) -> None:
    players = await seat_players(engine, 2, game=name)
    move: Any = {"type": "pass"}
    if status == "playing":
        await players.start()
        move = (await players.see(await players.turn()))["moves"][-1]
    calls = [*on_tables(name, move), *(stateless(name) if status == "open" else ())]
    for call in calls:
        demand_a_documented_answer(call, await answered(players, name, call, mutated(mutation, call.body)))
