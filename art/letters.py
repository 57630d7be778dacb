"""Letters as paths, from the outlines in letters/, so that no card needs a font."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from art.paths import minified, number, stretched

FOLDER = Path(__file__).with_name("letters")
UNIT = 1000
"""The font size in which the outlines are given."""


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
    """Return how wide a line of text is at a font size."""
    return sum(alphabet(name)[letter].advance for letter in text) * size / UNIT


def outline(letter: str, size: float, name: str, *, width: float = 1, height: float = 1, x: float = 0) -> str:
    """Return a letter's path at a font size and stretched, centred on x with its baseline at y = 0."""
    glyph = alphabet(name)[letter]
    across, down = size / UNIT * width, size / UNIT * height
    return minified(stretched(glyph.path, across, down, x - glyph.advance * across / 2))


def line(text: str, size: float, name: str, x: float, y: float) -> str:
    """Return uses of the shared letters that set a line of text centred on x, with its baseline at y."""
    scale = size / UNIT_SHARED
    left = x - width(text, size, name) / 2
    uses = []
    for letter in text:
        advance = alphabet(name)[letter].advance * size / UNIT
        if letter != " ":
            uses.append(f'<use href="#{letter_id(letter)}" x="{number((left + advance / 2 - x) / scale)}"/>')
        left += advance
    return f'<g transform="translate({number(x)} {number(y)})scale({number(scale, 3)})">{"".join(uses)}</g>'


UNIT_SHARED = 8
"""The font size at which `line` uses shared letters, each once in a sprite."""


def letter_id(letter: str) -> str:
    """Return the id of a shared letter."""
    return f"_l{letter}"


def shared(texts: str, name: str) -> str:
    """Return the paths of all letters in the texts, for `line`."""
    found = sorted(set(texts) - {" "})
    return "".join(f'<path id="{letter_id(letter)}" d="{outline(letter, UNIT_SHARED, name)}"/>' for letter in found)
