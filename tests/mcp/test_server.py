"""An agent plays a match over MCP. It never sees a token or a stack trace."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent, TextResourceContents

from locanda import command
from locanda.client import EngineClient, RetryPolicy
from locanda.games.registry import GAME_NAMES
from locanda.mcp import server as mcp
from locanda.mcp.agent_seat import AgentSeat
from locanda.messages import OpenTable, SitDown
from tests.engine.http.engine_server import running_engine
from tests.forked import ROOT
from tests.redis_server import free_port

VERSION = re.compile(r"^Version (\d+)", re.MULTILINE)
MOVE = re.compile(r"^(\d+)\. (.+)", re.MULTILINE)


class Agent:
    """A scripted agent that records everything it is shown."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.texts: list[str] = []

    async def call(self, tool: str, **arguments: object) -> str:
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert isinstance(content, TextContent)
        assert not answer.is_error, content.text
        self.texts.append(content.text)
        return content.text

    async def refused(self, tool: str, **arguments: object) -> str:
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert isinstance(content, TextContent)
        assert answer.is_error
        self.texts.append(content.text)
        return content.text

    async def read(self, uri: str) -> str:
        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        self.texts.append(content.text)
        return content.text

    async def play_to_the_end(self) -> str:
        while True:
            seen = await self.call("wait_for_my_turn")
            numbers = MOVE.findall(seen.partition("Moves:")[2])
            if not numbers:
                return seen
            version = VERSION.search(seen)
            assert version
            await self.call("play", move=int(numbers[-1][0]), version=int(version[1]))


@asynccontextmanager
async def table_of(url: str, game: str, **rest: object) -> AsyncIterator[tuple[EngineClient, str, str]]:
    """Start a match against a computer player. Yield the engine, the table and the token of the agent's seat."""
    async with EngineClient.connect(url) as engine:
        opened = await engine.open_table(OpenTable(game=game, name="Anna", **rest))  # type: ignore[arg-type]
        table, token = opened.table.id, opened.token or ""
        await engine.sit(table, SitDown(name="Bruno", kind="computer", level="easy"), token)
        await engine.start(table, token)
        yield engine, table, token


@asynccontextmanager
async def agent_at(
    url: str, place: tuple[str, str] | None, folder: Path = Path("/nowhere"), retry: RetryPolicy = mcp.RETRY
) -> AsyncIterator[Agent]:
    """Connect an agent to an MCP server in this process, with or without an existing seat."""
    async with EngineClient.connect(url, language="en", words=True, retry=retry) as engine:
        seat = AgentSeat(engine, url, "en", folder)
        if place is not None:
            seat.take(*place)
        async with Client(mcp.server_of(seat)) as client:
            yield Agent(client)


@pytest.mark.costly
@pytest.mark.slow
async def test_an_agent_finishes_a_match_over_standard_input_and_output(tmp_path: Path) -> None:
    async with running_engine() as running, table_of(running.url(""), GAME_NAMES[0]) as (engine, table, token):
        await asyncio.to_thread((tmp_path / "token").write_text, f"{token}\n")
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT / "shared"),
            "LOCANDA_TABLE": f"{running.url('')}/t/{table}",
        }
        arguments = ["-m", "locanda.mcp", "--token-file", str(tmp_path / "token")]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
        with await asyncio.to_thread((tmp_path / "errors").open, "w+") as errors:
            async with Client(stdio_client(server, errlog=errors)) as client:
                agent = Agent(client)
                assert {tool.name for tool in (await client.list_tools()).tools} == {
                    *("games", "open_table", "join_table", "start"),
                    *("look", "wait_for_my_turn", "play", "hint", "come_back"),
                }
                assert "# " in await agent.read("locanda://rules")
                assert '"hand":[' in await agent.read("locanda://view")
                end = await agent.play_to_the_end()
        over = await engine.table(table)
        assert over.status == "over"
        assert f"Version {over.version}." in end
        assert "🥇" in end or "1." in end
        assert not any(token in text for text in agent.texts)
        assert token not in await asyncio.to_thread((tmp_path / "errors").read_text)


async def test_an_agent_is_shown_what_happened_since_it_looked_last() -> None:
    async with (
        running_engine() as running,
        table_of(running.url(""), GAME_NAMES[0]) as (_, table, token),
        agent_at(running.url(""), (table, token)) as agent,
    ):
        seen = await agent.call("wait_for_my_turn")
        version = int(VERSION.findall(seen)[0])
        assert "Your hand: " in seen
        assert "Anna (you): " in seen
        after = await agent.call("play", move=1, version=version)
        assert re.search(r"^- .*Anna", after, re.MULTILINE)
        later = await agent.call("wait_for_my_turn")
        assert "Bruno" in "".join(re.findall(r"^- .*$", after + later, re.MULTILINE))


async def test_a_mistake_gets_a_sentence_that_says_what_to_do() -> None:
    async with running_engine() as running, table_of(running.url(""), GAME_NAMES[0]) as (_, table, token):
        async with agent_at(running.url(""), (table, token)) as agent:
            version = int(VERSION.findall(await agent.call("wait_for_my_turn"))[0])
            assert f"at version {version} now" in await agent.refused("play", move=1, version=version - 1)
            assert "numbered from 1 to" in await agent.refused("play", move=99, version=version)
            assert "hint" in (await agent.refused("hint")).lower()
        async with agent_at(running.url(""), (table, "x" * 43)) as agent:
            assert await agent.refused("look")


async def test_an_agent_asks_for_a_hint_where_the_table_allows_it() -> None:
    async with (
        running_engine() as running,
        table_of(running.url(""), GAME_NAMES[0], hints=True) as (_, table, token),
        agent_at(running.url(""), (table, token)) as agent,
    ):
        seen = await agent.call("wait_for_my_turn")
        hint = await agent.call("hint")
        assert hint.partition(": ")[0] in [label for _, label in MOVE.findall(seen)]


def files(folder: Path) -> list[Path]:
    return [*folder.iterdir()]


async def test_an_agent_opens_a_table_which_another_joins_and_neither_gets_a_token(tmp_path: Path) -> None:
    async with (
        running_engine() as running,
        agent_at(running.url(""), None, tmp_path / "anna") as anna,
        agent_at(running.url(""), None, tmp_path / "bruno") as bruno,
    ):
        assert "call open_table or join_table" in await anna.refused("look")
        name = (await anna.call("games")).splitlines()[0].partition(":")[0]
        link = (await anna.call("open_table", game=name, name="Anna", computers=1)).splitlines()[0]
        assert "Bruno" in await bruno.call("join_table", link=link.removeprefix("Link for others: "), name="Bruno")
        assert "Your hand: " in await anna.call("start")
        assert "not over" in await anna.refused("open_table", game=name, name="Anna")
        for agent, folder in ((anna, tmp_path / "anna"), (bruno, tmp_path / "bruno")):
            (file,) = await asyncio.to_thread(files, folder)
            kept = msgspec.json.decode(await asyncio.to_thread(file.read_bytes))
            assert (await asyncio.to_thread(file.stat)).st_mode & 0o777 == 0o600
            assert not any(kept["token"] in text for text in agent.texts)


async def test_an_agent_that_is_started_again_returns_to_its_seat(tmp_path: Path) -> None:
    async with running_engine() as running:
        async with agent_at(running.url(""), None, tmp_path) as agent:
            opened = await agent.call("open_table", game=GAME_NAMES[0], name="Anna", computers=2)
            await agent.call("start")
        link = opened.splitlines()[0].removeprefix("Link for others: ")
        async with agent_at(running.url(""), None, tmp_path) as agent:
            assert "Anna (you)" in await agent.call("join_table", link=link, name="Anna")


@pytest.mark.parametrize("tool", ["look", "wait_for_my_turn"])
async def test_an_agent_is_told_soon_that_the_engine_is_away(tool: str) -> None:
    assert mcp.RETRY.budget + mcp.RETRY.answer_timeout < mcp.ANSWER_SECONDS < 15
    port = free_port()
    async with agent_at(f"http://127.0.0.1:{port}", ("t" * 22, "x" * 43), retry=RetryPolicy(budget=0.0)) as agent:
        assert "no answer from" in await agent.refused(tool)


async def test_an_engine_that_is_silent_is_away_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "ANSWER_SECONDS", 0.1)
    connections: list[asyncio.StreamWriter] = []
    silent = await asyncio.start_server(lambda _, writer: connections.append(writer), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with silent:
        async with agent_at(f"http://127.0.0.1:{port}", ("t" * 22, "x" * 43)) as agent:
            assert "does not answer now" in await agent.refused("look")
        for connection in connections:
            connection.close()
            await connection.wait_closed()


def test_an_address_that_is_none_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        mcp.main([], {"LOCANDA_SERVER": "127.0.0.1:8080"})
    assert "an engine's address looks like http://" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"LOCANDA_TABLE": "t" * 22}, "token is wanted"),
        ({"LOCANDA_TOKEN": "abc"}, "table is wanted"),
        ({"LOCANDA_TOKEN": "a secret\nof two lines", "LOCANDA_TABLE": "t"}, "what was given as a token is none"),
        ({"LOCANDA_TOKEN_FILE": "/nowhere/secret", "LOCANDA_TABLE": "t"}, "cannot be read: FileNotFoundError"),
    ],
)
def test_what_is_missing_is_said_without_the_token(
    given: dict[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        mcp.main([], given)
    output = capsys.readouterr()
    assert said in output.err
    assert "secret" not in output.err + output.out


def test_without_the_extra_the_command_says_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_mcp(name: str) -> None:
        raise ModuleNotFoundError(f"No module named 'mcp' for {name}", name="mcp")

    monkeypatch.setattr(command, "import_module", without_mcp)
    assert command.serve_agent() == 1
    assert "it comes with the extra `mcp` of this package" in capsys.readouterr().err
