"""`locanda export`: the exported data of finished matches."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from locanda import export
from locanda.client import EngineClient
from locanda.export import exported_matches
from locanda.games.registry import GAME_NAMES, WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from locanda.sync import SyncEngineClient
from locanda.verify import examine
from tests.e2e.processes import ROOT
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, captured_logs, running_engine, seat_players
from tests.programs import program


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    with captured_logs():
        async with running_engine() as running:
            yield running


async def finished(engine: RunningEngine, game: str = "gatto_rosso") -> SeatedPlayers:
    """Return the people at a table after a short finished match."""
    options = dict(WIRE_TYPES[game].PRESETS["quick"])
    players = await seat_players(engine, GAMES[game].suggested.start, game=game, options=options)
    await players.start()
    await players.play_out()
    return players


async def exported(engine: RunningEngine, table: str, token: str | None = None, **rest: Any) -> list[JsonObject]:
    """Return the exported matches of a table."""
    async with EngineClient.connect(engine.url("/")) as client:
        return [
            json.loads(msgspec.json.encode(match)) async for match in exported_matches(client, table, token, **rest)
        ]


async def test_a_program_without_asyncio_has_the_same_matches(engine: RunningEngine) -> None:
    players = await finished(engine)

    def matches() -> list[export.ExportedMatch]:
        with SyncEngineClient.connect(engine.url("/")) as client:
            return [*client.iterate(exported_matches, players.table, players.tokens[0])]

    matches_ = json.loads(msgspec.json.encode(await asyncio.to_thread(matches)))
    assert matches_ == await exported(engine, players.table, players.tokens[0])


@pytest.mark.slow
@pytest.mark.parametrize("seat", [1, None])
async def test_the_example_in_javascript_exports_the_same_deals(engine: RunningEngine, seat: int | None) -> None:
    players = await finished(engine)
    link, arguments = engine.url(f"/t/{players.table}"), [] if seat is None else [str(seat)]
    process = await asyncio.create_subprocess_exec(
        program("node"), "examples/export_deals.mjs", link, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    lines = (await process.communicate())[0].splitlines()
    [match] = await exported(engine, players.table, seat=seat)
    for line, deal in zip(lines, match["deals"], strict=True):
        exported_deal = json.loads(line)
        assert {name: exported_deal[name] for name in ("game", "seat")} == {
            name: match[name] for name in ("game", "seat")
        }
        assert {name: exported_deal[name] for name in deal} == deal


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_match_is_one_line_with_its_moves_a_seats_views_result_and_proofs(
    engine: RunningEngine, game: str
) -> None:
    players = await finished(engine, game)
    table = await players.see(1)
    [match] = await exported(engine, players.table, players.tokens[1])
    assert (match["seat"], match["result"]) == (1, table["match"]["result"])
    assert len(match["deals"]) == table["match"]["deal"]
    for deal in match["deals"]:
        assert not examine(deal["proof"]).errors
        assert [{"seat": step["turn"], "move": step["move"]} for step in deal["steps"]] == deal["proof"]["moves"]
        for step in deal["steps"]:
            assert step["viewer"] == step["view"]["seat"] == 1
            assert (step["move"] in step["moves"]) == (step["turn"] == 1)
    assert match["deals"][-1]["end"] == table["deal"]


async def test_views_are_those_that_the_seat_had_at_the_table(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, options={"deals": 1})
    table, seen = await players.start(), list[JsonObject]()
    while table["status"] != "over":
        seen.append(await players.see(0))
        table = (await players.play()).json["table"]
    [match] = await exported(engine, players.table, seat=0)
    steps = match["deals"][0]["steps"]
    assert [step["view"] for step in steps] == [shown_table["deal"] for shown_table in seen]
    assert [step["moves"] for step in steps] == [shown_table["moves"] for shown_table in seen]


async def test_without_a_seat_each_view_is_that_of_whoever_moves(engine: RunningEngine) -> None:
    players = await finished(engine)
    [match] = await exported(engine, players.table)
    assert match["seat"] is None
    for step in match["deals"][0]["steps"]:
        assert step["viewer"] == step["turn"] == step["view"]["seat"]
        assert step["move"] in step["moves"]


async def test_rematches_are_lines_of_their_own_and_a_match_that_goes_on_is_none(engine: RunningEngine) -> None:
    players = await finished(engine)
    first = (await players.see())["match"]["result"]
    await players.start()
    [match] = await exported(engine, players.table)
    assert (match["match"], match["result"]) == (1, first)
    second = (await players.play_out())["match"]["result"]
    lines = await exported(engine, players.table)
    assert [(line["match"], line["result"]) for line in lines] == [(1, first), (2, second)]


async def test_names_and_tokens_are_in_no_line(engine: RunningEngine) -> None:
    players = await finished(engine)
    text = json.dumps(await exported(engine, players.table, players.tokens[0]))
    assert not [secret for secret in ("Anna", "Ospite", *players.tokens) if secret in text]


# --- the command


async def run(*arguments: str, code: int = 0) -> None:
    """Run the command, and check its exit code."""
    assert await asyncio.to_thread(export.main, arguments) == code


async def test_tables_of_many_seats_are_written_to_a_file(
    engine: RunningEngine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = await finished(engine), await finished(engine)
    server = engine.url("").rstrip("/")
    folder, lines, out = tmp_path / "seats", tmp_path / "lines", tmp_path / "out"
    saved = {"place": {"server": server, "table": one.table}, "token": one.tokens[1]}
    listed = {"table": f"{server}/t/{other.table}", "token": other.tokens[0]}

    def write() -> None:
        folder.mkdir()
        (folder / f"{one.table}.json").write_text(json.dumps(saved))
        lines.write_text(f"{json.dumps(listed)}\n")

    await asyncio.to_thread(write)
    await run("--seats", str(folder), "--seats", str(lines), "--output", str(out))
    written = [json.loads(line) for line in (await asyncio.to_thread(out.read_text)).splitlines()]
    assert [(line["table"], line["seat"]) for line in written] == [(one.table, 1), (other.table, 0)]
    assert capsys.readouterr().err.endswith("matches: 2, tables: 2\n")


async def test_a_table_that_cannot_be_read_is_named_and_the_others_are_written(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    players, server = await finished(engine), engine.url("").rstrip("/")
    monkeypatch.setenv("LOCANDA_SERVER", server)
    await run("-" + "A" * 21, players.table, code=1)
    output = capsys.readouterr()
    assert f"{server}/t/-{'A' * 21}: no_such_table: " in output.err
    assert output.err.endswith("matches: 1, tables: 1\n")
    assert f'"table":"{players.table}"' in output.out


def test_a_line_that_is_no_seat_is_refused_without_its_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "seats"
    file.write_text("secret-token")
    assert export.main(["--seats", str(file)]) == 1
    assert capsys.readouterr().err == f'{file}: a line is not {{"table": "LINK", "token": "TOKEN"}}\n'


@pytest.mark.parametrize("link", ["nowhere", "https://example.org/"])
def test_what_is_no_table_is_refused(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert export.main([link]) == 1
    assert capsys.readouterr().err == f"{link!r} is neither a link to a table nor the id of one\n"
