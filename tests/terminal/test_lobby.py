"""Before a match: choosing a game, opening and joining tables, links and own players, on pseudo-terminals."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from services.engine.service.administration import Operator
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import NO_LIMITS, running_engine
from tests.terminal.conftest import Command
from tests.terminal.playing import against_computer, link_in, quit_playing
from tests.terminal.pseudo_terminal import (
    run_locanda,
    run_piped,
)

pytestmark = pytest.mark.slow


async def test_the_host_chooses_the_game_and_seats_a_computer_player(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, "play", "--server", server, "--name", "Mara") as mara:
        assert "What shall we play?" in await mara.wait_for_prompt()
        mara.type_line("9")
        assert "type a number from 1 to 4" in await mara.wait_for_prompt()
        mara.type_line("gatto")
        screen = await mara.wait_for_prompt()
        assert f"locanda play --table {server}/t/" in screen
        mara.type_line("")
        assert "There are too few of you" in await mara.wait_for_prompt()
        mara.type_line("c")
        screen = await mara.wait_for_prompt()
        assert "Bruno (computer) sits down" in screen
        assert "Enter starts the match" in screen
        mara.type_line("c strong")
        assert "c is one of easy, medium, hard." in await mara.wait_for_prompt()
        mara.type_line("c hard")
        assert "Carla (computer) sits down" in await mara.wait_for_prompt()
        mara.type_line("")
        screen = await mara.wait_for_prompt()
        assert "Bruno (computer, medium)" in screen
        assert "Carla (computer, hard)" in screen
        assert "Your turn" in screen
        mara.type_line("hint")
        assert "There are no hints at this table" in await mara.wait_for_prompt()


async def test_a_host_lets_nobody_else_sit_down(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for("locanda play --table"))
        mara.type_line("lock")
        await mara.wait_for("Nobody else may sit down at this table.")
        async with run_locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await bruno.wait_for("The host lets nobody else sit down at this table.")
        mara.type_line("lock")
        await mara.wait_for("Friends may sit down again.")


async def test_friends_get_the_public_address_of_a_server_that_has_one_and_its_page_as_a_qr_code(
    tmp_path: Path,
) -> None:
    settings = EngineSettings(public_url="https://cards.example.org")
    async with running_engine(settings) as running:
        arguments = ("play", "gatto_rosso", "--server", running.url("/").rstrip("/"), "--name", "Mara")
        async with run_locanda(tmp_path, *arguments) as mara, run_locanda(tmp_path, *arguments, NO_COLOR="1") as plain:
            screen = await mara.wait_for_prompt()
            assert link_in(screen).startswith("https://cards.example.org/t/")
            assert screen.count("https://cards.example.org/t/") == 3
            assert screen.count("▀" * 33) == 17
            assert "▀" not in await plain.wait_for_prompt()


async def test_announced_maintenance_is_said_at_the_start(tmp_path: Path) -> None:
    async with running_engine() as running:
        operator = Operator("127.0.0.1", "1")
        await running.context.service.administration.announce(20, None, "New disk.", operator)
        server = running.url("/").rstrip("/")
        async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
            screen = " ".join((await mara.wait_for_prompt()).split())
    assert "Maintenance begins in 20 minutes: games may pause, and go on afterwards. New disk." in screen


async def test_an_address_that_no_phone_reaches_is_no_qr_code(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        screen = await mara.wait_for_prompt()
        assert "▀" not in screen
        assert "/#/table/" not in screen


async def test_a_second_person_on_the_same_account_gets_a_seat_of_their_own(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Anna") as anna:
        link = link_in(await anna.wait_for_prompt())
        async with run_locanda(tmp_path, "play", "--table", link, "--name", "Bruno") as bruno:
            assert "Anna starts the match" in await bruno.wait_for("starts the match")
            await anna.wait_for("Bruno sits down")
    async with run_locanda(tmp_path, "play", "--table", link, "--name", "Bruno") as bruno:
        assert "Bruno (you)" in await bruno.wait_for("starts the match")
    async with run_locanda(tmp_path, "play", "--table", link, "--name", "Anna") as anna:
        assert "Anna (you)" in await anna.wait_for_prompt()


async def test_tables_to_return_to_are_offered_first(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        await quit_playing(mara)
    async with run_locanda(tmp_path, LOCANDA_SERVER=server) as mara:
        screen = await mara.wait_for_prompt()
        assert "1) back to your table: Gatto Rosso Gatto Grigio with Bruno" in screen
        assert "2) Gatto Rosso Gatto Grigio" in screen
        mara.type_line("1")
        assert "Mara (you)" in await mara.wait_for_prompt()


async def test_the_link_of_a_table_is_shown_at_once(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        screen = await mara.wait_for_prompt()
        assert screen.index(f"  {server}/t/") < screen.index("Your turn")


@pytest.mark.parametrize("name", [" Mara", "M" * 40])
async def test_a_name_that_cannot_be_is_explained_without_a_pattern(name: str, server: str, command: Command) -> None:
    code, _, errors = await command.run("play", "gatto_rosso", "--server", server, "--name", name)
    assert (code, errors) == (
        1,
        "A name is one line of 1 to 32 characters that can be seen, without a space at its ends.\n",
    )


async def test_an_own_player_of_the_server_is_seated_by_its_name(tmp_path: Path) -> None:
    settings = structs.replace(NO_LIMITS, engine_players="ada=https://127.0.0.1:1/")
    async with running_engine(settings) as engine:
        server = engine.url("/").rstrip("/")
        async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
            await mara.wait_for_prompt()
            mara.type_line("c eva")
            assert "c is one of easy, medium, hard, ada." in await mara.wait_for_prompt()
            mara.type_line("c ada")
            await mara.wait_for_prompt()
            mara.type_line("")
            assert "Bruno (computer, player ada)" in await mara.wait_for_prompt()


async def test_a_player_of_one_s_own_is_brought_where_the_server_lets_people(tmp_path: Path) -> None:
    kept = tmp_path / "ada"
    await asyncio.to_thread(kept.write_text, "ada=https://player.invalid/ whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
    play = ("play", "gatto_rosso", "--own-player", str(kept), "--name", "Mara", "--server")
    async with running_engine() as engine:
        code, _, said = await run_piped(tmp_path, *play, engine.url("/").rstrip("/"))
        assert (code, said.strip()) == (1, "You cannot bring own players to this server.")
    async with running_engine(structs.replace(NO_LIMITS, engine_own_players="on")) as engine:
        server = engine.url("/").rstrip("/")
        async with run_locanda(tmp_path, *play, server) as mara:
            await mara.wait_for_prompt()
            for typed in ("c", "c ada", "c hard"):
                mara.type_line(typed)
                await mara.wait_for_prompt()
            mara.type_line("")
            screen = await mara.wait_for_prompt()
            for seated in ("Bruno (computer, player ada)", "Carla (computer, player ada)", "Dario (computer, hard)"):
                assert seated in screen
            assert "whsec" not in mara.raw
