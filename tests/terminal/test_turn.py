"""Turns on pseudo-terminals: mistakes, hints, reviews, and choices in two steps."""

import random
import re
from pathlib import Path

import pytest

from tests.terminal.playing import against_computer, link_in
from tests.terminal.pseudo_terminal import (
    CONTROL,
    LISTED_MOVE,
    run_locanda,
)

pytestmark = pytest.mark.slow


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


async def test_diavoletto_is_asked_in_two_steps_and_the_table_never_leaves_80_by_24(
    server: str, tmp_path: Path
) -> None:
    arguments = ("play", "diavoletto", "--server", server, "--name", "Mara", "--computers", "1", "--level", "easy")
    steps: set[str] = set()
    async with run_locanda(tmp_path, *arguments) as mara:
        for _ in range(40):
            screen = await mara.wait_for_prompt()
            if "Enter: play another match" in screen:
                break
            shown = CONTROL.sub("", mara.raw).split("\n")
            title = max(at for at, line in enumerate(shown) if line.startswith("Diavoletto ─"))
            assert len(shown) - title <= 24, "\n".join(shown[title:])
            question = re.split("Your turn|Which one", screen)[-1]
            steps.update(word for word in ("…", "Which one?") if word in screen)
            mara.type_line(random.choice(LISTED_MOVE.findall(question)))
    assert steps == {"…", "Which one?"}
