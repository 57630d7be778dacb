"""The verifier replays the moves of a proof with the rules of an engine."""

import asyncio
import json
import time
from types import SimpleNamespace
from typing import Any

import pytest

from locanda import verify
from locanda.verify import form
from services.engine.settings import EngineSettings
from tests.client.misbehaving_server import answer, misbehaving_server
from tests.engine.http.engine_server import RunningEngine, running_engine, seat_players

LITTLE_TIME = EngineSettings(engine_tables_per_minute=0, engine_client_cpu_ms=100)
FASTER = 20
"""The divisor of the verifier's pauses: an engine has processor time again much sooner than after a second."""


async def proof_of(engine: RunningEngine) -> dict[str, Any]:
    """Play a deal; return its proof."""
    players = await seat_players(engine, 2)
    await players.start()
    await players.play_out()
    proof: dict[str, Any] = (await engine.get(f"{players.path}/deals/1")).json
    return proof


async def examined(engine: RunningEngine, proof: dict[str, Any]) -> verify.Report:
    rules, published = verify.EngineRules(engine.url("/")), verify.Published(proof["commitment"])
    return await asyncio.to_thread(verify.examine, proof, published, rules=rules)


async def test_moves_and_result_are_played_again() -> None:
    async with running_engine() as engine:
        report = await examined(engine, await proof_of(engine))
    assert report.exit_code == verify.AGREES
    assert set(report.uncovered) == {"client_seeds", "moves", "start.options"}


@pytest.mark.slow
async def test_an_engine_that_gives_little_processor_time_is_asked_again_when_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits = list[float]()

    def wait(seconds: float) -> None:
        waits.append(seconds)
        time.sleep(seconds / FASTER)

    monkeypatch.setattr("services.engine.app.BURST", 0.01)
    monkeypatch.setattr("locanda.verify.rules.time", SimpleNamespace(sleep=wait))
    async with running_engine() as played:
        proof = await proof_of(played)
    async with running_engine(LITTLE_TIME) as engine:
        report = await examined(engine, proof)
    assert report.exit_code == verify.AGREES
    assert waits
    assert min(waits) >= 1


async def test_another_move_or_result_is_found() -> None:
    async with running_engine() as engine:
        proof = await proof_of(engine)
        moves, result = proof["moves"], proof["result"]
        pass_first = [{"seat": moves[0]["seat"], "move": {"type": "pass"}}, *moves[1:]]
        assert (await examined(engine, proof | {"moves": pass_first})).errors == [
            "`moves[0]` is against the rules: must_lead"
        ]
        nonsense = [{"seat": moves[0]["seat"], "move": {"type": "fly"}}, *moves[1:]]
        assert (await examined(engine, proof | {"moves": nonsense})).errors == [
            "`moves[0]` is against the rules: malformed"
        ]
        assert (await examined(engine, proof | {"moves": moves[:-1]})).errors == ["`moves` do not end the deal"]
        points = result | {"points": [points_of_seat + 1 for points_of_seat in result["points"]]}
        assert (await examined(engine, proof | {"result": points})).errors == ["`result` is not what the moves lead to"]


async def test_of_an_answer_no_more_is_read_than_an_engine_sends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_engine() as engine:
        proof = await proof_of(engine)
        rules = verify.EngineRules(engine.url("/"))
        monkeypatch.setattr(form, "MOST_BYTES", 100)
        assert await asyncio.to_thread(verify.check, json.dumps(proof), rules=rules) == verify.UNREADABLE
    assert "is no engine" in capsys.readouterr().err


async def test_an_engine_that_does_not_answer_as_one_is_said_to_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    async with running_engine() as engine:
        proof = await proof_of(engine)
    async with misbehaving_server(answer(200, b"<h1>It works!</h1>", "text/html")) as server:
        rules = verify.EngineRules(server.url)
        assert await asyncio.to_thread(verify.check, json.dumps(proof), rules=rules) == verify.UNREADABLE
    assert "The engine does not answer: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "sent", [b"HTTP/1.1 500 \x1b]0;owned\x07\r\n\r\n", b"\x1b[2Jnot HTTP\r\n\r\n"], ids=["reason", "no HTTP"]
)
async def test_what_a_hostile_engine_sends_neither_commands_the_terminal_nor_fails_the_proof(
    sent: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_engine() as engine:
        proof = await proof_of(engine)
    async with misbehaving_server(sent) as server:
        rules = verify.EngineRules(server.url)
        assert await asyncio.to_thread(verify.check, json.dumps(proof), rules=rules) == verify.UNREADABLE
    error = capsys.readouterr().err
    assert error.startswith("The engine does not answer: ")
    assert "\x1b" not in error
