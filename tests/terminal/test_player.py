"""The commands `play` and `watch`, on pseudo-terminals with a running engine."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import ForkedEngine, running
from tests.redis_server import RedisServer, free_port
from tests.terminal.conftest import Command
from tests.terminal.playing import against_computer, quit_playing, saved_seat
from tests.terminal.pseudo_terminal import (
    COLUMNS,
    CONTROL,
    run_locanda,
    run_on_terminal,
    run_piped,
)

pytestmark = pytest.mark.slow
SHORT = {
    "gatto_rosso": ("--computers", "1"),
    "ramino": ("--computers", "1", "--option", "target=1"),
    "diavoletto": ("--computers", "1", "--option", "mazzetto_size=13", "--option", "no_progress_turns=8"),
    "presidente": ("--computers", "1", "--option", "joker=true"),
}


@pytest.mark.parametrize("game", SHORT)
async def test_a_whole_match_of_each_game_against_computer_players(
    game: str, server: str, tmp_path: Path, command: Command
) -> None:
    async with run_locanda(tmp_path, "play", game, "--server", server, "--name", "Mara", *SHORT[game]) as mara:
        end = await mara.play()
        assert re.search(r"^(\w+ wins!|A draw between .*\.)$", end, re.MULTILINE)
        assert "🥇" in end
        assert "The shuffle matches the fingerprint that you saw and the seed that you set" in " ".join(end.split())
        assert f"locanda verify --table {server}/t/" in end
        assert " --match 1\n" in end
        assert max(map(len, CONTROL.sub("", mara.raw).splitlines())) <= max(COLUMNS, len(server) + 70)
        mara.type_line("rivincita?")
        assert "I do not understand that" in await mara.wait_for_prompt()
        mara.type_line("stop")
        assert "Mara stops here." in await mara.wait_for_prompt()
        mara.type_line("")
        assert "4 in hand" in await mara.wait_for_prompt() or game != "gatto_rosso"
        link = await quit_playing(mara)
    code, output, _ = await command.run("verify", "--table", link, "--engine", server)
    assert code == 0, "the fingerprint and the seed of the last match that is over were kept with the seat"
    # Computer players may have ended the rematch before Mara's turn.
    assert re.match(r"Deal 1 of match [12] ", output)
    code, output, _ = await command.run("verify", "--table", link, "--match", "1", "--engine", server)
    assert code == 0
    assert "is as it was committed." in output
    assert "client_seeds: not compared with what was given for seat 1" in output


async def test_after_a_kill_the_player_continues_on_the_same_seat(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.play(2)
        await mara.kill()
    table, _ = await asyncio.to_thread(saved_seat, tmp_path)
    async with run_locanda(tmp_path, "play", "--table", table, "--server", server) as mara:
        assert "Mara (you)" in await mara.wait_for_prompt()
        await mara.play(1)
        await quit_playing(mara)


async def test_the_seat_of_a_player_who_was_away_is_taken_back(server: str, tmp_path: Path) -> None:
    table = ("play", "gatto_rosso", "--server", server, "--name", "Mara", "--computers", "1", "--seconds", "1")
    async with run_locanda(tmp_path, *table) as mara:
        assert "1 second left" in await mara.wait_for_prompt()
        await mara.wait_for("Time is up for Mara")
        await mara.wait_for("a computer player steps in", "Press Enter to take your hand back", "wins!", "A draw")


@pytest.mark.parametrize("end", ["q", "Ctrl-C", "SIGTERM"])
async def test_at_the_end_the_terminal_is_as_it_was_before(end: str, server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        assert not mara.echoes_lines
        match end:
            case "q":
                mara.type_line("q")
            case "Ctrl-C":
                mara.press_ctrl_c()
            case "SIGTERM":
                mara.process.terminate()
        assert await mara.wait_for_exit() == (0 if end == "q" else 130)
        assert "Your seat is kept" in await mara.wait_for("seat is kept")
        assert "Traceback" not in mara.raw
        assert mara.echoes_lines


async def test_a_crash_leaves_the_terminal_as_it_was_before(tmp_path: Path) -> None:
    crash = (
        "from services.terminal import input, output\n"
        "import asyncio\n"
        "async def run():\n"
        "    with input.reading(input.InputQueue(), output.Output()):\n"
        "        raise SystemError\n"
        "asyncio.run(run())"
    )
    async with run_on_terminal(tmp_path, sys.executable, "-c", crash) as terminal:
        assert await terminal.wait_for_exit() == 1
        await terminal.wait_for("SystemError")
        assert terminal.echoes_lines


async def test_no_color_switches_colours_off(server: str, tmp_path: Path) -> None:
    arguments = ("play", "presidente", "--server", server, "--computers", "1")
    async with run_locanda(tmp_path, *arguments) as coloured, run_locanda(tmp_path, *arguments, NO_COLOR="1") as plain:
        await coloured.wait_for_prompt()
        await plain.wait_for_prompt()
        assert "\x1b[31m" in coloured.raw
        assert not re.search(r"\x1b\[3\d", plain.raw)


async def test_the_texts_are_italian_in_an_italian_locale(server: str, tmp_path: Path) -> None:
    arguments = ("play", "gatto_rosso", "--server", server, "--computers", "1", "--name", "Mara")
    async with run_locanda(tmp_path, *arguments, LC_ALL="it_IT.UTF-8") as mara:
        screen = await mara.wait_for_prompt()
        assert "Mara (tu)" in screen
        assert "Tocca a te." in screen
    code, output, _ = await run_piped(tmp_path, *arguments, "--language", "it")
    assert code == 0
    assert "Il posto resta tuo." in output


async def test_the_command_waits_for_an_engine_that_stops_and_starts_again(
    mortal_redis: RedisServer, tmp_path: Path
) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", mortal_redis.url, free_port())
    async with running(engine), run_locanda(tmp_path, *against_computer(engine.url)) as mara:
        await mara.play(1)
        await engine.kill()
        await mara.wait_for("The connection is lost")
        mara.type_line("1")
        await mara.wait_for("Nobody answers at")
        await engine.start()
        await mara.wait_for("here we are again")
        await mara.wait_for_prompt()
        mara.type_line("t")
        await mara.play(2)


async def test_a_spectator_sees_the_match_to_its_end_and_nobodys_hand(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        table, token = await asyncio.to_thread(saved_seat, tmp_path)
        async with run_locanda(tmp_path, "watch", f"{server}/v1/tables/{table}") as guest:
            await guest.wait_for("4 in hand")
            guest.type_line("")
            await guest.wait_for("4 in hand")
            guest.resize(60)
            await guest.wait_for("(?s:.*?in hand){3}")  # the text appears for two seats, and again after the resize
            await mara.play()
            assert await guest.wait_for_exit() == 0
            seen = CONTROL.sub("", guest.raw)
            assert "Mara plays" in seen
            assert re.search(r"wins!|A draw", seen)
            assert "Your hand" not in seen
    assert token not in guest.raw + mara.raw


async def test_the_bell_rings_and_the_title_says_so_on_ones_turn_and_in_a_terminal_alone(
    server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        assert "\x07\x1b]0;Locanda: Your turn.\x07" in mara.raw
    _, output, _ = await run_piped(tmp_path, *against_computer(server))
    assert not re.search(r"[\x07\x1b]", output)
