"""Pictures of Microsoft's Fluent emoji, flat, as parts of a sprite; fluent/ has their sources and their licence."""

import json
from functools import cache

from art.letters import SIMPLIFIED
from art.paths import minified, scaled

SOURCE_SIZE = 32
"""The width and height of a glyph in its own units."""
SIZE = 100
"""The width and height of a glyph in a sprite, where its coordinates are whole numbers."""


def glyph(name: str) -> str:
    """Return a glyph as a group; its id is the name after an underscore."""
    scale = SIZE / SOURCE_SIZE
    paths = "".join(
        f'<path fill="{colour}" d="{minified(scaled(data, scale), 0)}"/>' for colour, data in _glyphs()[name]
    )
    return f'<g id="_{name}">{paths}</g>'


@cache
def _glyphs() -> dict[str, list[tuple[str, str]]]:
    """Return the colours and paths of each glyph, as written by simplify.py."""
    glyph_paths: dict[str, list[tuple[str, str]]] = json.loads(SIMPLIFIED.read_text(encoding="utf-8"))["glyphs"]
    return glyph_paths
