"""People play in terminals of their own, by typing what the screen offers."""

import asyncio
import json
import re
import stat
from pathlib import Path

import pytest

from tests.e2e.processes import Engine, running
from tests.redis_server import RedisServer, free_port
from tests.terminal.person import COLUMNS, CONTROL, Person, locanda, piped

SHORT = {
    "gatto_rosso": ("--computers", "1"),
    "ramino": ("--computers", "1", "--option", "target=1"),
    "diavoletto": ("--computers", "1", "--option", "mazzetto_size=13", "--option", "no_progress_turns=8"),
    "presidente": ("--computers", "1", "--option", "joker=true"),
}
TABLE = re.compile(r"locanda play --table (\S+)")


def link_in(screen: str) -> str:
    found = TABLE.search(screen)
    assert found, screen
    return found[1]


def alone(server: str) -> tuple[str, ...]:
    """Return the words with which Mara plays against a computer player."""
    return ("play", "gatto_rosso", "--server", server, "--name", "Mara", "--computers", "1")


def kept_seat(home: Path) -> tuple[str, str]:
    """Return the table and the token of the one seat that is kept, for its owner's eyes only."""
    (kept,) = (home / ".local/state/locanda/seats").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    return kept.stem, json.loads(kept.read_bytes())["token"]


async def quits(person: Person) -> str:
    """Quit, and return the table's link."""
    person.types("q")
    assert await person.leaves() == 0
    return link_in(await person.sees("seat is kept"))


@pytest.mark.parametrize("game", SHORT)
async def test_a_whole_match_of_each_game_against_computer_players(game: str, server: str, tmp_path: Path) -> None:
    async with locanda(tmp_path, "play", game, "--server", server, "--name", "Mara", *SHORT[game]) as mara:
        end = await mara.plays()
        assert re.search(r"^(\w+ wins!|A draw between .*\.)$", end, re.MULTILINE)
        assert "🥇" in end
        assert f"locanda verify --table {server}/v1/tables/" in end
        assert max(map(len, CONTROL.sub("", mara.raw).splitlines())) <= max(COLUMNS, len(server) + 60)
        mara.types("")
        assert "4 in hand" in await mara.is_asked() or game != "gatto_rosso"
        link = await quits(mara)
    code, said, _ = await piped(tmp_path, "verify", "--table", link, "--match", "1")
    assert code == 0
    assert said.endswith("is as it was committed.\n")


async def test_the_computer_players_are_seated_by_hand_and_the_game_is_asked_for(server: str, tmp_path: Path) -> None:
    async with locanda(tmp_path, "play", "--server", server, "--name", "Mara") as mara:
        assert "What shall we play?" in await mara.is_asked()
        mara.types("9")
        assert "type a number from 1 to 4" in await mara.is_asked()
        mara.types("gatto")
        screen = await mara.is_asked()
        assert f"locanda play --table {server}/v1/tables/" in screen
        mara.types("")
        assert "There are too few of you" in await mara.is_asked()
        mara.types("c")
        screen = await mara.is_asked()
        assert "Bruno, a computer player, sits down" in screen
        assert "Enter starts the match" in screen
        mara.types("")
        assert "Your turn" in await mara.is_asked()


async def test_two_friends_play_and_mistakes_are_explained(server: str, tmp_path: Path) -> None:
    async with locanda(
        tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Anna", "--friends", "1"
    ) as anna:
        link = link_in(await anna.sees("as soon as all are there"))
        async with locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await anna.sees("Bruno sits down")
            await anna.sees("Your hand")
            await bruno.sees("Your hand")
            first, second = (anna, bruno) if "▸ Anna" in anna.news else (bruno, anna)
            await first.is_asked()
            second.types("1")
            await second.sees("It is (Anna|Bruno)'s turn")
            first.types("pass")
            assert "I do not understand that" in await first.is_asked()
            hand = re.findall(r"Your hand +(.*)", CONTROL.sub("", first.raw))[-1].split()
            absent = next(card for card in ("A♥", "A♦", "A♣", "A♠", "2♥") if card not in hand)
            first.types(absent)
            assert f"You do not hold {absent}" in await first.is_asked()
            first.types("?")
            assert "quit; your seat is kept" in await first.is_asked()
            first.types("r")
            await first.sees("Red Cat, Grey Cat")
            await first.is_asked()
            first.types(hand[0])
            await second.sees(f"plays {hand[0]}")
            second.types("leave")
            assert await second.leaves() == 0
            await first.sees("has left: a computer player takes over")


async def test_a_player_who_was_killed_goes_on_where_he_was(server: str, tmp_path: Path) -> None:
    async with locanda(tmp_path, *alone(server)) as mara:
        await mara.plays(2)
        await mara.kill()
    table, _ = await asyncio.to_thread(kept_seat, tmp_path)
    async with locanda(tmp_path, "play", "--table", table, "--server", server) as mara:
        assert "Mara (you)" in await mara.is_asked()
        await mara.plays(1)
        await quits(mara)


async def test_the_seat_of_a_player_who_was_away_is_taken_back(server: str, tmp_path: Path) -> None:
    table = ("play", "gatto_rosso", "--server", server, "--name", "Mara", "--computers", "1", "--seconds", "1")
    async with locanda(tmp_path, *table) as mara:
        assert "1 second left" in await mara.is_asked()
        await mara.sees("Time is up for Mara")
        await mara.sees("a computer player steps in", "press Enter to take it again", "wins!", "A draw")


async def test_ctrl_c_leaves_politely(server: str, tmp_path: Path) -> None:
    async with locanda(tmp_path, "play", "ramino", "--server", server, "--computers", "1") as mara:
        await mara.is_asked()
        mara.interrupts()
        assert await mara.leaves() == 130
        assert "Your seat is kept" in await mara.sees("seat is kept")
        assert "Traceback" not in mara.raw


async def test_the_end_of_what_is_typed_ends_the_command(server: str, tmp_path: Path) -> None:
    code, said, complaint = await piped(
        tmp_path, "play", "presidente", "--server", server, "--computers", "1", typed="1\n"
    )
    assert (code, complaint) == (0, "")
    assert "Your seat is kept" in said
    assert "\x1b" not in said


async def test_colours_are_for_terminals_that_want_them(server: str, tmp_path: Path) -> None:
    asked = ("play", "presidente", "--server", server, "--computers", "1")
    async with locanda(tmp_path, *asked) as coloured, locanda(tmp_path, *asked, NO_COLOR="1") as plain:
        await coloured.is_asked()
        await plain.is_asked()
        assert "\x1b[31m" in coloured.raw
        assert not re.search(r"\x1b\[3\d", plain.raw)


async def test_it_speaks_italian_where_the_locale_does(server: str, tmp_path: Path) -> None:
    asked = ("play", "gatto_rosso", "--server", server, "--computers", "1", "--name", "Mara")
    async with locanda(tmp_path, *asked, LC_ALL="it_IT.UTF-8") as mara:
        screen = await mara.is_asked()
        assert "Mara (tu)" in screen
        assert "Tocca a te." in screen
    code, said, _ = await piped(tmp_path, *asked, "--language", "it")
    assert code == 0
    assert "Il posto resta tuo." in said


async def test_an_engine_that_goes_away_is_waited_for(mortal_redis: RedisServer, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine.log", mortal_redis.url, free_port())
    async with running(engine), locanda(tmp_path, *alone(engine.url)) as mara:
        await mara.plays(1)
        await engine.kill()
        await mara.sees("The connection is lost")
        mara.types("1")
        await mara.sees("Nobody answers at")
        await engine.start()
        await mara.sees("here we are again")
        await mara.is_asked()
        mara.types("t")
        await mara.plays(2)


# --- watching


async def test_a_spectator_sees_the_match_to_its_end_and_nobodys_hand(server: str, tmp_path: Path) -> None:
    async with locanda(tmp_path, *alone(server)) as mara:
        await mara.is_asked()
        table, token = await asyncio.to_thread(kept_seat, tmp_path)
        async with locanda(tmp_path, "watch", f"{server}/v1/tables/{table}") as guest:
            await guest.sees("4 in hand")
            guest.types("")
            await guest.sees("4 in hand")
            await mara.plays()
            assert await guest.leaves() == 0
            seen = CONTROL.sub("", guest.raw)
            assert "Mara plays" in seen
            assert re.search(r"wins!|A draw", seen)
            assert "Your hand" not in seen
    assert token not in guest.raw + mara.raw
