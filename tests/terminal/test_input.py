"""Input on pseudo-terminals: keys, the end of the input, and windows that are resized."""

import re
from pathlib import Path

import pytest

from tests.terminal.playing import against_computer
from tests.terminal.pseudo_terminal import (
    CONTROL,
    run_locanda,
    run_piped,
)

pytestmark = pytest.mark.slow
UP, DOWN = "\x1b[A", "\x1b[B"


async def test_arrow_keys_choose_among_the_listed_moves_and_enter_plays_the_choice(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        listed = re.findall(r"\d+\) (\S+)", (await mara.wait_for_prompt()).split("Your turn")[-1])
        mara.press(DOWN)
        await mara.wait_for(rf"› 1\) {listed[0]}.*$")
        assert "\x1b[7m  1) " in mara.raw  # the chosen move is also highlighted in the list
        mara.press(UP)
        await mara.wait_for(rf"› {len(listed)}\) {listed[-1]}.*$")
        mara.press(DOWN + "\r")
        await mara.wait_for("Mara passes" if listed[0] == "Pass" else f"Mara plays {listed[0]}")


async def test_the_end_of_the_input_ends_the_command(server: str, tmp_path: Path) -> None:
    code, output, errors = await run_piped(
        tmp_path, "play", "presidente", "--server", server, "--computers", "1", typed="1\n"
    )
    assert (code, errors) == (0, "")
    assert "Your seat is kept" in output
    assert "\x1b" not in output


async def test_lines_are_as_long_as_the_window_is_wide_also_when_that_changes(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        for columns in (50, 90):
            mara.press("")  # the table is drawn again after this line
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
