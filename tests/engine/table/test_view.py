"""Two tables that differ only in hidden facts give a viewer the same bytes in every call, event and header.

The duration of a response is not compared: differences are far below the noise of machine and network.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from locanda.games.rules import GAMES
from services.engine.service import codec
from services.engine.settings import EngineSettings
from services.engine.store import connect
from services.engine.table import fairness
from services.engine.table.fairness import shuffle
from services.engine.table.state import AnyTable, Transition, game_of, turn_of
from tests.engine.http.engine_server import ApiRequest, ApiResponse, RunningEngine, captured_logs, running_engine
from tests.engine.http.lookalikes import (
    AT,
    TableHistory,
    lookalike_of,
    store_transitions,
    table_histories,
    transitions_of,
)
from tests.games.subjects import SUBJECTS
from tests.sampling import costly_but_for

pytestmark = pytest.mark.slow

SLOW_COMPUTERS = EngineSettings(
    engine_tables_per_minute=0, engine_client_cpu_ms=0, engine_writes_per_second=0, engine_think_ms=AT.think_ms
)
NOBODYS = "n" * 43
SAME_ID = {"X-Request-ID": "the-same"}
NEW_TOKEN = re.compile(rb'"token":"[^"]*"')
MALFORMED: list[Any] = [None, 1, "play", [], {}, {"type": "nope"}, {"type": "play"}, {"type": "play", "card": "9x"}]
MALFORMED += [{"type": "discard", "card": []}, {"type": "give", "cards": ["Ah", "Ah"]}, {"type": "meld", "cards": [{}]}]
SELECTIONS = 6
"""The number of moves of the deal that are tried at each moment. Some of them are illegal."""


def readings(table: AnyTable) -> Iterator[ApiRequest]:
    """Yield every request that reads a table."""
    version = table.version
    yield from (ApiRequest(method, "") for method in ("GET", "HEAD"))
    for tag in (f'"{version}"', f'W/"{version}"', f'"{version - 1}"', "*", "odd"):
        yield ApiRequest("GET", "", headers={"If-None-Match": tag})
    for query in (f"after={version - 1}&wait=5", f"after={version}&wait=0.001", "after=x", "wait=-1", "other=1"):
        yield ApiRequest("GET", f"?{query}")
    page = {"Accept": "application/json"}
    for query in ("", *(f"?after={max(0, version - back)}" for back in (0, 1, 5, 31, 32, 60)), f"?after={version + 3}"):
        yield ApiRequest("GET", f"/events{query}", headers=page)
    for path in ("?words=true", "/events?words=true", "/moves?words=true", f"?after={version - 1}&wait=1&words=true"):
        yield from (ApiRequest("GET", path, headers=page | {"Accept-Language": tag}) for tag in ("it", "en"))
    yield ApiRequest("GET", "/events", headers={"Accept": "image/png"})
    yield ApiRequest("GET", "/events", headers={"Last-Event-ID": "odd"})
    yield ApiRequest("GET", "/moves")
    for deal in ("0", "1", "2", "99", "x"):
        yield from (ApiRequest("GET", f"/deals/{deal}{query}") for query in ("", "?match=0", "?match=1", "?match=2"))


def refusable(table: AnyTable, viewer: int | None, rng: Random) -> Iterator[ApiRequest]:
    """Yield writes that are refused at any turn, because they are outdated or impossible."""
    for tag in (f'"{table.version - 1}"', f'"{table.version + 1}"', 'W/"1"', '"odd"', '"1", "2"', "odd"):
        for path in ("/start", "/moves", "/seats/0/return"):
            body = {"move": {"type": "pass"}} if path == "/moves" else None
            yield ApiRequest("POST", path, body, {"If-Match": tag})
    yield from (ApiRequest("POST", "/moves", {"move": move}) for move in MALFORMED)
    yield from (ApiRequest("POST", "/moves", body) for body in (b"", b"{", b'{"move":', b"[]", b'{"move":{},"x":1}'))
    yield from (ApiRequest("POST", "/moves/check", {"move": move}) for move in MALFORMED)
    yield from (ApiRequest(method, "/moves") for method in ("PUT", "DELETE", "PATCH"))
    yield ApiRequest("POST", "/seats", {"name": "Z", "kind": "computer", "level": "best"})
    yield ApiRequest("DELETE", "/seats/99")
    for seat in range(len(table.seats)):
        if seat != viewer:
            yield ApiRequest("PUT", f"/seats/{seat}/seed", {"client_seed": "z"})
            yield ApiRequest("PUT", f"/seats/{seat}/rematch", {"stays": True})
            yield ApiRequest("POST", f"/seats/{seat}/return")
    if viewer is None or viewer != table.host:
        yield from (ApiRequest("DELETE", f"/seats/{seat}") for seat in range(len(table.seats)) if seat != viewer)
        yield ApiRequest("PATCH", "", {"listed": False})
        yield ApiRequest("POST", "/start")
    if table.deal is not None:
        yield from _moves(table, viewer, rng)


def _moves(table: AnyTable, viewer: int | None, rng: Random) -> Iterator[ApiRequest]:
    """Yield checks of some moves of the deal. Moves that the viewer may not make are sent as moves, too."""
    moves: list[Any] = list(SUBJECTS[table.game].moves(table.deal))
    game, mine = game_of(table), viewer is not None and turn_of(table) == viewer
    for move in rng.sample(moves, min(SELECTIONS, len(moves))):
        body = {"move": msgspec.to_builtins(move)}
        yield ApiRequest("POST", "/moves/check", body)
        yield ApiRequest("POST", "/moves/check?words=true", body, {"Accept-Language": "it"})
        if not mine or game.check(table.deal, move) is not None:
            yield ApiRequest("POST", "/moves", body, {"Idempotency-Key": "one-of-their-own"})
            yield ApiRequest("POST", "/moves?words=true", body, {"Accept-Language": "it"})


def final(table: AnyTable, viewer: int | None) -> Iterator[ApiRequest]:
    """Yield writes that may change the table without revealing a hidden card."""
    yield ApiRequest("POST", "/seats", {"name": "Zoe"}, {"Idempotency-Key": "a-key-of-sixteen-or-more"})
    yield ApiRequest("POST", "/seats", {"name": "Zoe"}, {"Idempotency-Key": "a-key-of-sixteen-or-more"})
    yield ApiRequest("POST", "/seats", {"name": "Z", "kind": "computer"})
    if viewer is not None:
        yield ApiRequest("PUT", f"/seats/{viewer}/seed", {"client_seed": "z"})
        yield ApiRequest("POST", f"/seats/{viewer}/return")
        yield ApiRequest("PATCH", "", {"listed": True, "turn_seconds": 5})
        yield ApiRequest("PATCH", "?words=true", {"listed": True, "turn_seconds": 6})
        yield ApiRequest("DELETE", f"/seats/{len(table.seats) - 1}", None, {"Idempotency-Key": "k"})
        yield ApiRequest("DELETE", f"/seats/{len(table.seats) - 1}", None, {"Idempotency-Key": "k"})
    # after a match, newcomers would begin the next one, with other secrets
    if viewer is not None and table.status != "over":
        yield ApiRequest("DELETE", f"/seats/{viewer}")
    yield ApiRequest("GET", "")
    yield ApiRequest("GET", "/events", headers={"Accept": "application/json"})


class Viewer:
    """A viewer of one of the two tables."""

    def __init__(self, engine: RunningEngine, history: TableHistory) -> None:
        self._engine = engine
        self._path = f"/v1/tables/{history.table}"
        self.token = None if history.viewer is None else history.token(history.viewer)

    async def send_all(self, requests: Iterable[ApiRequest], token: str | None) -> list[tuple[ApiRequest, Any]]:
        """Send these requests. Return the status, the headers and the body of each response."""
        return [(request, _bytes(await self._send(request, token))) for request in requests]

    async def _send(self, request: ApiRequest, token: str | None) -> ApiResponse:
        headers = SAME_ID | dict(request.headers)
        address = self._path + request.path
        return await self._engine.ask(request.method, address, request.body, token=token, headers=headers)

    async def follow(self, frames: int, after: int | None, query: str = "", seats: Sequence[str] = ()) -> list[Any]:
        """Read a number of frames from the stream of events.

        The views for the tokens in `seats` come before each frame.
        """
        headers = SAME_ID | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        headers |= {} if after is None else {"Last-Event-ID": str(after)}
        headers |= {"Seat-Tokens": ",".join(seats)} if seats else {}
        url = self._engine.url(f"{self._path}/events{query}")
        async with asyncio.timeout(60):
            async with self._engine.session.get(url, headers=headers) as stream:
                head = (stream.status, _headers(stream.headers.items()))
                # After two lines at the beginning, a frame has four lines, and three more for each seat.
                lines = 2 + (4 + 3 * len(seats)) * frames
                return [head, [await stream.content.readline() for _ in range(lines)]]


def _bytes(answer: ApiResponse) -> Any:
    body = NEW_TOKEN.sub(b'"token":"new"', answer.body) if answer.status == 201 else answer.body
    return (answer.status, _headers(answer.headers.items()), body)


def _headers(items: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in items if name.lower() != "date"]


def next_act(history: TableHistory, here: AnyTable, there: AnyTable) -> Any:
    """Return a legal move after which both tables still look the same to the viewer, or None."""
    if turn_of(here) is None:
        return None
    game = game_of(here)
    for move in game.moves(here.deal)[:20]:
        if game.check(there.deal, move) is not None:
            continue
        one, other = (game.play(deal, move, shuffle)[0] for deal in (here.deal, there.deal))
        over = game.result(one) is not None
        if not over and game.view(one, history.viewer) == game.view(other, history.viewer):
            return move
    return None


async def seen(history: TableHistory, transitions: list[Transition], act: Any, lookalike: str) -> list[Any]:
    """Return all data that the viewer can get from one of the two tables."""
    table, rng = transitions_of(history)[-1].table, Random(history.start.seed)
    store = await connect(None)
    await store_transitions(store, transitions)
    async with running_engine(SLOW_COMPUTERS, store, now=lambda: AT.now) as engine:
        viewer = Viewer(engine, history)
        looks, writes = list(readings(table)), list(refusable(table, history.viewer, rng))
        answers: list[Any] = await viewer.send_all([*looks, *writes], viewer.token)
        answers += await viewer.send_all([*looks[:1], *rng.sample(writes, 3)], NOBODYS)
        answers += await viewer.send_all([ApiRequest("GET", "?limit=100")], None)
        answers.append(await viewer.follow(1, None, seats=(viewer.token or NOBODYS, NOBODYS)))
        answers.append(await viewer.follow(1, None, "?words=true"))
        answers.append(await viewer.follow(1, max(0, table.version - 60)))
        answers.append(await viewer.follow(min(3, table.version - 1), table.version - min(3, table.version - 1)))
        if act is not None:
            answers += await _act(engine, viewer, history, table, act, lookalike)
        return answers + await viewer.send_all(final(table, history.viewer), viewer.token)


async def _act(
    engine: RunningEngine, viewer: Viewer, history: TableHistory, table: AnyTable, act: Any, lookalike: str
) -> list[Any]:
    """Make a move for the seat on turn while the viewer follows the stream and also waits by long polling."""
    turn = turn_of(table)
    if turn is None or table.seats[turn].kind == "computer":
        return []
    following = asyncio.create_task(viewer.follow(2, None, "?words=true"))
    waiting = asyncio.create_task(viewer.send_all([ApiRequest("GET", f"?after={table.version}&wait=9")], viewer.token))
    await engine.followed(history.table, 2)
    body = {"move": msgspec.to_builtins(act)}
    token = history.token(turn, lookalike)
    answer = await engine.post(f"/v1/tables/{history.table}/moves", body, token=token, headers=SAME_ID)
    assert answer.status == 200, answer.body
    own = [_bytes(answer)] if turn == history.viewer else []
    return [*own, await following, *await waiting]


@pytest.fixture
def veiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all commitments equal. SHA-256 hides the seed, so the two roots may differ."""
    monkeypatch.setattr(fairness, "commitment", lambda table, match, seed: "c" * 64)


def secrets_of(history: TableHistory, table: AnyTable, lookalike: str) -> list[str]:
    """Return strings that no response may contain: tokens, and the sources of the shuffles of unfinished matches."""
    tokens = [history.token(seat, lookalike) for seat in range(history.start.seats)]
    match = table.match
    roots = [match.root, fairness.server_seed(match.root, match.number + 1)]
    seeds = [] if match.result else [match.server_seed, *(match.deal_seed(deal) for deal in range(match.deal + 2))]
    return [*tokens, *(secret.hex() for secret in (*roots, *seeds) if secret != bytes(32))]


@pytest.mark.usefixtures("veiled")
@pytest.mark.parametrize("name", costly_but_for("gatto_rosso", GAMES))
def test_what_a_viewer_may_not_see_changes_no_byte_and_no_seed_is_shown(name: str) -> None:
    @settings(max_examples=max(2, settings().max_examples // 4))
    @given(history=table_histories(name))
    def tried(history: TableHistory) -> None:
        here = transitions_of(history)
        there = lookalike_of(history, here)
        table, other = here[-1].table, there[-1].table
        assert codec.encode(table) != codec.encode(other)
        act = next_act(history, table, other)
        with captured_logs(level="error"):
            here_seen = asyncio.run(seen(history, here, act, ""))
            there_seen = asyncio.run(seen(history, there, act, "lookalike"))
        for one, another in zip(here_seen, there_seen, strict=True):
            assert one == another
        text = repr(here_seen)
        secrets = [*secrets_of(history, table, ""), *secrets_of(history, other, "lookalike")]
        assert not [secret for secret in secrets if secret in text]

    tried()
