"""Raster tiles of the cards, of which the bot makes photos: palette PNG, twice the cards' own units."""

import re
from collections.abc import Iterable
from io import BytesIO

import resvg_py
from PIL import Image

from art.drawing import HEIGHT, WIDTH

SCALE = 2
COLOURS = 64
"""The colours of a tile's palette."""


def tiles(sprite: str, codes: Iterable[str]) -> dict[str, bytes]:
    """Return the tiles of cards of a sprite, by the ids of the cards."""
    drawn = _with_default_colours(sprite)
    return {code: _palette(_rendered(drawn, code)) for code in codes}


def _with_default_colours(sprite: str) -> str:
    """Return a sprite without custom properties, which belong to pages: each gives way to its default."""
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", sprite)


def _rendered(sprite: str, code: str) -> Image.Image:
    body = sprite.removeprefix('<svg xmlns="http://www.w3.org/2000/svg">').strip().removesuffix("</svg>")
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    card = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}<use href="#{code}" {size}/></svg>'
    data = resvg_py.svg_to_bytes(svg_string=card, width=WIDTH * SCALE, height=HEIGHT * SCALE, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(data))).convert("RGBA")


def _palette(image: Image.Image) -> bytes:
    """Return an image as PNG with a palette, its transparent corners kept."""
    file = BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
