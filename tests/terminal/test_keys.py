"""Terminal keys: typing a line, and choosing from a list with the arrow keys."""

import pytest
from prompt_toolkit.keys import Keys

from services.terminal.keys import LineEditor
from services.terminal.output import ChoiceGrid

GRID = ChoiceGrid(7, 3)
"""Seven choices in three lines: 1 4 7, 2 5, 3 6."""


def pressed(*keys: Keys | str, grid: ChoiceGrid = GRID) -> LineEditor:
    editor = LineEditor()
    for key in keys:
        assert editor.press(key, grid) is None
    return editor


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ([Keys.Down], 1),
        ([Keys.Up], 7),
        ([Keys.Right], 1),
        ([Keys.Down] * 4, 4),
        ([Keys.Down] * 8, 1),
        ([Keys.Down, Keys.Right], 4),
        ([Keys.Down, Keys.Right, Keys.Right], 7),
        ([Keys.Down, Keys.Right, Keys.Right, Keys.Right], 1),
        ([Keys.Down, Keys.Down, Keys.Right, Keys.Right], 2),
        ([Keys.Down, Keys.Down, Keys.Left], 5),
        ([Keys.Down, Keys.Left], 7),
    ],
)
def test_arrow_keys_move_in_the_list_as_it_is_printed_and_enter_submits_its_number(
    keys: list[Keys], number: int
) -> None:
    assert pressed(*keys).press(Keys.ControlM, GRID) == str(number)


def test_every_choice_is_reached_by_each_pair_of_arrows() -> None:
    for count in range(1, 31):
        for down in range(1, count + 1):
            grid = ChoiceGrid(count, down)
            for key in (Keys.Down, Keys.Up):
                assert {pressed(*[key] * steps, grid=grid).chosen for steps in range(1, count + 1)} == {*range(count)}
            for start in range(count):
                there = grid.step(start, 1, 0)
                assert there is not None
                assert there < count
                assert there % down == start % down
                assert grid.step(there, -1, 0) == start


def test_without_a_list_arrow_keys_do_nothing() -> None:
    assert pressed("7", Keys.Down, Keys.Left, grid=ChoiceGrid()).press(Keys.ControlM, ChoiceGrid()) == "7"


def test_what_is_typed_replaces_the_choice_and_a_choice_what_was_typed() -> None:
    assert pressed(Keys.Down, "7", "♥").press(Keys.ControlM, GRID) == "7♥"
    assert pressed("7", "h", Keys.Down).press(Keys.ControlJ, GRID) == "1"
    assert pressed("7", Keys.Down, Keys.Escape).press(Keys.ControlM, GRID) == ""


def test_keys_that_correct_a_line() -> None:
    assert pressed(*"7h 8d", Keys.ControlH).text == "7h 8"
    assert pressed(*"7h 8d", Keys.ControlW).text == "7h"
    assert pressed(*"7h 8d", Keys.ControlU).text == ""
    assert pressed("a", Keys.F1, "\x00", Keys.Tab).text == "a"
