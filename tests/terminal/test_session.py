"""Each error is reported in one sentence, for any response of the server."""

import pytest

from tests.client.misbehaving_server import answer, misbehaving_server
from tests.engine.http.engine_server import running_engine, seat_players
from tests.terminal.conftest import Command

pytestmark = pytest.mark.slow
OPEN = "A" * 22
DASHED = "-" + "A" * 21
"""An id that a command line could misread as an option."""


async def test_an_address_where_nothing_listens_is_named(command: Command, unused_tcp_port: int) -> None:
    address = f"http://127.0.0.1:{unused_tcp_port}"
    error = await command.error("play", "ramino", "--computers", "1", LOCANDA_SERVER=address)
    assert error == f"Nobody answers at {address}: is the engine running there?"


@pytest.mark.parametrize("status", [200, 404])
async def test_a_server_that_is_no_engine_is_named(status: int, command: Command) -> None:
    async with misbehaving_server(answer(status, b"<h1>It works!</h1>", "text/html")) as server:
        error = await command.error("watch", OPEN, "--server", server.url)
        assert error == f"The server at {server.url} is not a Locanda engine."


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("watch", OPEN), "no such table"),
        (("--language", "en", "watch", OPEN), "no such table"),
        (("--language=en", "verify", "--table", OPEN), "no such table"),
        (("verify", "--table", OPEN), "no such table"),
        (("watch", DASHED), "no such table"),
        (("play", "--table", DASHED), "no such table"),
        (("play", OPEN), "no such table"),
        (("play", DASHED), "no such table"),
        (("verify", "--table", DASHED, "--deal", "2"), "no such table"),
        (("play", "diavoletto", "--option", "gold=1"), "has no option gold; it has max_piles"),
        (("play", "diavoletto", "--option", "deals=0"), "deals is a number from 1 to 20."),
        (("play", "presidente", "--option", "joker=yes"), "joker is one of false, true."),
        (("play", "diavoletto", "--computers", "2"), "2 players at most"),
        (("play", "gatto_rosso", "--option", "three_suits=s", "--computers", "2"), "2 players at most"),
        (("play", "diavoletto", "--name", "\x1b[2J"), "A name is one line of 1 to 32 characters"),
    ],
)
async def test_refusals_of_the_engine_are_explained(
    arguments: tuple[str, ...], expected: str, server: str, command: Command
) -> None:
    assert expected in await command.error(*arguments, "--server", server)


async def test_control_characters_in_a_servers_problem_are_removed(command: Command) -> None:
    body = {"type": "x", "title": "\x1b[2JBoo", "status": 418, "code": "x"}
    async with misbehaving_server(answer(418, body)) as server:
        assert await command.error("watch", OPEN, "--server", server.url) == "[2JBoo."


async def test_nobody_can_sit_down_while_a_match_is_played(command: Command) -> None:
    async with running_engine() as running:
        players = await seat_players(running, 2)
        await players.start()
        error = await command.error("play", "--table", running.url(players.path))
        assert error.startswith("The match has already started: nobody can sit down any more, but you can watch.")


async def test_nobody_can_sit_down_at_a_full_table(command: Command) -> None:
    async with running_engine() as running:
        players = await seat_players(running, 2, game="diavoletto")
        error = await command.error("play", running.url(players.path))
        assert error == "The table is full."
