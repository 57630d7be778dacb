"""The command line: usage, API keys, and the verification of proofs."""

import asyncio
import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

from locanda import verify
from locanda.verify import CARDS_ONLY, NOTHING_TO_COMPARE, UNREADABLE, WRONG
from services.terminal.__main__ import main
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine, seat_players
from tests.terminal.conftest import Command
from tests.terminal.pseudo_terminal import run_piped

pytestmark = pytest.mark.slow
OPEN = "A" * 22


@pytest.mark.parametrize(
    "arguments",
    [
        ("sing",),
        ("play", "briscola"),
        ("play", "ramino", "--computers", "-1"),
        ("play", "ramino", "--option", "target"),
        ("play", "ramino", "--seconds", "604801"),
        ("play", "--table", "not a table"),
        ("play", "ramino", "--server", "localhost:8080"),
        ("watch",),
        ("verify",),
        ("verify", "proof.json", "--table", OPEN),
    ],
)
def test_wrong_arguments_print_the_usage(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.startswith("usage: locanda")
    assert "error: " in error.splitlines()[-1]


@pytest.mark.parametrize(
    ("option", "expected"),
    [("--version", "^locanda [0-9]"), ("--help", "(?s)usage: locanda.*play.*watch.*verify")],
)
def test_version_and_help_are_printed(option: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert ended.value.code == 0
    assert re.search(expected, capsys.readouterr().out)


def test_what_the_encoding_of_the_output_lacks_is_printed_as_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows the encoding of a file or a pipe has no symbols for suits."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    monkeypatch.setenv("LC_ALL", "it_IT.ISO8859-1")
    with pytest.raises(SystemExit) as ended:
        main(["play", "--help"])
    assert ended.value.code == 0
    assert rb"sedevi gi\xe0" in written.getvalue()


async def test_who_names_no_command_plays_with_the_options_given(command: Command, unused_tcp_port: int) -> None:
    address = f"http://127.0.0.1:{unused_tcp_port}"
    error = await command.error("--server", address, "--language", "en")
    assert error == f"Nobody answers at {address}: is the engine running there?"


async def test_an_engine_with_api_keys_opens_tables_for_a_key(tmp_path: Path, command: Command) -> None:
    key = "open-sesame-open-sesame"
    settings = type(NO_LIMITS)(
        engine_tables_per_minute=0, engine_client_cpu_ms=0, engine_writes_per_second=0, engine_api_keys=key
    )
    async with running_engine(settings) as running:
        arguments = ("play", "ramino", "--computers", "1", "--server", running.url("/"))
        assert "key" in await command.error(*arguments)
        code, output, _ = await run_piped(tmp_path, *arguments, LOCANDA_API_KEY=key)
        assert code == 0
        assert "Your seat is kept" in output


def test_the_verifier_gives_up_on_a_made_up_proof_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Both mazzetti have a single card of the same rank, so no shuffle can break the tie."""
    start = {"options": {"mazzetto_size": 1}, "hands": [[], []], "dealer": 0}
    start |= {"mazzetti": [], "stock": [], "turn": None, "shuffles": 0, "seed": ""}
    proof = {"game": "diavoletto", "table": OPEN, "match": 1, "deal": 1, "rules": 1, "client_seeds": [], "moves": []}
    proof |= {"commitment": "0" * 64, "seed": "0" * 64, "start": start}
    proof |= {"result": {"ranking": [[0], [1]], "points": [0, 0], "reason": None}}
    answers = [verify.check(json.dumps(proof | {"server_seed": f"{number:064x}"})) for number in range(100)]
    assert set(answers) == {1, 2}
    assert "no shuffle breaks the tie" in capsys.readouterr().err


async def proof_of(running: RunningEngine) -> tuple[str, bytes]:
    """Play a deal, and return its table and its proof."""
    players = await seat_players(running, 2)
    await players.start()
    await players.play_out()
    return players.table, (await running.get(f"{players.path}/deals/1")).body


async def test_the_verifier_accepts_a_proof_and_rejects_a_tampered_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: Command
) -> None:
    async with running_engine() as running:
        table, proof = await proof_of(running)
        code, output, _ = await command.run("verify", "--table", table, "--server", running.url("/"))
    assert code == NOTHING_TO_COMPARE
    assert "proves nothing" in output
    tampered, committed = json.loads(proof), ("--commitment", json.loads(proof)["commitment"])
    tampered["start"]["hands"].reverse()
    capsys.readouterr()
    for text, arguments, code, first in (
        (proof.decode(), committed, CARDS_ONLY, f"The cards of deal 1 of match 1 at table {table} are as "),
        (proof.decode(), ("--commitment", "0" * 64), WRONG, "`commitment` is not the one that was published before"),
        (proof.decode(), (), NOTHING_TO_COMPARE, f"Deal 1 of match 1 at table {table} agrees with itself"),
        (json.dumps(tampered), committed, WRONG, "`hands` is not what this seed deals"),
        ("{}", committed, UNREADABLE, ""),
    ):
        file = tmp_path / "proof.json"
        await asyncio.to_thread(file.write_text, text)
        assert await asyncio.to_thread(main, ["verify", str(file), *arguments]) == code
        assert capsys.readouterr().out.startswith(first)


async def test_the_verifier_is_quiet_when_its_reader_leaves(tmp_path: Path) -> None:
    async with running_engine() as running:
        _, proof = await proof_of(running)
    file = tmp_path / "proof.json"
    await asyncio.to_thread(file.write_bytes, proof)
    for command in ("services.terminal verify", "locanda.verify"):
        reader, writer = os.pipe()
        os.close(reader)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *command.split(), str(file)), stdout=writer, stderr=asyncio.subprocess.PIPE
        )
        os.close(writer)
        _, errors = await process.communicate()
        assert (process.returncode, errors) == (NOTHING_TO_COMPARE, b"")


async def test_the_verification_of_a_table_checks_its_last_match_that_is_over(command: Command) -> None:
    async with running_engine() as running:
        players = await seat_players(running, 2)
        await players.start()
        verify_table = ("verify", "--table", players.table, "--server", running.url("/"))
        assert await command.error(*verify_table) == "The match is not over yet."
        await players.play_out()
        await players.start()
        code, output, _ = await command.run(*verify_table)
        assert (code, output[:18]) == (NOTHING_TO_COMPARE, "Deal 1 of match 1 ")


async def test_the_verifier_speaks_the_language_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: Command
) -> None:
    async with running_engine() as running:
        table, text = await proof_of(running)
        address = ("verify", "--table", table, "--server", running.url("/"))
        _, output, _ = await command.run(*address, LC_ALL="it_IT.UTF-8")
        assert output.startswith(f"La smazzata 1 della partita 1 al tavolo {table} concorda con sé stessa")
        _, output, _ = await command.run(*address, "--language", "en", LC_ALL="it_IT.UTF-8")
        assert output.startswith(f"Deal 1 of match 1 at table {table} agrees with itself")
    proof = json.loads(text)
    proof["start"]["hands"].reverse()
    capsys.readouterr()
    file = tmp_path / "proof.json"
    for written, expected in (
        (json.dumps(proof), "`hands` non è ciò che questo seme distribuisce\n"),
        ("[]", "Questa non è una prova leggibile: UnreadableError: `proof` non è un oggetto\n"),
    ):
        await asyncio.to_thread(file.write_text, written)
        await asyncio.to_thread(main, ["verify", str(file), "--language", "it"])
        assert expected in "".join(capsys.readouterr())  # the output also contains the engine's last log lines
