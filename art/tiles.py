"""Raster tiles of the cards for the bot's photos: palette PNG, twice the cards' own units."""

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
    drawn = flat(sprite)
    return {code: palette(_rendered(drawn, code)) for code in codes}


def flat(sprite: str) -> str:
    """Return a sprite's contents with custom properties of pages replaced by their defaults."""
    coloured = re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", sprite)
    return coloured.removeprefix('<svg xmlns="http://www.w3.org/2000/svg">').strip().removesuffix("</svg>")


def _rendered(body: str, code: str) -> bytes:
    use = f'<use href="#{code}" width="{WIDTH}" height="{HEIGHT}"/>'
    return rendered(body + use, WIDTH, HEIGHT, SCALE)


def palette(image: bytes, number: int = COLOURS) -> bytes:
    """Return a PNG with a palette and transparent corners, at a third of the bytes."""
    file = BytesIO()
    colours = Image.open(BytesIO(image)).convert("RGBA")
    colours.quantize(number, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
