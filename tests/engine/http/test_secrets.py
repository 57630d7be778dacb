"""Two tables that differ only in what a viewer may not see give him the same bytes, in every call, event and header.

How long an answer takes is not compared: what it could tell is drowned in the noise of the machine and the network.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings

from services.engine import codec, fairness
from services.engine.fairness import shuffle
from services.engine.games.registry import GAMES
from services.engine.settings import Settings
from services.engine.store import connect
from services.engine.table.state import AnyTable, Step, game_of, turn_of
from tests.engine.games.subjects import SUBJECTS
from tests.engine.http.house import Answer, House, JsonObject, house, written
from tests.engine.http.twins import AT, Life, lived, lives, put, twin_of

SLOW_COMPUTERS = Settings(engine_tables_per_minute=0, engine_requests_per_second=0, engine_think_ms=AT.think)
NOBODYS = "n" * 43
SAME_ID = {"X-Request-ID": "the-same"}
NEW_TOKEN = re.compile(rb'"token":"[^"]*"')
MALFORMED: list[Any] = [None, 1, "play", [], {}, {"type": "nope"}, {"type": "play"}, {"type": "play", "card": "9x"}]
MALFORMED += [{"type": "discard", "card": []}, {"type": "give", "cards": ["Ah", "Ah"]}, {"type": "meld", "cards": [{}]}]
SELECTIONS = 6
"""So many moves of the deal are tried at each moment, legal or not."""


class Ask(NamedTuple):
    """A request."""

    method: str
    path: str
    body: JsonObject | bytes | None = None
    headers: dict[str, str] = {}  # noqa: RUF012  (never changed)


def readings(table: AnyTable) -> Iterator[Ask]:
    """Every way to look at a table."""
    version = table.version
    yield from (Ask(method, "") for method in ("GET", "HEAD"))
    for tag in (f'"{version}"', f'W/"{version}"', f'"{version - 1}"', "*", "odd"):
        yield Ask("GET", "", headers={"If-None-Match": tag})
    for query in (f"after={version - 1}&wait=5", f"after={version}&wait=0.001", "after=x", "wait=-1", "other=1"):
        yield Ask("GET", f"?{query}")
    page = {"Accept": "application/json"}
    for query in ("", *(f"?after={max(0, version - back)}" for back in (0, 1, 5, 31, 32, 60)), f"?after={version + 3}"):
        yield Ask("GET", f"/events{query}", headers=page)
    yield Ask("GET", "/events", headers={"Accept": "image/png"})
    yield Ask("GET", "/events", headers={"Last-Event-ID": "odd"})
    yield Ask("GET", "/moves")
    for deal in ("0", "1", "2", "99", "x"):
        yield from (Ask("GET", f"/deals/{deal}{query}") for query in ("", "?match=0", "?match=1", "?match=2"))


def refusable(table: AnyTable, viewer: int | None, rng: Random) -> Iterator[Ask]:
    """Writes that change nothing, whoever is on turn: stale ones, and those that say nothing that could be done."""
    for tag in (f'"{table.version - 1}"', f'"{table.version + 1}"', 'W/"1"', '"odd"', '"1", "2"', "odd"):
        for path in ("/start", "/moves", "/seats/0/return"):
            body = {"move": {"type": "pass"}} if path == "/moves" else None
            yield Ask("POST", path, body, {"If-Match": tag})
    yield from (Ask("POST", "/moves", {"move": move}) for move in MALFORMED)
    yield from (Ask("POST", "/moves", body) for body in (b"", b"{", b'{"move":', b"[]", b'{"move":{},"x":1}'))
    yield from (Ask("POST", "/moves/check", {"move": move}) for move in MALFORMED)
    yield from (Ask(method, "/moves") for method in ("PUT", "DELETE", "PATCH"))
    yield Ask("POST", "/seats", {"name": "Z", "kind": "computer", "level": "best"})
    yield Ask("DELETE", "/seats/99")
    for seat in range(len(table.seats)):
        if seat != viewer:
            yield Ask("PUT", f"/seats/{seat}/seed", {"client_seed": "z"})
            yield Ask("POST", f"/seats/{seat}/return")
    if viewer is None or viewer != table.host:
        yield from (Ask("DELETE", f"/seats/{seat}") for seat in range(len(table.seats)) if seat != viewer)
        yield Ask("PATCH", "", {"listed": False})
        yield Ask("POST", "/start")
    if table.deal is not None:
        yield from _moves(table, viewer, rng)


def _moves(table: AnyTable, viewer: int | None, rng: Random) -> Iterator[Ask]:
    """Moves of the deal: each is tried, and those that are not the viewer's to make, or not legal, are made."""
    moves: list[Any] = list(SUBJECTS[table.game].moves(table.deal))
    game, mine = game_of(table), viewer is not None and turn_of(table) == viewer
    for move in rng.sample(moves, min(SELECTIONS, len(moves))):
        body = {"move": msgspec.to_builtins(move)}
        yield Ask("POST", "/moves/check", body)
        if not mine or game.check(table.deal, move) is not None:
            yield Ask("POST", "/moves", body, {"Idempotency-Key": "one-of-his-own"})


def final(table: AnyTable, viewer: int | None) -> Iterator[Ask]:
    """Writes that may change the table, and show no card that was hidden before."""
    yield Ask("POST", "/seats", {"name": "Zoe"}, {"Idempotency-Key": "a-key-of-sixteen-or-more"})
    yield Ask("POST", "/seats", {"name": "Zoe"}, {"Idempotency-Key": "a-key-of-sixteen-or-more"})
    yield Ask("POST", "/seats", {"name": "Z", "kind": "computer"})
    if viewer is not None:
        yield Ask("PUT", f"/seats/{viewer}/seed", {"client_seed": "z"})
        yield Ask("POST", f"/seats/{viewer}/return")
        yield Ask("PATCH", "", {"listed": True, "turn_seconds": 5})
        yield Ask("DELETE", f"/seats/{len(table.seats) - 1}", None, {"Idempotency-Key": "k"})
        yield Ask("DELETE", f"/seats/{len(table.seats) - 1}", None, {"Idempotency-Key": "k"})
        yield Ask("DELETE", f"/seats/{viewer}")
    yield Ask("GET", "")
    yield Ask("GET", "/events", headers={"Accept": "application/json"})


class Viewer:
    """One who looks at one of the twins."""

    def __init__(self, engine: House, life: Life) -> None:
        self._engine = engine
        self._path = f"/v1/tables/{life.table}"
        self.token = None if life.viewer is None else life.token(life.viewer)

    async def told(self, asks: Iterable[Ask], token: str | None) -> list[tuple[Ask, Any]]:
        """Ask all this and return every status, header and byte."""
        return [(ask, _bytes(await self._ask(ask, token))) for ask in asks]

    async def _ask(self, ask: Ask, token: str | None) -> Answer:
        headers = SAME_ID | ask.headers
        return await self._engine.ask(ask.method, self._path + ask.path, ask.body, token=token, headers=headers)

    async def heard(self, frames: int, after: int | None) -> list[Any]:
        """Follow the events for so many frames."""
        headers = SAME_ID | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        headers |= {} if after is None else {"Last-Event-ID": str(after)}
        async with asyncio.timeout(10):
            async with self._engine.session.get(self._engine.url(f"{self._path}/events"), headers=headers) as stream:
                head = (stream.status, _headers(stream.headers.items()))
                # After the greeting, a frame has three lines and an empty one.
                return [head, [await stream.content.readline() for _ in range(2 + 4 * frames)]]


def _bytes(answer: Answer) -> Any:
    body = NEW_TOKEN.sub(b'"token":"new"', answer.body) if answer.status == 201 else answer.body
    return (answer.status, _headers(answer.headers.items()), body)


def _headers(items: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in items if name.lower() != "date"]


def next_act(life: Life, here: AnyTable, there: AnyTable) -> Any:
    """Return a legal move after which both twins look the same to the viewer still, where there is one."""
    if turn_of(here) is None:
        return None
    game = game_of(here)
    for move in game.moves(here.deal)[:20]:
        if game.check(there.deal, move) is not None:
            continue
        one, other = (game.play(deal, move, shuffle)[0] for deal in (here.deal, there.deal))
        over = game.result(one) is not None
        if not over and game.view(one, life.viewer) == game.view(other, life.viewer):
            return move
    return None


async def seen(life: Life, steps: list[Step], act: Any, twin: str) -> list[Any]:
    """Everything that the viewer can be told of one of the twins."""
    table, rng = lived(life)[-1].table, Random(life.start.seed)
    store = await connect(None)
    await put(store, steps)
    async with house(SLOW_COMPUTERS, store, now=lambda: AT.now) as engine:
        viewer = Viewer(engine, life)
        looks, writes = list(readings(table)), list(refusable(table, life.viewer, rng))
        told: list[Any] = await viewer.told([*looks, *writes], viewer.token)
        told += await viewer.told([*looks[:1], *rng.sample(writes, 3)], NOBODYS)
        told += await viewer.told([Ask("GET", "?limit=100")], None)
        told.append(await viewer.heard(1, None))
        told.append(await viewer.heard(1, max(0, table.version - 60)))
        told.append(await viewer.heard(min(3, table.version - 1), table.version - min(3, table.version - 1)))
        if act is not None:
            told += await _act(engine, viewer, life, table, act, twin)
        return told + await viewer.told(final(table, life.viewer), viewer.token)


async def _act(engine: House, viewer: Viewer, life: Life, table: AnyTable, act: Any, twin: str) -> list[Any]:
    """Let the seat on turn move while the viewer follows, and waits for it besides."""
    turn = turn_of(table)
    if turn is None or table.seats[turn].kind == "computer":
        return []
    following = asyncio.create_task(viewer.heard(2, None))
    waiting = asyncio.create_task(viewer.told([Ask("GET", f"?after={table.version}&wait=9")], viewer.token))
    await asyncio.sleep(0.05)
    body = {"move": msgspec.to_builtins(act)}
    token = life.token(turn, twin)
    answer = await engine.post(f"/v1/tables/{life.table}/moves", body, token=token, headers=SAME_ID)
    assert answer.status == 200, answer.body
    own = [_bytes(answer)] if turn == life.viewer else []
    return [*own, await following, *await waiting]


@pytest.fixture
def veiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commitments tell nothing of the seed, as SHA-256 promises: here all are alike, so that the root may differ."""
    monkeypatch.setattr(fairness, "commitment", lambda table, match, seed: "c" * 64)


def secrets_of(life: Life, table: AnyTable, twin: str) -> list[str]:
    """What no answer may hold: tokens, and whatever the shuffles of matches not over come from."""
    tokens = [life.token(seat, twin) for seat in range(life.start.seats)]
    match = table.match
    roots = [match.root, fairness.server_seed(match.root, match.number + 1)]
    seeds = [] if match.result else [match.server_seed, *(match.deal_seed(deal) for deal in range(match.deal + 2))]
    return [*tokens, *(secret.hex() for secret in (*roots, *seeds) if secret != bytes(32))]


@pytest.mark.usefixtures("veiled")
@pytest.mark.parametrize("name", GAMES)
def test_what_a_viewer_may_not_see_changes_no_byte_and_no_seed_is_shown(name: str) -> None:
    @settings(max_examples=settings().max_examples // 6)
    @given(life=lives(name))
    def tried(life: Life) -> None:
        here = lived(life)
        there = twin_of(life, here)
        table, other = here[-1].table, there[-1].table
        assert codec.encode(table) != codec.encode(other)
        act = next_act(life, table, other)
        with written(level="error"):
            told = asyncio.run(seen(life, here, act, ""))
            told_there = asyncio.run(seen(life, there, act, "twin"))
        for one, another in zip(told, told_there, strict=True):
            assert one == another
        text = repr(told)
        secrets = [*secrets_of(life, table, ""), *secrets_of(life, other, "twin")]
        assert not [secret for secret in secrets if secret in text]

    tried()
