"""Raster tiles of the cards, of which the bot makes photos: palette PNG, twice the cards' own units."""

import re
from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from art.drawing import HEIGHT, WIDTH, rendered

SCALE = 2
COLOURS = 64
"""The colours of a tile's palette."""


def tiles(sprite: str, codes: Iterable[str]) -> dict[str, bytes]:
    """Return the tiles of cards of a sprite, by the ids of the cards."""
    drawn = _with_default_colours(sprite)
    return {code: palette(_rendered(drawn, code)) for code in codes}


def _with_default_colours(sprite: str) -> str:
    """Return a sprite without custom properties, which belong to pages: each gives way to its default."""
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", sprite)


def _rendered(sprite: str, code: str) -> bytes:
    body = sprite.removeprefix('<svg xmlns="http://www.w3.org/2000/svg">').strip().removesuffix("</svg>")
    use = f'<use href="#{code}" width="{WIDTH}" height="{HEIGHT}"/>'
    return rendered(body + use, WIDTH, HEIGHT, SCALE)


def palette(image: bytes) -> bytes:
    """Return a PNG with a palette, its transparent corners kept: a third of the bytes."""
    file = BytesIO()
    colours = Image.open(BytesIO(image)).convert("RGBA")
    colours.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
