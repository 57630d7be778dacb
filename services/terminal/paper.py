"""Where the words go: plain text, coloured only on a terminal, and not where NO_COLOR is set."""

import sys
from collections.abc import Sequence
from typing import TextIO

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
UNPRINTABLE = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
"""Nobody's name and no server's answer may steer the terminal."""


class Cards(RegexHighlighter):
    """Red suits are red."""

    base_style = "card."
    highlights = [r"(?P<red>(?:10|[A2-9JQK])[♥♦])"]  # noqa: RUF012  (declared so by the library)


class Paper:
    """What a person reads."""

    def __init__(self, file: TextIO | None = None, *, echoes: bool | None = None) -> None:
        self._highlight = Cards()
        self._console = Console(
            file=file or sys.stdout,
            highlighter=self._highlight,
            theme=Theme({"card.red": "red", "rule.line": "dim"}),
            markup=False,
            emoji=False,
        )
        self._console.width = min(self._console.width, WIDEST)
        self._echoes = sys.stdin.isatty() if echoes is None else echoes
        """Does the terminal show what is typed?"""
        self._asked = False

    def say(self, text: str = "", *, style: str = "") -> None:
        """Write a line; a longer one is wrapped."""
        self._fresh_line()
        self._console.print(cleaned(text), style=style or None)

    def lines(self, texts: Sequence[str], *, style: str = "") -> None:
        """Write lines, set in a little."""
        for text in texts:
            self._fresh_line()
            self._console.print(Padding(self._marked(text, style), (0, 0, 0, 2), expand=False))

    def items(self, texts: Sequence[str]) -> None:
        """Write a list, a point before each of its lines."""
        self._grid([("·", text) for text in texts], gap=1)

    def command(self, text: str) -> None:
        """Write something to be copied, which is never broken."""
        self._fresh_line()
        self._console.print(f"  {cleaned(text)}", soft_wrap=True)

    def title(self, text: str) -> None:
        """Write a heading."""
        self._fresh_line()
        self._console.print()
        self._console.print(Rule(Text(cleaned(text), style="bold"), align="left", characters="─"))

    def rows(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Write a grid, set in a little; of its columns only the last one is wrapped."""
        self._grid(rows, gap=GAP)

    def _grid(self, rows: Sequence[tuple[str, ...]], *, gap: int) -> None:
        self._fresh_line()
        if not rows:
            return
        grid = Grid.grid(padding=(0, gap, 0, 0), pad_edge=False)
        for number in range(len(rows[0])):
            grid.add_column(no_wrap=number < len(rows[0]) - 1)
        for row in rows:
            grid.add_row(*(self._marked(cell) for cell in row))
        self._console.print(Padding(grid, (0, 0, 0, 2), expand=False))

    def choices(self, labels: Sequence[str]) -> None:
        """Write a numbered list, in as many columns as fit."""
        self._fresh_line()
        numbered = [f"{number:>3}) {cleaned(label)}" for number, label in enumerate(labels, start=1)]
        widest = max(map(cell_len, numbered), default=1) + GAP
        across = max(1, (self._console.width + GAP) // widest)
        down = -(-len(numbered) // across)
        for line in range(down):
            row = numbered[line::down]
            padded = [each + " " * (widest - cell_len(each)) for each in row[:-1]]
            self._console.print("".join([*padded, *row[-1:]]), soft_wrap=across > 1)

    def markdown(self, text: str) -> None:
        """Write a text in Markdown."""
        self._fresh_line()
        self._console.print(Markdown("\n".join(map(cleaned, text.split("\n")))))

    def ask(self) -> None:
        """Show that something may be typed."""
        if not self._asked:
            self._console.print(PROMPT, end="", style="bold")
            self._console.file.flush()
            self._asked = True

    def answered(self) -> None:
        """Take note that a line was typed; its echo has ended the prompt's line."""
        if self._echoes:
            self._asked = False
        self._fresh_line()

    def _fresh_line(self) -> None:
        if self._asked:
            self._asked = False
            self._console.print()

    def _marked(self, text: str, style: str = "") -> Text:
        marked = Text(cleaned(text), style=style)
        self._highlight.highlight(marked)
        return marked


def cleaned(text: str) -> str:
    """Return a text without what could steer a terminal."""
    return text.translate(UNPRINTABLE)
