"""The command line in order: what it is asked in vain, it says in one clear sentence."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from services.terminal.__main__ import main
from shared import verify
from tests.client.rude_server import answer, rude_server
from tests.engine.http.house import FREE, House, gather, house
from tests.terminal.person import piped

OPEN = "A" * 22


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("sing",),
        ("play", "briscola"),
        ("play", "ramino", "--computers", "-1"),
        ("play", "ramino", "--option", "target"),
        ("play", "--table", "not a table"),
        ("play", "ramino", "--server", "localhost:8080"),
        ("watch",),
        ("verify",),
        ("verify", "proof.json", "--table", OPEN),
    ],
)
def test_what_cannot_be_asked_for_is_answered_with_the_usage(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said, complaint = capsys.readouterr()
    assert said == ""
    assert complaint.startswith("usage: locanda")
    assert "error: " in complaint.splitlines()[-1]


@pytest.mark.parametrize(
    ("asked", "told"),
    [("--version", "^locanda [0-9]"), ("--help", "(?s)usage: locanda.*play.*watch.*verify")],
)
def test_it_tells_its_version_and_how_to_be_used(asked: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([asked])
    assert ended.value.code == 0
    assert re.search(told, capsys.readouterr().out)


async def fails(home: Path, *arguments: str, **more: str) -> str:
    """Return the one sentence with which a command fails."""
    code, _, complaint = await piped(home, *arguments, **more)
    assert code == 1
    assert len(complaint.splitlines()) == 1, complaint
    return complaint.strip()


async def test_a_server_that_is_not_there_is_named(tmp_path: Path, unused_tcp_port: int) -> None:
    address = f"http://127.0.0.1:{unused_tcp_port}"
    complaint = await fails(tmp_path, "play", "ramino", "--computers", "1", LOCANDA_SERVER=address)
    assert complaint == f"Nobody answers at {address}: is the engine running there?"


@pytest.mark.parametrize("status", [200, 404])
async def test_a_server_that_is_none_of_ours_is_named(status: int, tmp_path: Path) -> None:
    async with rude_server(answer(status, b"<h1>It works!</h1>", "text/html")) as server:
        complaint = await fails(tmp_path, "watch", OPEN, "--server", server.url)
        assert complaint == f"What answers at {server.url} is no engine of Locanda's."


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("watch", OPEN), "no such table"),
        (("verify", "--table", OPEN), "no such table"),
        (("play", "diavoletto", "--option", "gold=1"), "has no option gold; it has max_piles"),
        (("play", "diavoletto", "--option", "deals=0"), "options.deals: "),
        (("play", "diavoletto", "--computers", "2"), "2 players at most"),
        (("play", "diavoletto", "--name", "\x1b[2J"), "name: "),
    ],
)
async def test_what_the_engine_refuses_is_said_in_words(
    arguments: tuple[str, ...],
    told: str,
    server: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert await asyncio.to_thread(main, [*arguments, "--server", server]) == 1
    complaint = capsys.readouterr().err
    assert told in complaint
    assert complaint.count("\n") == 1


async def test_a_server_cannot_steer_the_terminal_by_its_complaints(tmp_path: Path) -> None:
    told = {"type": "x", "title": "\x1b[2JBoo", "status": 418, "code": "x"}
    async with rude_server(answer(418, told)) as server:
        assert await fails(tmp_path, "watch", OPEN, "--server", server.url) == "[2JBoo."


async def test_at_a_table_that_plays_nobody_can_sit_down(tmp_path: Path) -> None:
    async with house() as running:
        players = await gather(running, 2)
        await players.start()
        complaint = await fails(tmp_path, "play", "--table", running.url(players.path))
        assert complaint.startswith("The match has already started: nobody can sit down any more, but you can watch.")


async def test_a_full_table_takes_nobody_else(tmp_path: Path) -> None:
    async with house() as running:
        players = await gather(running, 2, game="diavoletto")
        complaint = await fails(tmp_path, "play", "--table", running.url(players.path))
        assert complaint == "The table is full."


async def test_a_closed_house_opens_to_its_key(tmp_path: Path) -> None:
    key = "open-sesame-open-sesame"
    settings = type(FREE)(engine_tables_per_minute=0, engine_requests_per_second=0, engine_api_keys=key)
    async with house(settings) as running:
        asked = ("play", "ramino", "--computers", "1", "--server", running.url("/"))
        assert "key" in await fails(tmp_path, *asked)
        code, said, _ = await piped(tmp_path, *asked, LOCANDA_API_KEY=key)
        assert code == 0
        assert "Your seat is kept" in said


# --- proofs


def test_a_made_up_proof_cannot_keep_the_verifier_busy(capsys: pytest.CaptureFixture[str]) -> None:
    """Mazzetti of a single card of the same rank: no shuffle would ever break the tie."""
    start = {"options": {"mazzetto_size": 1}, "hands": [[], []], "dealer": 0}
    start |= {"mazzetti": [], "stock": [], "turn": None, "shuffles": 0, "seed": ""}
    proof = {"game": "diavoletto", "table": OPEN, "match": 1, "deal": 1, "commitment": "", "seed": ""}
    proof |= {"client_seeds": [], "start": start}
    answers = [verify.check(json.dumps(proof | {"server_seed": f"{number:064x}"})) for number in range(100)]
    assert set(answers) == {1, 2}
    assert "no shuffle breaks the tie" in capsys.readouterr().err


async def proof_of(running: House) -> tuple[str, bytes]:
    """Play a deal; return its table and its proof."""
    players = await gather(running, 2)
    await players.start()
    await players.play_out()
    return players.table, (await running.get(f"{players.path}/deals/1")).body


async def test_a_proof_is_checked_and_a_tampered_one_is_found_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with house() as running:
        table, proof = await proof_of(running)
        code, said, _ = await piped(tmp_path, "verify", "--table", table, "--server", running.url("/"))
    assert (code, said) == (0, f"Deal 1 of match 1 at table {table} is as it was committed.\n")
    tampered = json.loads(proof)
    tampered["start"]["hands"].reverse()
    capsys.readouterr()
    for text, (code, said) in {
        proof.decode(): (0, f"Deal 1 of match 1 at table {table} is as it was committed.\n"),
        json.dumps(tampered): (1, "`hands` is not what this seed deals\n"),
        "{}": (2, ""),
    }.items():
        file = tmp_path / "proof.json"
        await asyncio.to_thread(file.write_text, text)
        assert await asyncio.to_thread(main, ["verify", str(file)]) == code
        assert capsys.readouterr().out == said
