"""The commands play and watch, on pseudo-terminals against a running engine."""

import asyncio
import json
import random
import re
import stat
import sys
from pathlib import Path

import pytest
from msgspec import structs

from services.engine.service.administration import Operator
from services.engine.settings import EngineSettings
from tests.e2e.processes import ForkedEngine, running
from tests.engine.http.engine_server import NO_LIMITS, running_engine
from tests.redis_server import RedisServer, free_port
from tests.terminal.conftest import Command
from tests.terminal.pseudo_terminal import (
    COLUMNS,
    CONTROL,
    LISTED_MOVE,
    PseudoTerminal,
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
UP, DOWN = "\x1b[A", "\x1b[B"
TABLE = re.compile(r"locanda play --table (\S+)")


def link_in(screen: str) -> str:
    match = TABLE.search(screen)
    assert match, screen
    return match[1]


def against_computer(server: str) -> tuple[str, ...]:
    """Return the arguments with which Mara plays against one computer player."""
    return ("play", "gatto_rosso", "--server", server, "--name", "Mara", "--computers", "1")


def saved_seat(home: Path) -> tuple[str, str]:
    """Return the table and the token of the only saved seat, whose file only its owner can read."""
    (file,) = (home / ".local/state/locanda/seats").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return file.stem, json.loads(file.read_bytes())["token"]


async def quit_playing(terminal: PseudoTerminal) -> str:
    """Quit, and return the table's link."""
    terminal.type_line("q")
    assert await terminal.wait_for_exit() == 0
    return link_in(await terminal.wait_for("seat is kept"))


@pytest.mark.parametrize("game", SHORT)
async def test_a_whole_match_of_each_game_against_computer_players(
    game: str, server: str, tmp_path: Path, command: Command
) -> None:
    async with run_locanda(tmp_path, "play", game, "--server", server, "--name", "Mara", *SHORT[game]) as mara:
        end = await mara.play()
        assert re.search(r"^(\w+ wins!|A draw between .*\.)$", end, re.MULTILINE)
        assert "🥇" in end
        assert "The shuffle agrees with the fingerprint that you saw and the seed that you gave" in " ".join(
            end.split()
        )
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


async def test_against_the_computer_alone_one_may_ask_for_hints_and_look_back_at_ones_moves(
    server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server), "--level", "easy") as mara:
        assert "Bruno (computer, easy)" in await mara.wait_for_prompt()
        mara.type_line("hint")
        hint = await mara.wait_for_prompt()
        move = re.search(r"Hint: (.+)\.\n", CONTROL.sub("", hint).replace("\r", ""))
        assert move, hint
        mara.type_line(move[1])
        await mara.wait_for_prompt()
        mara.type_line("review")
        assert "The match is not over yet." in await mara.wait_for_prompt()
        mara.type_line("t")
        await mara.play()
        mara.type_line("review")
        await mara.wait_for("The computer looks at your moves")
        await mara.wait_for(r"Deal 1: \d+ of \d+ choices? (was|were) a strong player's\.")


async def test_two_people_play_and_mistakes_are_explained(server: str, tmp_path: Path) -> None:
    async with run_locanda(
        tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Anna", "--friends", "1"
    ) as anna:
        link = link_in(await anna.wait_for("as soon as all are there"))
        async with run_locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await anna.wait_for("Bruno sits down")
            await anna.wait_for("Your hand")
            await bruno.wait_for("Your hand")
            first, second = (anna, bruno) if "▸ Anna" in anna.recent else (bruno, anna)
            await first.wait_for_prompt()
            first.type_line("")
            assert "Choose a move with the arrow keys" in await first.wait_for_prompt()
            second.type_line("1")
            await second.wait_for("It is (Anna|Bruno)'s turn")
            first.type_line("pass")
            assert "I do not understand that" in await first.wait_for_prompt()
            hand = re.findall(r"Your hand +(.*)", CONTROL.sub("", first.raw))[-1].split()
            absent = next(card for card in ("A♥", "A♦", "A♣", "A♠", "2♥") if card not in hand)
            first.type_line(absent)
            assert f"You do not hold {absent}" in await first.wait_for_prompt()
            first.type_line("?")
            assert "quit; your seat is kept" in await first.wait_for_prompt()
            first.type_line("r")
            await first.wait_for("Red Cat, Grey Cat")
            await first.wait_for_prompt()
            first.type_line(hand[0])
            await second.wait_for(f"plays {hand[0]}")
            second.type_line("leave")
            assert await second.wait_for_exit() == 0
            await first.wait_for("has left: a computer player takes over")


async def test_people_say_a_word_at_the_table_and_mute_the_others(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for("locanda play --table"))
        async with run_locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await mara.wait_for("Bruno sits down")
            async with run_locanda(tmp_path / "c", "play", "--table", link, "--name", "Carla"):
                await bruno.wait_for("Carla sits down")  # who follows the table by now, as what is said is not kept
            mara.type_line("say")
            await mara.wait_for("Well played")
            mara.type_line("say 2")
            await mara.wait_for("Mara: “Well played”")
            await bruno.wait_for("Mara: “Well played”")
            mara.type_line("mute")
            await mara.wait_for("What others say is hidden.")
            bruno.type_line("say 3")
            await bruno.wait_for("Bruno: “Lucky you!”")
            async with run_locanda(tmp_path / "d", "play", "--table", link, "--name", "Dora"):
                assert "Bruno: “" not in await mara.wait_for("Dora sits down")
            mara.type_line("mute")
            await mara.wait_for("What others say is shown.")
            mara.type_line("mute bruno")
            await mara.wait_for("What Bruno says is hidden.")
            mara.type_line("mute bruno")
            await mara.wait_for("What Bruno says is shown.")
            mara.type_line("mute brunella")
            await mara.wait_for("Nobody at this table is called brunella.")


async def test_a_host_lets_nobody_else_sit_down(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for("locanda play --table"))
        mara.type_line("lock")
        await mara.wait_for("Nobody else may sit down at this table.")
        async with run_locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await bruno.wait_for("The host lets nobody else sit down at this table.")
        mara.type_line("lock")
        await mara.wait_for("Friends may sit down again.")


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
        await mara.wait_for("a computer player steps in", "press Enter to take it again", "wins!", "A draw")


async def test_arrow_keys_choose_among_the_listed_moves_and_enter_plays_the_choice(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        listed = re.findall(r"\d+\) (\S+)", (await mara.wait_for_prompt()).split("Your turn")[-1])
        mara.press(DOWN)
        await mara.wait_for(rf"› 1\) {listed[0]}.*$")
        assert "\x1b[7m  1) " in mara.raw  # in the list, too
        mara.press(UP)
        await mara.wait_for(rf"› {len(listed)}\) {listed[-1]}.*$")
        mara.press(DOWN + "\r")
        await mara.wait_for("Mara passes" if listed[0] == "Pass" else f"Mara plays {listed[0]}")


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


async def test_the_end_of_the_input_ends_the_command(server: str, tmp_path: Path) -> None:
    code, output, errors = await run_piped(
        tmp_path, "play", "presidente", "--server", server, "--computers", "1", typed="1\n"
    )
    assert (code, errors) == (0, "")
    assert "Your seat is kept" in output
    assert "\x1b" not in output


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


# --- watching


async def test_a_spectator_sees_the_match_to_its_end_and_nobodys_hand(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        table, token = await asyncio.to_thread(saved_seat, tmp_path)
        async with run_locanda(tmp_path, "watch", f"{server}/v1/tables/{table}") as guest:
            await guest.wait_for("4 in hand")
            guest.type_line("")
            await guest.wait_for("4 in hand")
            guest.resize(60)
            await guest.wait_for("(?s:.*?in hand){3}")  # of two seats, and again
            await mara.play()
            assert await guest.wait_for_exit() == 0
            seen = CONTROL.sub("", guest.raw)
            assert "Mara plays" in seen
            assert re.search(r"wins!|A draw", seen)
            assert "Your hand" not in seen
    assert token not in guest.raw + mara.raw


async def test_a_spectator_who_saw_the_open_table_checks_the_shuffle(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for_prompt())
        async with run_locanda(tmp_path, "watch", link) as guest:
            await guest.wait_for("Mara")
            mara.type_line("c")
            await mara.wait_for_prompt()
            mara.type_line("")
            await mara.play()
            assert await guest.wait_for_exit() == 0
            seen = " ".join(CONTROL.sub("", guest.raw).split())
            assert "The shuffle agrees with the fingerprint that you saw before." in seen


# --- the check of the shuffle


def keep(home: Path, commitment: str) -> None:
    """Change the saved seat as if the table had shown another commitment before the match."""
    (file,) = (home / ".local/state/locanda/seats").iterdir()
    saved = json.loads(file.read_bytes())
    assert len(saved["kept"]["1"]["client_seeds"]) == 1
    saved["kept"]["1"]["commitment"] = commitment
    file.write_text(json.dumps(saved))


@pytest.mark.parametrize(("commitment", "outcome"), [(None, "agrees with"), ("0" * 64, "does NOT agree with")])
async def test_what_was_seen_before_is_kept_with_the_seat(
    commitment: str | None, outcome: str, server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        await mara.kill()
    table, _ = await asyncio.to_thread(saved_seat, tmp_path)
    if commitment is not None:
        await asyncio.to_thread(keep, tmp_path, commitment)
    async with run_locanda(tmp_path, "play", "--table", f"{server}/v1/tables/{table}") as mara:
        end = " ".join((await mara.play()).split())
        assert f"The shuffle {outcome}" in end


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


# --- several people, several tables


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


async def test_the_bell_rings_and_the_title_says_so_on_ones_turn_and_in_a_terminal_alone(
    server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        assert "\x07\x1b]0;Locanda: Your turn.\x07" in mara.raw
    _, output, _ = await run_piped(tmp_path, *against_computer(server))
    assert not re.search(r"[\x07\x1b]", output)


async def test_lines_are_as_long_as_the_window_is_wide_also_when_that_changes(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        for columns in (50, 90):
            mara.press("")  # the table is drawn again from here on
            mara.resize(columns)
            await mara.wait_for("Your turn(?s:.*)^› $")
            mara.type_line("r")
            screen = await mara.wait_for("Red Cat, Grey Cat(?s:.*)^› $")
            assert columns - 15 < max(map(len, screen.splitlines())) <= columns


async def test_a_window_of_another_size_shows_the_table_anew_with_what_is_being_typed(
    server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        mara.press("hal")
        await mara.wait_for("› hal$")
        before = len(mara.raw)
        mara.resize(50)
        await mara.wait_for("Your turn.*\n(?s:.*)^› hal$")
        redrawn = mara.raw[before:].partition("\x1b[2J")[2]
        assert max(map(len, CONTROL.sub("", redrawn).splitlines())) <= 50
        assert "Your hand" in redrawn
        assert "\x07" not in redrawn, "nobody is called to a turn that they know of"


@pytest.mark.parametrize("name", [" Mara", "M" * 40])
async def test_a_name_that_cannot_be_is_explained_without_a_pattern(name: str, server: str, command: Command) -> None:
    code, _, errors = await command.run("play", "gatto_rosso", "--server", server, "--name", name)
    assert (code, errors) == (
        1,
        "A name is one line of 1 to 32 characters that can be seen, without a space at its ends.\n",
    )


async def test_diavoletto_is_asked_in_two_steps_and_the_table_never_leaves_80_by_24(
    server: str, tmp_path: Path
) -> None:
    arguments = ("play", "diavoletto", "--server", server, "--name", "Mara", "--computers", "1", "--level", "easy")
    steps: set[str] = set()
    async with run_locanda(tmp_path, *arguments) as mara:
        for _ in range(40):
            screen = await mara.wait_for_prompt()
            if "Enter plays another match" in screen:
                break
            shown = CONTROL.sub("", mara.raw).split("\n")
            title = max(at for at, line in enumerate(shown) if line.startswith("Diavoletto ─"))
            assert len(shown) - title <= 24, "\n".join(shown[title:])
            question = re.split("Your turn|Which one", screen)[-1]
            steps.update(word for word in ("…", "Which one?") if word in screen)
            mara.type_line(random.choice(LISTED_MOVE.findall(question)))
    assert steps == {"…", "Which one?"}


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
        assert (code, said.strip()) == (1, "Nobody brings own players to this server.")
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
