"""Damaged data in Redis affects only its own table: other tables, the list of tables and the clock go on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import product
from random import Random
from typing import Any

import pytest

from services.engine.service import lobby, tokens
from services.engine.service.idempotency import Caller
from services.engine.store import Store, keys
from services.engine.store.store import LEASE
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    captured_logs,
    quicken_clocks,
    running_engine,
    seat_players,
)
from tests.sampling import WHOLE, sampled

STATUSES = ("open", "playing", "over")
"""The statuses of damaged tables. A sampled run tries each kind of damage with only one of them."""
STORES = ("redis", "embedded")
KEY = "a-key-that-nobody-guesses"
REFUSED = {"damaged_table", "proof_lost", "newer_release"}
"""The problem codes that a damaged table may return with a status of 5xx."""


@pytest.fixture
async def engine(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    quicken_clocks(monkeypatch)
    with captured_logs():
        async with running_engine(NO_LIMITS, store) as running:
            yield running


async def call(engine: RunningEngine, *command: Any) -> Any:
    return await engine.context.service._store._backend.call(command)


async def every_answer(players: SeatedPlayers) -> list[ApiResponse]:
    """Make every request that reads a table, and return the responses."""
    engine, path, token = players.engine, players.path, players.tokens[0]
    answers = [await engine.get(path, token=seat_token) for seat_token in (None, token)]
    answers += [await engine.get(f"{path}/moves", token=token)]
    headers = {"Accept": "application/json"}
    answers += [await engine.get(f"{path}/events{rest}", token=token, headers=headers) for rest in ("", "?after=1")]
    answers += [await engine.get(f"{path}/deals/{deal}") for deal in (1, 2)]
    answers.append(await engine.get(f"{path}?after=1&wait=0.01", token=token))
    move = {"move": {"type": "pass"}}
    answers.append(await engine.post(f"{path}/moves/check", move, token=token))
    for seat, own in enumerate(players.tokens):
        answers.append(await engine.post(f"{path}/moves", move, token=own))
        answers.append(await engine.ask("PUT", f"{path}/seats/{seat}/seed", {"client_seed": "x"}, token=own))
        answers.append(await engine.post(f"{path}/seats/{seat}/return", token=own))
    answers.append(await engine.ask("PATCH", path, {"listed": True}, token=token))
    answers.append(await engine.post(f"{path}/seats", {"name": "Dario"}, headers={"Idempotency-Key": KEY}))
    answers.append(await engine.post(f"{path}/start", token=token))
    answers.append(await engine.ask("DELETE", f"{path}/seats/1", token=token))
    return answers


def assert_clear(answers: list[ApiResponse]) -> None:
    wrong = [(answer.status, answer.body) for answer in answers if answer.status >= 500 and answer.code not in REFUSED]
    assert wrong == []


async def assert_others_go_on(engine: RunningEngine, other: SeatedPlayers) -> None:
    """Check that another table is listed, and that the clock plays for the computer players at a third one."""
    page = await engine.get("/v1/tables?limit=100")
    assert page.status == 200
    assert other.table in {entry["id"] for entry in page.json["tables"]}
    watched = await seat_players(engine, 1)
    for _ in range(2):
        await engine.post(f"{watched.path}/seats", {"name": "Robot", "kind": "computer"}, token=watched.tokens[0])
    await watched.start()
    await engine.ask("DELETE", f"{watched.path}/seats/0", token=watched.tokens[0])
    before = (await watched.see())["version"]
    async with asyncio.timeout(60):
        while (now := (await watched.see())["version"]) < before + 3:
            await watched.engine.get(f"{watched.path}?after={now}&wait=1")


async def in_status(engine: RunningEngine, status: str) -> SeatedPlayers:
    players = await seat_players(engine, listed=True)
    sat = await engine.post(f"{players.path}/seats", {"name": "Dario"}, headers={"Idempotency-Key": KEY})
    players.tokens.append(sat.json["token"])
    if status != "open":
        await players.start()
        await players.play()
    if status == "over":
        await players.play_out()
    return players


ANSWER = Caller(key=KEY).answer_key or b""
KEYS: dict[str, Callable[[keys.TableKeys], str]] = {
    "table": lambda names: names.state,
    "past": lambda names: names.events,
    "log": lambda names: names.log,
    "answer": lambda names: names.answers + ANSWER.hex(),
    "deadlines": lambda names: names.deadlines,
    "listed": lambda names: names.listed,
    "watched": lambda names: names.watched,
    "heartbeat": lambda _: keys.HEARTBEAT,
}


async def set_type(engine: RunningEngine, key: str, kind: str) -> None:
    """Replace a key by a value of another type in one step, because the engine's clock may write at any time."""
    commands = {
        "string": ("SET", key, "x"),
        "list": ("RPUSH", key, "x"),
        "hash": ("HSET", key, "at", "x"),
        "zset": ("ZADD", key, 1, b"\xff\xfe"),
        "set": ("SADD", key, "x"),
    }
    replace = "redis.call('DEL', KEYS[1]); return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))"
    command, _, *values = commands[kind]
    await call(engine, "EVAL", replace, 1, key, command, *values)


def by_turns(cases: list[tuple[str, str]]) -> list[Any]:
    """Return test cases for each kind of damage and status.

    A sampled run alternates between the real and the embedded Redis.
    """
    return [
        pytest.param(store, *case, id="-".join((store, *case)))
        for turn, case in enumerate(cases)
        for store in (STORES if WHOLE else STORES[turn % 2 :][:1])
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redis_url", "name", "status"), by_turns(list(product(KEYS, STATUSES))), indirect=["redis_url"]
)
async def test_another_type_of_value_harms_no_other_table(engine: RunningEngine, name: str, status: str) -> None:
    other = await seat_players(engine, listed=True)
    for kind in sampled(("string", "list", "hash", "zset", "set"), len(STATUSES), STATUSES.index(status)):
        players = await in_status(engine, status)
        await set_type(engine, KEYS[name](keys.of(players.table)), kind)
        assert_clear(await every_answer(players))
        if name == "listed":  # the other tables in the bucket are listed again at their next change
            await engine.ask("PATCH", other.path, {"listed": False}, token=other.tokens[0])
            await engine.ask("PATCH", other.path, {"listed": True}, token=other.tokens[0])
    await assert_others_go_on(engine, other)


def mutations(value: bytes, rng: Random) -> list[bytes]:
    """Return damaged forms of a value: truncated, empty, random, or with single bytes changed."""
    values = [b"", value[:1], value[:8], value[:9], value[: len(value) // 2], value[:-1], value + b"x"]
    values += [rng.randbytes(size) for size in (1, 8, 20, 200)] + [value[:8] + rng.randbytes(100)]
    for _ in range(6):
        place = rng.randrange(len(value))
        values.append(value[:place] + rng.randbytes(1) + value[place + 1 :])
    return values


async def replace_string(engine: RunningEngine, key: str, rng: Random, turn: int) -> AsyncIterator[None]:
    value = await call(engine, "GET", key)
    for damaged in sampled(mutations(value, rng), len(STATUSES), turn):
        await call(engine, "SET", key, damaged)
        yield


async def replace_items(engine: RunningEngine, key: str, rng: Random, turn: int) -> AsyncIterator[None]:
    """Remove a list's first or last items, reorder it, or damage one of its items."""
    items = await call(engine, "LRANGE", key, 0, -1)
    place = rng.randrange(len(items))
    lists = [items[1:], items[:-1], [b""], [*items[:1], *items[2:]], [*reversed(items)]]
    lists += [[*items[:place], damaged, *items[place + 1 :]] for damaged in mutations(items[place], rng)]
    lists += [[damaged, *items[1:]] for damaged in mutations(items[0], rng)]
    for changed in sampled(lists, len(STATUSES), turn):
        await call(engine, "DEL", key)
        if changed:
            await call(engine, "RPUSH", key, *changed)
        yield


HOLDS_BYTES = [
    case
    for case in product(("table", "past", "log", "answer"), STATUSES)
    if case != ("log", "open")  # an open table has no log yet
]


@pytest.mark.slow
@pytest.mark.parametrize(("redis_url", "name", "status"), by_turns(HOLDS_BYTES), indirect=["redis_url"])
async def test_damaged_bytes_harm_no_other_table(name: str, status: str, engine: RunningEngine) -> None:
    rng = Random(f"{name} {status}")
    other = await seat_players(engine, listed=True)
    players = await in_status(engine, status)
    key = KEYS[name](keys.of(players.table))
    before = await call(engine, "GET", keys.of(players.table).state)
    replace = replace_string if name in {"table", "answer"} else replace_items
    async for _ in replace(engine, key, rng, STATUSES.index(status)):
        if name != "table":
            await call(engine, "SET", keys.of(players.table).state, before)
        assert_clear(await every_answer(players))
    await assert_others_go_on(engine, other)


async def test_a_move_is_done_once_though_its_history_has_another_type(engine: RunningEngine) -> None:
    players = await in_status(engine, "playing")
    await set_type(engine, keys.of(players.table).events, "hash")
    before = (await players.see())["version"]
    move, seat = (await players.see(await players.turn()))["moves"][0], await players.turn()
    headers = {"Idempotency-Key": "another-key-that-nobody-guesses"}
    answers = [
        await engine.post(f"{players.path}/moves", {"move": move}, token=players.tokens[seat], headers=headers)
        for _ in range(2)
    ]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body
    assert (await players.see())["version"] == before + 1
    headers = {"Accept": "application/json"}
    events = (await engine.get(f"{players.path}/events?after={before}", headers=headers)).json["events"]
    assert [event["event"] for event in events] == ["change"]
    events = (await engine.get(f"{players.path}/events?after={before - 2}", headers=headers)).json["events"]
    assert [event["event"] for event in events] == ["gap"]


async def test_what_cannot_be_read_is_counted_and_logged_once_without_its_contents(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "KEPT_SECONDS", -1)
    with captured_logs() as log:
        async with running_engine(NO_LIMITS, store) as engine:
            players = await in_status(engine, "open")
            await call(engine, "SET", keys.of(players.table).state, b"\0" * 8 + b"secret of Anna")
            for _ in range(3):
                assert (await engine.get("/v1/tables")).json["tables"] == []
            metrics = (await engine.get("/metrics")).body.decode()
            listed = await call(engine, "ZSCORE", keys.of(players.table).listed, players.table)
    lines = [line for line in log.getvalue().splitlines() if "table_not_served" in line]
    assert 'locanda_tables_unserved_total{reason="damaged"} 3.0' in metrics
    assert len(lines) == 1
    assert tokens.short_id(players.table) in lines[0]
    assert players.table not in log.getvalue()
    assert "secret" not in log.getvalue()
    assert listed is not None


async def test_the_clock_releases_what_it_cannot_serve_and_serves_the_rest(store: Store) -> None:
    now = 1_800_000_000_000
    async with running_engine(NO_LIMITS, store) as engine:
        service = engine.context.service
        players = await in_status(engine, "playing")
        await call(engine, "SET", keys.of(players.table).state, (99).to_bytes(8, "big") + b"\xc1\xffof a later form")
        service.time.now = lambda: now
        waits = []
        for _ in range(10):
            await store.schedule(players.table, now + LEASE)
            await service.waking.wake(players.table)
            waits.append(int(await call(engine, "ZSCORE", keys.of(players.table).deadlines, players.table)) - now)
        assert waits == [250] * 8 + [LEASE] * 2
        assert await call(engine, "GETRANGE", keys.of(players.table).state, 8, 9) == b"\xc1\xff"


async def test_a_stream_ends_where_a_newer_release_takes_the_table_over(store: Store) -> None:
    with captured_logs() as log:
        async with running_engine(NO_LIMITS, store) as engine:
            players = await in_status(engine, "playing")
            names = keys.of(players.table)
            async with asyncio.timeout(30), engine.session.get(engine.url(f"{players.path}/events")) as stream:
                await stream.content.readuntil(b"event: change\n")
                await call(engine, "SET", names.state, (99).to_bytes(8, "big") + b"\xc1\xffof a later form")
                await call(engine, "PUBLISH", names.changed, b"")
                rest = await stream.content.read()
            again = await engine.get(f"{players.path}/events", headers={"Last-Event-ID": "3"})
    assert b"event:" not in rest
    assert (again.status, again.code) == (503, "newer_release")
    assert '"level":"error"' not in log.getvalue()
