"""What a person types of a line, and the choice of a list that they move to with the arrow keys. Pure."""

from msgspec import Struct
from prompt_toolkit.keys import Keys

SUBMIT = (Keys.ControlM, Keys.ControlJ)
STEPS = {Keys.Up: (0, -1), Keys.Down: (0, 1), Keys.Left: (-1, 0), Keys.Right: (1, 0)}
"""Columns and lines."""


class ChoiceGrid(Struct, frozen=True):
    """A numbered list in columns: the first column is full before the second one begins."""

    count: int = 0
    down: int = 1
    """Lines of a column."""

    def step(self, chosen: int | None, across: int, down: int) -> int | None:
        """Return the choice, counted from 0, at which an arrow key arrives; beyond one end it goes on at the other."""
        if not self.count:
            return None
        if chosen is None:
            return 0 if across + down > 0 else self.count - 1
        if down:
            return (chosen + down) % self.count
        line, columns = chosen % self.down, -(-self.count // self.down)
        column = (chosen // self.down + across) % columns
        if column * self.down + line >= self.count:  # the last column is shorter
            column = 0 if across > 0 else column - 1
        return column * self.down + line


class LineEditor:
    """A line that grows at its end. What is typed replaces a choice, and a choice what was typed."""

    def __init__(self) -> None:
        self.text = ""
        self.chosen: int | None = None
        """Of the list, counted from 0."""

    @property
    def empty(self) -> bool:
        """Is nothing typed or chosen?"""
        return not self.text and self.chosen is None

    def press(self, key: Keys | str, grid: ChoiceGrid) -> str | None:
        """Handle a key; return the line where it submits one: what was typed, or the number of the choice."""
        if key in SUBMIT:
            line = self.text if self.chosen is None else str(self.chosen + 1)
            self.text, self.chosen = "", None
            return line
        if key in STEPS:
            self._move(grid.step(self.chosen, *STEPS[Keys(key)]))
        elif key in (Keys.ControlH, Keys.Delete):
            self.text, self.chosen = self.text[:-1], None
        elif key == Keys.ControlW:
            self.text, self.chosen = self.text.rstrip().rpartition(" ")[0], None
        elif key in (Keys.ControlU, Keys.Escape):
            self.text, self.chosen = "", None
        elif not isinstance(key, Keys) and key.isprintable():
            self.text, self.chosen = self.text + key, None
        return None

    def forget_choice(self) -> None:
        """Leave the list: another one has taken its place."""
        self.chosen = None

    def _move(self, chosen: int | None) -> None:
        if chosen is not None:
            self.text, self.chosen = "", chosen
