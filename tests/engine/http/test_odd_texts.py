"""No text from a client breaks the response about it, and the metrics count the status that was sent."""

import pytest

from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, running_engine
from tests.engine.http.raw_client import send_bytes

SURROGATES = [
    b'{"a":1,"\\ud800":1,"\\ud800":2}',
    b'{"\\ud800":1}',
    b'{"game":"\\ud800","name":"Anna"}',
    b'{"game":"gatto_rosso","name":"\\udfff"}',
    b'{"game":"gatto_rosso","name":"Anna","options":{"\\ud800":1.0}}',
    b'{"game":"gatto_rosso","name":"Anna","options":{"a":"\\udc00\\ud800"}}',
    b'{"game":"gatto_rosso","name":"Anna","options":{"\\ud800":1,"\\ud800":1}}',
    b'{"game":"gatto_rosso","name":"Anna","\xed\xa0\x80":1}',
]
"""Lone surrogates, which cannot be encoded."""


@pytest.mark.parametrize("body", SURROGATES)
async def test_no_half_character_breaks_the_answer_about_it(engine: RunningEngine, body: bytes) -> None:
    answer = await engine.post("/v1/tables", body)
    assert answer.status == 400
    counted = (await engine.get("/metrics")).body.decode()
    assert f'locanda_problems_total{{code="{answer.code}"}} 1' in counted
    assert 'locanda_requests_total{method="POST",route="/v1/tables",status="400"} 1' in counted
    assert 'status="499"' not in counted


@pytest.mark.parametrize("query", ["%ED%A0%80=1", "%ff=1", "after=%ED%A0%80", "after=1&after=%ff", "%00=1"])
async def test_no_odd_text_in_a_query_breaks_the_answer_about_it(players: SeatedPlayers, query: str) -> None:
    for path in (players.path, "/v1/games"):
        answer = await players.engine.get(f"{path}?{query}")
        assert (answer.status, answer.code) == (400, "malformed")


async def test_a_key_of_odd_bytes_is_a_wrong_key() -> None:
    async with running_engine(EngineSettings(engine_api_keys="k" * 16)) as engine:
        body = b'{"game":"gatto_rosso","name":"Anna"}'
        head = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nX-API-Key: \xff\xfe\r\nContent-Type: application/json\r\n"
        (reply,) = await send_bytes(
            engine, head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
    assert reply.status == 401


async def test_a_problem_quotes_no_more_than_a_little(engine: RunningEngine) -> None:
    answer = await engine.post("/v1/tables", {"n" * 60_000: 1})
    assert (answer.status, answer.code) == (400, "malformed")
    assert len(answer.body) < 2000
