"""A link as a QR code, in characters that are half a line high each (ISO/IEC 18004; the code itself is segno's)."""

import segno
from rich.style import Style
from rich.text import Text

BORDER = 2
"""Light modules around the code. The standard asks for 4; readers of phones make do with 2, and lines are few."""
UPPER_HALF = "▀"
COLOURS = ("bright_white", "black")
"""Of light and dark modules: a code the other way round is not read everywhere, however dark the terminal."""


def qr_code(text: str) -> list[Text]:
    """Return the lines of a text's QR code, two rows of modules each."""
    rows = [list(row) for row in segno.make_qr(text, error="l").matrix]
    empty = [0] * (len(rows) + 2 * BORDER)
    framed = [[0] * BORDER + row + [0] * BORDER for row in rows]
    framed = [empty] * BORDER + framed + [empty] * (BORDER + 1)  # one more, for the lower half of the last line
    return [_line(upper, lower) for upper, lower in zip(framed[: len(empty) : 2], framed[1::2], strict=True)]


def _line(upper: list[int], lower: list[int]) -> Text:
    line = Text(no_wrap=True)
    for above, below in zip(upper, lower, strict=True):
        line.append(UPPER_HALF, Style(color=COLOURS[above], bgcolor=COLOURS[below]))
    return line
