"""Letters as paths, from the outlines in letters/, so that no card needs a font."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from art.paths import minified, number, stretched

FOLDER = Path(__file__).with_name("letters")
SIMPLIFIED = Path(__file__).with_name("simplified.json")
UNIT = 1000
"""The font size of the outlines."""


@dataclass(frozen=True)
class Letter:
    """An outline with its advance, for a font size of 1,000 units; y grows downwards from the baseline."""

    advance: float
    path: str


@cache
def alphabet(name: str) -> dict[str, Letter]:
    """Return the letters of letters/<name>.json."""
    table = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return {letter: Letter(outline["advance"], outline["path"]) for letter, outline in table.items()}


def width(text: str, size: float, name: str) -> float:
    """Return the width of a line of text at a font size."""
    return sum(alphabet(name)[letter].advance for letter in text) * size / UNIT


def outline(letter: str, size: float, name: str, *, width: float = 1, height: float = 1, x: float = 0) -> str:
    """Return a letter's path at a font size and stretched, centred on x with its baseline at y = 0."""
    glyph = alphabet(name)[letter]
    across, down = size / UNIT * width, size / UNIT * height
    return minified(stretched(glyph.path, across, down, x - glyph.advance * across / 2))


def line(text: str, size: float, name: str, x: float, y: float) -> str:
    """Return a line of text as one path of simple letters, centred on x, with its baseline at y."""
    scale, left = size / UNIT_SIMPLE, -width(text, UNIT_SIMPLE, name) / 2
    letters = []
    for letter in text:
        across = UNIT_SIMPLE / UNIT
        letters.append(minified(stretched(_simple(name)[letter], across, across, round(left)), 0))
        left += alphabet(name)[letter].advance * across
    return f'<path transform="translate({number(x)} {number(y)})scale({number(scale, 3)})" d="{"".join(letters)}"/>'


UNIT_SIMPLE = 64
"""The font size of letters in `line`, with whole coordinates, so that a letter has the same path everywhere."""


@cache
def _simple(name: str) -> dict[str, str]:
    """Return the simplified letters of an alphabet, as written by simplify.py."""
    table: dict[str, dict[str, str]] = json.loads(SIMPLIFIED.read_text(encoding="utf-8"))
    return table[name]
