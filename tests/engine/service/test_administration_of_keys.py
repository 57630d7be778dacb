"""API keys: if the operator has set any keys, only their holders can open tables."""

import hmac
from collections.abc import AsyncIterator

import pytest

from locanda.client import EngineClient
from locanda.errors import UnauthorizedError
from locanda.messages import JsonObject, OpenTable
from services.engine.settings import EngineSettings, load
from tests.engine.http.engine_server import RunningEngine, captured_logs, running_engine, seat_players

KEYS = ("k" * 16, "another-key-of-the-engine", "a-third~key/+=")
OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}
CLOSED = EngineSettings(engine_api_keys=" , ".join(KEYS))


@pytest.fixture
async def closed() -> AsyncIterator[RunningEngine]:
    """An engine that requires API keys."""
    async with running_engine(CLOSED) as engine:
        yield engine


@pytest.mark.parametrize(
    "key", [None, "", "k" * 15, "k" * 17, "K" * 16, KEYS[0] + "," + KEYS[1], f"Bearer {KEYS[0]}", "é" * 16]
)
async def test_without_a_valid_key_no_table_is_opened(closed: RunningEngine, key: str | None) -> None:
    answer = await closed.post("/v1/tables", OPEN, headers={} if key is None else {"X-API-Key": key})
    assert (answer.status, answer.code) == (401, "no_key")
    assert answer.headers["WWW-Authenticate"].startswith("ApiKey ")
    assert (await closed.get("/v1/tables")).json["tables"] == []


@pytest.mark.parametrize("key", KEYS)
async def test_each_key_opens_tables(closed: RunningEngine, key: str) -> None:
    assert (await closed.post("/v1/tables", OPEN, headers={"X-API-Key": key})).status == 201


async def test_two_keys_in_one_request_are_refused(closed: RunningEngine) -> None:
    headers = [("X-API-Key", KEYS[0]), ("X-API-Key", KEYS[1])]
    async with closed.session.post(closed.url("/v1/tables"), json=OPEN, headers=headers) as answer:
        assert (answer.status, (await answer.json(content_type=None))["code"]) == (400, "bad_header")


async def test_a_retry_needs_the_key_again(closed: RunningEngine) -> None:
    once = {"Idempotency-Key": "a-key-that-nobody-guesses"}
    assert (await closed.post("/v1/tables", OPEN, headers=once | {"X-API-Key": KEYS[0]})).status == 201
    assert (await closed.post("/v1/tables", OPEN, headers=once)).code == "no_key"


async def test_an_open_table_needs_no_key(closed: RunningEngine) -> None:
    opened = await closed.post("/v1/tables", OPEN, headers={"X-API-Key": KEYS[0]})
    path = f"/v1/tables/{opened.json['table']['id']}"
    assert (await closed.post(f"{path}/seats", {"name": "Bruno"})).status == 201
    assert (await closed.post(f"{path}/start", token=opened.json["token"])).status == 200
    assert (await closed.get(path)).status == 200


async def test_an_engine_without_keys_asks_for_none(engine: RunningEngine) -> None:
    await seat_players(engine, 1)
    assert (await engine.post("/v1/tables", OPEN, headers={"X-API-Key": "x"})).status == 201


async def test_every_key_is_compared_in_constant_time(closed: RunningEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []
    truly = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return truly(one, other)

    monkeypatch.setattr("hmac.compare_digest", compare)
    for key in (KEYS[0], KEYS[-1], "x", "x" * 5000):
        compared.clear()
        await closed.post("/v1/tables", OPEN, headers={"X-API-Key": key})
        assert compared == [(32, 32)] * len(KEYS)


async def test_keys_are_in_no_log_and_in_no_answer(closed: RunningEngine) -> None:
    with captured_logs("json", "debug") as text:
        answers = [await closed.post("/v1/tables", OPEN, headers={"X-API-Key": key}) for key in (*KEYS, "wrong" * 4)]
    seen = text.getvalue() + "".join(f"{answer.body!r}{answer.headers}" for answer in answers)
    assert "request" in seen
    assert not [key for key in (*KEYS, "wrong" * 4) if key in seen]
    assert not [key for key in KEYS if key in repr(CLOSED)]


async def test_the_client_sends_its_key(closed: RunningEngine) -> None:
    base = closed.url("")
    stranger, friend = EngineClient(base, closed.session), EngineClient(base, closed.session, api_key=KEYS[1])
    with pytest.raises(UnauthorizedError) as raised:
        await stranger.open_table(OpenTable("gatto_rosso", "Anna"))
    assert raised.value.code == "no_key"
    assert (await friend.open_table(OpenTable("gatto_rosso", "Anna"))).seat == 0


def test_keys_are_listed_with_commas() -> None:
    assert load({"ENGINE_API_KEYS": f"{KEYS[0]}, {KEYS[1]}"}).engine_api_keys == f"{KEYS[0]}, {KEYS[1]}"
