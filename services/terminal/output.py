"""What is printed: lines, lists, grids and Markdown; coloured only on a terminal, and not where NO_COLOR is set."""

import re
import sys
from collections.abc import Sequence
from typing import TextIO, cast

from rich.cells import cell_len
from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text
from rich.theme import Theme

WIDEST = 96
"""Columns after which lines are hard to read, however wide the terminal."""
GAP = 3
PROMPT = "› "
SPACES_AT_END = re.compile(r" +(?=\n)")
UNPRINTABLE = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
"""Control characters, which are removed: no player's name and no server's answer may send commands to the terminal."""


class CardHighlighter(RegexHighlighter):
    """Prints cards of the red suits in red."""

    base_style = "card."
    highlights = [r"(?P<red>(?:10|[A2-9JQK])[♥♦])"]  # noqa: RUF012  (declared so by the library)


class TrimmedLines:
    """A file of lines without spaces at their ends, for output that a program reads or that is kept."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write whole lines, or the prompt."""
        return self._file.write(SPACES_AT_END.sub("", text))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


class Output:
    """Prints to a file, standard output by default. Control characters are removed from every text."""

    def __init__(self, file: TextIO | None = None, *, input_echoes: bool | None = None) -> None:
        self._highlight = CardHighlighter()
        to = file or sys.stdout
        self._console = Console(
            file=to if to.isatty() else cast("TextIO", TrimmedLines(to)),
            highlighter=self._highlight,
            theme=Theme({"card.red": "red", "rule.line": "dim"}),
            markup=False,
            emoji=False,
        )
        self._measure = Console(file=to)
        """Tells the width of the terminal, which may change."""
        self._fit()
        self._input_echoes = sys.stdin.isatty() if input_echoes is None else input_echoes
        """Does the terminal show what is typed, and so end the prompt's line?"""
        self._prompt_shown = False

    def _fit(self) -> None:
        self._console.width = min(self._measure.width, WIDEST)

    @property
    def height(self) -> int | None:
        """The lines that the terminal shows; None where there is no terminal."""
        return self._measure.height if self._console.is_terminal else None

    def call(self, title: str) -> None:
        """Ring the bell and set the terminal's title, so that a person who looks elsewhere notices."""
        self._end_prompt_line()
        self._console.bell()
        self._console.set_window_title(without_control_characters(title))

    def set_title(self, title: str) -> None:
        """Set the terminal's title."""
        self._console.set_window_title(without_control_characters(title))

    def line(self, text: str = "", *, style: str = "") -> None:
        """Print a line, wrapped to the width."""
        self._end_prompt_line()
        self._console.print(without_control_characters(text), style=style or None)

    def lines(self, texts: Sequence[str], *, style: str = "") -> None:
        """Print lines, each indented."""
        for text in texts:
            self._end_prompt_line()
            self._console.print(Padding(self._marked(text, style), (0, 0, 0, 2), expand=False))

    def items(self, texts: Sequence[str]) -> None:
        """Print a list, a point before each item."""
        self._grid([("·", text) for text in texts], gap=1)

    def command(self, text: str) -> None:
        """Print a command to be copied, never wrapped."""
        self._end_prompt_line()
        self._console.print(f"  {without_control_characters(text)}", soft_wrap=True)

    def title(self, text: str) -> None:
        """Print a heading."""
        self._end_prompt_line()
        self._console.print()
        self._console.print(Rule(Text(without_control_characters(text), style="bold"), align="left", characters="─"))

    def rows(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Print a grid, indented; only its last column is wrapped."""
        self._grid(rows, gap=GAP)

    def _grid(self, rows: Sequence[tuple[str, ...]], *, gap: int) -> None:
        self._end_prompt_line()
        if not rows:
            return
        grid = Grid.grid(padding=(0, gap, 0, 0), pad_edge=False)
        for number in range(len(rows[0])):
            grid.add_column(no_wrap=number < len(rows[0]) - 1)
        for row in rows:
            grid.add_row(*(self._marked(cell) for cell in row))
        self._console.print(Padding(grid, (0, 0, 0, 2), expand=False))

    def choices(self, labels: Sequence[str]) -> None:
        """Print a numbered list, in as many columns as fit."""
        self._end_prompt_line()
        numbered = [f"{number:>3}) {without_control_characters(label)}" for number, label in enumerate(labels, start=1)]
        widest = max(map(cell_len, numbered), default=1) + GAP
        across = max(1, (self._console.width + GAP) // widest)
        down = -(-len(numbered) // across)
        for line in range(down):
            row = numbered[line::down]
            padded = [each + " " * (widest - cell_len(each)) for each in row[:-1]]
            self._console.print("".join([*padded, *row[-1:]]), soft_wrap=across > 1)

    def markdown(self, text: str) -> None:
        """Print a text in Markdown."""
        self._end_prompt_line()
        self._console.print(Markdown("\n".join(map(without_control_characters, text.split("\n")))))

    def prompt(self) -> None:
        """Print the prompt, once until a line is typed or printed."""
        if not self._prompt_shown:
            self._console.print(PROMPT, end="", style="bold")
            self._console.file.flush()
            self._prompt_shown = True

    def line_typed(self) -> None:
        """Note that a line was typed: where it was echoed, it has ended the prompt's line."""
        if self._input_echoes:
            self._prompt_shown = False
        self._end_prompt_line()

    def _end_prompt_line(self) -> None:
        self._fit()
        if self._prompt_shown:
            self._prompt_shown = False
            self._console.print()

    def _marked(self, text: str, style: str = "") -> Text:
        marked = Text(without_control_characters(text), style=style)
        self._highlight.highlight(marked)
        return marked


def without_control_characters(text: str) -> str:
    """Return a text without control characters."""
    return text.translate(UNPRINTABLE)
