"""Ids and tokens cannot be guessed; they are stored as hashes and compared in constant time."""

import asyncio
import hmac
import secrets
from base64 import urlsafe_b64decode
from collections.abc import Callable

import pytest
from msgspec import structs

from services.engine.service import tokens
from services.engine.settings import EngineSettings
from services.engine.table.state import seat_of
from tests.engine.http.engine_server import RunningEngine, running_engine
from tests.engine.table.tables import opened, person
from tests.redis_server import RedisServer

KEYS = KEY, OTHER = "a-key-that-nobody-guesses", "another-one-of-them"


@pytest.mark.parametrize(
    ("make", "length", "octets"), [(tokens.new_table_id, 22, 16), (tokens.new_token, 43, 32)], ids=["id", "token"]
)
def test_ids_and_tokens_are_random_bits_of_the_operating_systems_generator(
    make: Callable[[], str], length: int, octets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = [make() for _ in range(10_000)]
    assert len(set(drawn)) == len(drawn)
    assert {len(value) for value in drawn} == {length}
    assert {len(urlsafe_b64decode(value + "==")) for value in drawn} == {octets}
    assert vars(tokens)["token_urlsafe"] is secrets.token_urlsafe
    monkeypatch.setattr(tokens, "token_urlsafe", str)
    assert make() == str(octets)


def test_every_bit_of_a_token_is_as_often_one_as_zero() -> None:
    drawn = 4000
    ones = [0] * 256
    for _ in range(drawn):
        number = int.from_bytes(urlsafe_b64decode(tokens.new_token() + "="))
        ones = [count + (number >> bit & 1) for bit, count in enumerate(ones)]
    # The bound is seven standard deviations, so a false alarm is expected once in some billion runs.
    assert max(abs(count - drawn / 2) for count in ones) < 7 * (drawn / 4) ** 0.5


def test_a_token_made_for_a_key_needs_both_the_key_and_what_is_stored() -> None:
    nonce = tokens.new_secret()
    assert tokens.token_for(KEY, nonce) == tokens.token_for(KEY, nonce)
    assert tokens.token_for(KEY, nonce) != tokens.token_for(KEY, tokens.new_secret())
    assert tokens.token_for(KEY, nonce) != tokens.token_for(OTHER, nonce)
    assert len(tokens.token_for(KEY, nonce)) == len(tokens.new_token())


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_token_is_compared_with_every_seats_whichever_it_is(
    seat: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_tokens = [tokens.new_token() for _ in range(3)]
    table = opened(person("Bruno"), person("Carla"))
    seats = tuple(
        structs.replace(seat_state, token=tokens.digest(token))
        for seat_state, token in zip(table.seats, given_tokens, strict=True)
    )
    compared: list[tuple[int, int]] = []
    truly = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return truly(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    token = tokens.new_token() if seat is None else given_tokens[seat]
    assert seat_of(structs.replace(table, seats=seats), tokens.digest(token)) == seat
    assert compared == [(32, 32)] * 3


async def test_no_token_and_no_key_is_stored(mortal_redis: RedisServer) -> None:
    async with running_engine(EngineSettings(redis_url=mortal_redis.url)) as engine:
        plain, keyed = await _tokens(engine, {}, {}), await _tokens(engine, *({"Idempotency-Key": key} for key in KEYS))
    written = await asyncio.to_thread(_log, mortal_redis)
    assert b":table" in written
    assert not [secret for secret in (*KEYS, *plain, *keyed) if secret.encode() in written]


def _log(redis: RedisServer) -> bytes:
    """Return all commands that were ever written to the server."""
    return b"".join(file.read_bytes() for file in redis.directory.rglob("*.aof"))


async def _tokens(engine: RunningEngine, opening: dict[str, str], sitting: dict[str, str]) -> list[str]:
    """Open a table, sit down and start the match. Return the tokens."""
    table = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"}, headers=opening)
    path, token = f"/v1/tables/{table.json['table']['id']}", table.json["token"]
    sat = await engine.post(f"{path}/seats", {"name": "Bruno"}, headers=sitting)
    assert (await engine.post(f"{path}/start", token=token)).status == 200
    return [token, sat.json["token"]]
