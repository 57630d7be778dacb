"""Output of the terminal client: lines, lists, grids, Markdown, QR codes. Coloured on terminals without NO_COLOR."""

import re
import sys
from collections.abc import Sequence
from typing import TextIO, cast

import segno
from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console
from rich.control import Control
from rich.highlighter import RegexHighlighter
from rich.padding import Padding
from rich.rule import Rule
from rich.segment import ControlType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text
from rich.theme import Theme

WIDEST = 96
"""Maximum columns, even on wider terminals, since longer lines are hard to read."""
GAP = 3
PROMPT = "› "
SPACES_AT_END = re.compile(r" +(?=\n)")
UNPRINTABLE = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
"""Control characters, which are removed, so that no name or server response can send commands to the terminal."""


class CardHighlighter(RegexHighlighter):
    """Prints cards of red suits in red."""

    base_style = "card."
    highlights = [r"(?P<red>(?:10|[A2-9JQK])[♥♦])"]  # noqa: RUF012  (required by the library)


class TrimmedLines:
    """A file that removes trailing spaces, for output that is stored or read by programs."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write whole lines, or the prompt."""
        return self._file.write(SPACES_AT_END.sub("", text))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


class ChoiceGrid(Struct, frozen=True):
    """A numbered list in columns, filled column by column."""

    count: int = 0
    down: int = 1
    """Number of lines in a column."""

    def step(self, chosen: int | None, across: int, down: int) -> int | None:
        """Return the index to which an arrow key moves the selection, from 0, wrapping around at the ends."""
        if not self.count:
            return None
        if chosen is None:
            return 0 if across + down > 0 else self.count - 1
        if down:
            return (chosen + down) % self.count
        line, columns = chosen % self.down, -(-self.count // self.down)
        column = (chosen // self.down + across) % columns
        if column * self.down + line >= self.count:  # the last column is shorter, so it has no item on this line
            column = 0 if across > 0 else column - 1
        return column * self.down + line


class Output:
    """Prints to a file, standard output by default. Control characters are removed from all texts."""

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
        """A console that is used only to get the terminal's width, which may change."""
        self._fit()
        self._input_echoes = sys.stdin.isatty() if input_echoes is None else input_echoes
        """Whether the terminal echoes the input, including the newline after it."""
        self._edits_lines = False
        self._prompt_shown = False
        self._typed = ""
        self._labels: list[str] = []
        """Numbered labels of the last printed list, as long as its items can be selected."""
        self.grid = ChoiceGrid()
        self.chosen: int | None = None
        """Index of the selected item, from 0."""
        self._list_lines = 0
        """Number of lines from the top of the list to the prompt; 0 if the list cannot be redrawn."""

    def _fit(self) -> None:
        width = min(self._measure.width, WIDEST)
        if width != self._console.width:
            self._list_lines = 0
        self._console.width = width

    @property
    def interactive(self) -> bool:
        """Whether the output is a terminal on which printed text can be changed."""
        return self._measure.file.isatty() and not self._console.is_dumb_terminal

    @property
    def height(self) -> int | None:
        """Height of the terminal in lines; None if the output is not a terminal."""
        return self._measure.height if self._console.is_terminal else None

    def clear(self) -> None:
        """Clear the screen. Unfinished input is kept for the next prompt."""
        self._end_prompt_line()
        self._console.clear()

    def call(self, title: str) -> None:
        """Ring the bell and set the window title, to get the person's attention."""
        self._end_prompt_line()
        self._console.bell()
        self._console.set_window_title(without_control_characters(title))

    def line(self, text: str = "", *, style: str = "") -> None:
        """Print a line, wrapped at the width."""
        self._end_prompt_line()
        self._console.print(without_control_characters(text), style=style or None)

    def lines(self, texts: Sequence[str], *, style: str = "") -> None:
        """Print indented lines."""
        for text in texts:
            self._end_prompt_line()
            self._console.print(Padding(self._marked(text, style), (0, 0, 0, 2), expand=False))

    def items(self, texts: Sequence[str]) -> None:
        """Print a list with a dot before each item."""
        self._grid([("·", text) for text in texts], gap=1)

    def command(self, text: str) -> None:
        """Print a command to be copied, without wrapping."""
        self._end_prompt_line()
        self._console.print(f"  {without_control_characters(text)}", soft_wrap=True)

    def title(self, text: str) -> None:
        """Print a heading; on a terminal, with a rule up to the edge."""
        self._end_prompt_line()
        self._console.print()
        heading = Text(without_control_characters(text), style="bold")
        self._console.print(Rule(heading, align="left", characters="─") if self._console.is_terminal else heading)

    def rows(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Print an indented grid. Only the last column is wrapped."""
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

    def qr_code(self, text: str, *, below: int) -> None:
        """Print a text as a QR code, if the code fits in the window with `below` more lines.

        Nothing is printed without a terminal or colours, since the code must be dark on light.
        """
        lines = qr_code(text) if self.interactive and self._console.color_system and not self._console.no_color else []
        fits = len(lines) + below <= self._measure.height and all(len(line) <= self._console.width for line in lines)
        if fits:
            self._end_prompt_line()
            for line in lines:
                self._console.print(line)

    def choices(self, labels: Sequence[str], *, more: str = "") -> None:
        """Print a numbered list in as many columns as fit, then the line `more`. Arrow keys then select from it."""
        self._end_prompt_line()
        self.forget_choices()
        self._labels = [f"{number:>3}) {without_control_characters(label)}" for number, label in enumerate(labels, 1)]
        across = max(1, (self._console.width + GAP) // self._column_width())
        self.grid = ChoiceGrid(len(labels), max(1, -(-len(labels) // across)))
        self._print_choices()
        if more:
            self._console.print(without_control_characters(more))
        lines = min(self.grid.down, len(labels)) + bool(more)
        unwrapped = all(cell_len(text) <= self._console.width for text in (*self._labels, more))
        self._list_lines = lines if unwrapped and lines < self._measure.height else 0

    def _column_width(self) -> int:
        return max(map(cell_len, self._labels), default=1) + GAP

    def _print_choices(self) -> None:
        width, down = self._column_width(), self.grid.down
        for line in range(min(down, len(self._labels))):
            row = Text()
            for number in range(line, len(self._labels), down):
                label, last = self._labels[number], number + down >= len(self._labels)
                row.append(label, style="reverse" if number == self.chosen else "")
                row.append("" if last else " " * (width - cell_len(label)))
            self._highlight.highlight(row)
            self._console.print(row, soft_wrap=len(self._labels) > down)

    def forget_choices(self) -> None:
        """End the selection from the last list."""
        if self.chosen is not None:
            self._typed = ""
        self._labels, self.grid, self.chosen, self._list_lines = [], ChoiceGrid(), None, 0

    def markdown(self, text: str) -> None:
        """Print a Markdown text."""
        from rich.markdown import Markdown  # noqa: PLC0415  (a tenth of a command's start time)

        self._end_prompt_line()
        self._console.print(Markdown("\n".join(map(without_control_characters, text.split("\n")))))

    # --- prompt and input

    def edits_lines(self) -> None:
        """Record that `show_typed` shows the input, so the terminal does not echo it."""
        self._edits_lines, self._input_echoes = True, False

    def prompt(self) -> None:
        """Print the prompt with the current input, unless it is already shown."""
        if not self._prompt_shown:
            self._print_prompt()

    def show_typed(self, text: str, chosen: int | None = None) -> None:
        """Show the typed text, or the selected item, after the prompt."""
        self._fit()
        if chosen != self.chosen:
            self.chosen = chosen
            self._draw_choices()
        self._typed = text if chosen is None else self._labels[chosen].strip()
        self._console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
        self._print_prompt()

    def _draw_choices(self) -> None:
        """Redraw the list with the new selection, if it is still directly above the prompt."""
        if self._list_lines and self._prompt_shown:
            self._console.control(Control((ControlType.CURSOR_UP, self._list_lines), ControlType.CARRIAGE_RETURN))
            self._print_choices()
            below = self._list_lines - min(self.grid.down, len(self._labels))
            self._console.file.write("\n" * below)

    def _print_prompt(self) -> None:
        shown = self._typed
        while cell_len(PROMPT + shown) >= self._console.width:
            shown = shown[1:]
        self._console.print(Text.assemble((PROMPT, "bold"), (shown, "" if self.chosen is None else "reverse")), end="")
        self._console.file.flush()
        self._prompt_shown = True

    def enter_line(self) -> None:
        """Record that the shown line was submitted. Further output goes below it."""
        self._typed, self.chosen, self._list_lines = "", None, 0
        self._prompt_shown = False
        self._console.print()

    def line_typed(self) -> None:
        """Record that a line was typed. Its echo has ended the prompt's line."""
        if self._input_echoes:
            self._prompt_shown = False
        self._end_prompt_line()

    def _end_prompt_line(self) -> None:
        self._fit()
        self._list_lines = 0
        if self._prompt_shown:
            self._prompt_shown = False
            if self._edits_lines:
                self._console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
            else:
                self._console.print()

    def _marked(self, text: str, style: str = "") -> Text:
        marked = Text(without_control_characters(text), style=style)
        self._highlight.highlight(marked)
        return marked


def without_control_characters(text: str) -> str:
    """Return a text without control characters."""
    return text.translate(UNPRINTABLE)


# --- QR codes

BORDER = 2
"""Light modules around the code. The standard requires 4, but phones can read 2, which saves lines."""
UPPER_HALF = "▀"
COLOURS = ("bright_white", "black")
"""Colours of light and dark modules. They are the same on dark terminals, since some readers fail on inverted codes."""


def qr_code(text: str) -> list[Text]:
    """Return the lines of a text's QR code. Each line shows two rows of modules."""
    rows = [list(row) for row in segno.make_qr(text, error="l").matrix]
    empty = [0] * (len(rows) + 2 * BORDER)
    framed = [[0] * BORDER + row + [0] * BORDER for row in rows]
    framed = [empty] * BORDER + framed + [empty] * (BORDER + 1)  # add one more row, for the lower half of the last line
    return [_line(upper, lower) for upper, lower in zip(framed[: len(empty) : 2], framed[1::2], strict=True)]


def _line(upper: list[int], lower: list[int]) -> Text:
    line = Text(no_wrap=True)
    for above, below in zip(upper, lower, strict=True):
        line.append(UPPER_HALF, Style(color=COLOURS[above], bgcolor=COLOURS[below]))
    return line
