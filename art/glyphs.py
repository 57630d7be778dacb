"""Pictures of Microsoft's Fluent emoji, flat, as parts of a sprite; fluent/ has their sources and their licence."""

import re
from pathlib import Path

from art.paths import minified

FOLDER = Path(__file__).with_name("fluent")
SIZE = 32
"""The width and height of a glyph in its own units."""


def glyph(name: str) -> str:
    """Return fluent/<name>.svg as a group, its paths written small; its id is the name after an underscore."""
    source = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    body = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", source)
    body = re.sub(r' clip-rule="evenodd"', "", body)
    body = re.sub(r'^<g fill="none">(.*)</g>$', r"\1", body)
    body = re.sub(r' d="([^"]*)"', lambda found: f' d="{minified(found[1])}"', body)
    return f'<g id="_{name}">{body}</g>'
