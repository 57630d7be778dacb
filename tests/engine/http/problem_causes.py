"""For each problem type, requests that cause it over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias
from unittest.mock import patch

from msgspec import structs

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from services.engine import catalogue
from services.engine.service import administered, codec
from services.engine.service.administration import Operator
from services.engine.service.queries import Queries
from services.engine.service.workers import ThoughtFailedError, Workers
from services.engine.settings import EngineSettings
from services.engine.store import Commit, Store, connect, keys
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    captured_logs,
    running_engine,
    seat_players,
)
from tests.games.positions import WorkedPosition, positions

ProblemCause: TypeAlias = Callable[[RunningEngine], Awaitable[ApiResponse]]

STRANGER = "A" * 43
NOBODY = "B" * 22
OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}
PASS: JsonObject = {"move": {"type": "pass"}}
HOOK: JsonObject = {"url": "https://example.org/hook"}
KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}


async def _playing(engine: RunningEngine) -> SeatedPlayers:
    players = await seat_players(engine)
    await players.start()
    return players


async def _no_key(_: RunningEngine) -> ApiResponse:
    async with running_engine(EngineSettings(engine_api_keys="k" * 16)) as engine:
        return await engine.post("/v1/tables", OPEN)


# --- problems caused by operators' settings

OPERATOR_KEY = "the-key-of-the-operator"
BY = Operator("127.0.0.1", "1")


def _as_operator(method: str, path: str, *, key: str = OPERATOR_KEY) -> ProblemCause:
    async def cause(_: RunningEngine) -> ApiResponse:
        async with _operated() as engine:
            return await engine.ask(method, f"/v1/admin/{path}", token=key)

    return cause


@asynccontextmanager
async def _operated() -> AsyncIterator[RunningEngine]:
    async with running_engine(structs.replace(NO_LIMITS, engine_admin_key=OPERATOR_KEY)) as engine:
        yield engine


async def _banned(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        await engine.context.service.administration.ban("127.0.0.1/32", "", None, BY)
        return await engine.get("/v1/games")


async def _name_blocked(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        await engine.context.service.administration.block_name("anna", BY)
        return await engine.post("/v1/tables", OPEN)


async def _entry_taken(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        await engine.context.service.administration.block_name("anna", BY)
        return await engine.post("/v1/admin/names", {"name": "anna"}, token=OPERATOR_KEY)


async def _too_many_entries(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        with patch.object(administered, "MOST", 0):
            return await engine.post("/v1/admin/names", {"name": "anna"}, token=OPERATOR_KEY)


async def _already_over(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        players = await seat_players(engine, 1)
        await engine.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])
        return await engine.post(f"/v1/admin/tables/{players.table}/close", token=OPERATOR_KEY)


async def _last_engine(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        name = engine.context.service.administration.engine
        return await engine.ask("PUT", f"/v1/admin/engines/{name}/drain", token=OPERATOR_KEY)


async def _shared_address(_: RunningEngine) -> ApiResponse:
    async with _operated() as engine:
        engine.context.service.administration.shares_address = True
        name = engine.context.service.administration.engine
        return await engine.ask("PUT", f"/v1/admin/engines/{name}/drain", token=OPERATOR_KEY)


# --- problems caused by players


async def _not_host(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[1])


async def _not_your_seat(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.ask("PUT", f"{players.path}/seats/0/seed", {"client_seed": "x"}, token=players.tokens[1])


async def _no_token(engine: RunningEngine) -> ApiResponse:
    return await engine.get(f"{(await seat_players(engine)).path}/moves")


async def _wrong_token(engine: RunningEngine) -> ApiResponse:
    return await engine.get((await seat_players(engine)).path, token=STRANGER)


async def _not_acceptable(engine: RunningEngine) -> ApiResponse:
    return await engine.get(f"{(await seat_players(engine)).path}/events", headers={"Accept": "image/png"})


async def _too_slow(_: RunningEngine) -> ApiResponse:
    async def half() -> AsyncIterator[bytes]:
        yield b'{"game":'
        await asyncio.sleep(60)

    async with running_engine(EngineSettings(engine_request_seconds=0.1)) as engine:
        sent = {"Content-Type": "application/json"}
        async with engine.session.post(engine.url("/v1/tables"), data=half(), headers=sent) as answer:
            return ApiResponse(answer.status, answer.headers, await answer.read())


async def _key_reused(engine: RunningEngine) -> ApiResponse:
    await engine.post("/v1/tables", OPEN, headers=KEY)
    return await engine.post("/v1/tables", OPEN | {"name": "Bruno"}, headers=KEY)


async def _name_taken(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.post(f"{players.path}/seats", {"name": "ANNA"})


async def _no_such_seat(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.ask("DELETE", f"{players.path}/seats/5", token=players.tokens[0])


async def _no_such_deal(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    await players.play_out()
    return await engine.get(f"{players.path}/deals/9")


async def _already_computer(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[1])
    return await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])


async def _still_playing(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    return await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])


async def _hand_given_up(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    await players.let_go_away(1, missed=3)
    return await engine.post(f"{players.path}/seats/1/return", token=players.tokens[1])


async def _renamed_lately(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    path, token = f"{players.path}/seats/1/name", players.tokens[1]
    await engine.ask("PUT", path, {"name": "Bruna"}, token=token)
    return await engine.ask("PUT", path, {"name": "Bruno"}, token=token)


async def _table_locked(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    await engine.ask("PATCH", players.path, {"locked": True}, token=players.tokens[0])
    return await engine.post(f"{players.path}/seats", {"name": "Zeno"})


async def _seed_used(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    path, body = f"{players.path}/seats/0/seed", {"client_seed": "seven tame geese"}
    await engine.ask("PUT", path, body, token=players.tokens[0])
    await players.start()
    await players.play_out()
    return await engine.ask("PUT", path, body, token=players.tokens[0])


async def _already_playing(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[0])


async def _deal_over(engine: RunningEngine) -> ApiResponse:
    deal = {"game": "gatto_rosso", "hands": [[], ["3d"]], "turn": None}
    return await engine.post("/v1/games/gatto_rosso/play", {"deal": deal, **PASS})


async def _match_not_over(engine: RunningEngine) -> ApiResponse:
    return await engine.get(f"{(await _playing(engine)).path}/deals/1")


async def _not_away(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    return await engine.post(f"{players.path}/seats/1/return", token=players.tokens[1])


async def _hints_off(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    return await engine.post(f"{players.path}/hint", token=players.tokens[0])


async def _notices_off(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.post(f"{players.path}/subscriptions", HOOK, token=players.tokens[0])


async def _too_many_subscriptions(_: RunningEngine) -> ApiResponse:
    async with running_engine(structs.replace(NO_LIMITS, engine_webhooks="on")) as engine:
        players = await seat_players(engine)
        for number in range(4):
            body = {"url": f"https://example.org/{number}"}
            await engine.post(f"{players.path}/subscriptions", body, token=players.tokens[0])
        return await engine.post(f"{players.path}/subscriptions", HOOK, token=players.tokens[0])


async def _no_such_subscription(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.ask("DELETE", f"{players.path}/subscriptions/{NOBODY}", token=players.tokens[0])


async def _no_thought(engine: RunningEngine) -> ApiResponse:
    dealt = await engine.post("/v1/games/gatto_rosso/deals", {"seats": 2})
    shown = await engine.post("/v1/games/gatto_rosso/view", {"deal": dealt.json["deal"], "seat": 1})
    with patch.object(Workers, "run", side_effect=ThoughtFailedError("late")):
        return await engine.post("/v1/games/gatto_rosso/suggest", {"view": shown.json["view"]})


async def _not_computer(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.ask("PATCH", f"{players.path}/seats/1", {"level": "hard"}, token=players.tokens[0])


async def _not_open(engine: RunningEngine) -> ApiResponse:
    return await engine.post(f"{(await _playing(engine)).path}/seats", {"name": "Dario"})


async def _not_playing(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.post(f"{players.path}/moves", PASS, token=players.tokens[0])


async def _not_your_turn(engine: RunningEngine) -> ApiResponse:
    players = await _playing(engine)
    other = (await players.turn() + 1) % 3
    return await engine.post(f"{players.path}/moves", PASS, token=players.tokens[other])


async def _rules_changed(_: RunningEngine) -> ApiResponse:
    """Store a table that an older release has dealt, and load it with this release."""
    store = await connect(None)
    async with running_engine(NO_LIMITS, store) as engine:
        players = await _playing(engine)
        await _deal_by_older_rules(store, players.table)
        return await players.engine.post(f"{players.path}/moves", PASS, token=players.tokens[0])


async def _newer_release(_: RunningEngine) -> ApiResponse:
    """Store a table of the next release, and load it with this release."""
    store = await connect(None)
    async with running_engine(NO_LIMITS, store) as engine:
        players = await _playing(engine)
        await _store_instead(store, players.table, codec.marked(codec.FORM + 1, b"of another form"))
        return await engine.get(players.path)


async def _damaged_table(_: RunningEngine) -> ApiResponse:
    store = await connect(None)
    async with running_engine(NO_LIMITS, store) as engine:
        players = await _playing(engine)
        await _store_instead(store, players.table, b"damaged")
        return await engine.get(players.path)


async def _store_instead(store: Store, table: str, data: bytes) -> None:
    snapshot = (await store.load(table)).snapshot
    assert snapshot
    version = snapshot.version
    commit = Commit(table=table, expected=version, version=version + 1, data=data, ttl=600, listing=None)
    assert await store.commit(commit) == "committed"


async def _proof_lost(_: RunningEngine) -> ApiResponse:
    store = await connect(None)
    async with running_engine(NO_LIMITS, store) as engine:
        players = await _playing(engine)
        await players.play_out()
        await store._backend.call(("DEL", keys.of(players.table).log))
        return await engine.get(f"{players.path}/deals/1")


async def _deal_by_older_rules(store: Store, table: str) -> None:
    snapshot = (await store.load(table)).snapshot
    assert snapshot
    table_state = codec.decode(snapshot.data)
    await _store_instead(
        store, table, codec.encode(structs.replace(table_state, rules=0, version=table_state.version + 1))
    )


async def _table_full(engine: RunningEngine) -> ApiResponse:
    return await engine.post(f"{(await seat_players(engine, 10)).path}/seats", {"name": "Zeno"})


async def _too_few_players(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine, 1)
    return await engine.post(f"{players.path}/start", token=players.tokens[0])


async def _too_many_players(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine, 10)
    options = {"three_suits": "h"}
    return await engine.ask("PATCH", players.path, {"options": options}, token=players.tokens[0])


async def _stale(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[0], headers={"If-Match": '"1"'})


async def _too_many_requests(_: RunningEngine) -> ApiResponse:
    async with running_engine(EngineSettings(engine_tables_per_minute=1)) as engine:
        await engine.post("/v1/tables", OPEN)
        return await engine.post("/v1/tables", OPEN)


async def _internal(engine: RunningEngine) -> ApiResponse:
    with captured_logs(), patch.object(Queries, "show", side_effect=ArithmeticError):
        return await engine.get(f"/v1/tables/{NOBODY}")


async def _no_lesson(engine: RunningEngine) -> ApiResponse:
    untaught = structs.replace(catalogue.details("ramino"), lesson=False)
    with patch.object(catalogue, "details", return_value=untaught):
        return await engine.get("/v1/games/ramino/lesson")


async def _closing(engine: RunningEngine) -> ApiResponse:
    engine.context.tracker.closing = True
    return await engine.get("/readyz")


async def _store_down(_: RunningEngine) -> ApiResponse:
    async with running_engine(EngineSettings(redis_url="redis://127.0.0.1:1/0")) as engine:
        return await engine.get(f"/v1/tables/{NOBODY}")


async def _busy(engine: RunningEngine) -> ApiResponse:
    players = await seat_players(engine)

    async def always_slower(*_: object) -> str:
        return "clash"

    with patch.object(Store, "commit", always_slower):
        return await engine.post(f"{players.path}/start", token=players.tokens[0])


def _response_to(method: str, path: str, body: JsonObject | bytes | None = None, **rest: Any) -> ProblemCause:
    return lambda engine: engine.ask(method, path, body, **rest)


PROBLEM_CAUSES: dict[str, ProblemCause] = {
    "impossible": _response_to("POST", "/v1/games/gatto_rosso/deals", {"seats": 3, "dealer": 3}),
    "malformed": _response_to("POST", "/v1/tables", OPEN | {"name": 1}),
    "bad_json": _response_to("POST", "/v1/tables", b'{"name":'),
    "bad_header": _response_to("POST", "/v1/tables", OPEN, headers={"Idempotency-Key": "short"}),
    "not_found": _response_to("GET", "/nowhere"),
    "method_not_allowed": _response_to("DELETE", "/v1/games"),
    "not_acceptable": _not_acceptable,
    "too_slow": _too_slow,
    "too_large": _response_to("POST", "/v1/tables", b" " * 65_537),
    "unsupported_media_type": _response_to("POST", "/v1/tables", OPEN, headers={"Content-Type": "text/plain"}),
    "key_reused": _key_reused,
    "no_token": _no_token,
    "wrong_token": _wrong_token,
    "no_key": _no_key,
    "no_admin_key": _as_operator("GET", "tables", key="another-key-than-that"),
    "banned": _banned,
    "name_blocked": _name_blocked,
    "no_such_entry": _as_operator("DELETE", "keys/nobody"),
    "entry_taken": _entry_taken,
    "too_many_entries": _too_many_entries,
    "already_over": _already_over,
    "last_engine": _last_engine,
    "shared_address": _shared_address,
    "not_host": _not_host,
    "not_your_seat": _not_your_seat,
    "no_lesson": _no_lesson,
    "no_such_game": _response_to("GET", "/v1/games/briscola"),
    "no_such_table": _response_to("GET", f"/v1/tables/{NOBODY}"),
    "name_taken": _name_taken,
    "no_such_seat": _no_such_seat,
    "no_such_deal": _no_such_deal,
    "proof_lost": _proof_lost,
    "already_computer": _already_computer,
    "still_playing": _still_playing,
    "hand_given_up": _hand_given_up,
    "renamed_lately": _renamed_lately,
    "table_locked": _table_locked,
    "already_playing": _already_playing,
    "seed_used": _seed_used,
    "deal_over": _deal_over,
    "hints_off": _hints_off,
    "notices_off": _notices_off,
    "too_many_subscriptions": _too_many_subscriptions,
    "no_such_subscription": _no_such_subscription,
    "match_not_over": _match_not_over,
    "not_away": _not_away,
    "not_computer": _not_computer,
    "not_open": _not_open,
    "not_playing": _not_playing,
    "not_your_turn": _not_your_turn,
    "rules_changed": _rules_changed,
    "table_full": _table_full,
    "too_few_players": _too_few_players,
    "too_many_players": _too_many_players,
    "stale": _stale,
    "too_many_requests": _too_many_requests,
    "internal": _internal,
    "damaged_table": _damaged_table,
    "newer_release": _newer_release,
    "closing": _closing,
    "store_down": _store_down,
    "no_thought": _no_thought,
    "busy": _busy,
}
"""The causes of each problem. Refused moves come from the worked positions of the rules."""

TAXED: JsonObject = {
    "game": "presidente",
    "options": {"tax": True},
    "hands": [["Kd", "Kc", "9c"], ["2h", "3c", "Qs"]],
    "dues": [[0, 1, 2]],
    "dealer": 1,
    "turn": 0,
}
OF_PHASES = {
    "tax_count": ({"type": "give", "cards": ["Kd", "Kc", "9c"]}, TAXED),
    "wrong_phase": ({"type": "pass"}, TAXED),
}
"""Moves and deals for those refusals that no worked position contains."""


def _from_positions() -> dict[str, list[tuple[WorkedPosition, JsonObject]]]:
    by_code: dict[str, list[tuple[WorkedPosition, JsonObject]]] = {}
    for position in (position for game in GAMES for position in positions(game) if position.fresh is None):
        for code, move in {code: move for move, code in position.expect.refused}.items():
            by_code.setdefault(code, []).append((position, move))
    return by_code


FROM_POSITIONS = _from_positions()


async def refused(engine: RunningEngine, code: str) -> list[ApiResponse]:
    """Return the responses to moves that the rules refuse with this code."""
    if code in OF_PHASES:
        move, deal = OF_PHASES[code]
        return [await engine.post("/v1/games/presidente/play", {"deal": deal, "move": move})]
    return [await _refused(engine, position, move) for position, move in FROM_POSITIONS[code]]


async def _refused(engine: RunningEngine, position: WorkedPosition, move: JsonObject) -> ApiResponse:
    path, deal = f"/v1/games/{position.game}/play", position.deal
    for made in position.moves:
        deal = (await engine.post(path, {"deal": deal, "move": made})).json["deal"]
    return await engine.post(path, {"deal": deal, "move": move})
