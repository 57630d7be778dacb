"""Draws photos as JPEG: cards side by side on a table, and the places at the end of a match."""

import asyncio
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from locanda.texts.cards import JOKER
from services.telegram.records import Photo, Podium, PodiumPlace

FOLDER = Path(__file__).parents[1]
TILES = FOLDER / "tiles"
"""Folder with a palette PNG for each card, written by `make art`."""
FONT = FOLDER / "fonts" / "bitter-bold.ttf"
"""The font, with Latin and Cyrillic letters."""
CARD_WIDTH, CARD_HEIGHT = 200, 280
WIDTH, MARGIN = 1080, 30
"""Width of every photo and its margin, in pixels. With a fixed width, a message keeps its shape."""
ROW_CARDS, WIDEST_STEP = 13, 215
"""Maximum number of cards in a row, so that their indices stay visible, and maximum step from card to card."""
LINE, MEDAL, LETTERS, SMALL = 84, 29, 44, 34
"""Sizes at the end of a match, in pixels: height of a line, radius of a medal, font sizes of names and of points."""
TABLE, INK, PALE = (20, 67, 47), (24, 28, 26), (250, 246, 234)
MEDALS = {1: (244, 196, 48), 2: (203, 209, 216), 3: (208, 142, 86)}
NO_MEDAL = (58, 104, 84)
QUALITY = 85


async def draw_photo(photo: Photo) -> bytes:
    """Return a photo as JPEG, drawn in a thread because that takes some milliseconds."""
    return await asyncio.to_thread(_drawn, photo)


def _drawn(photo: Photo) -> bytes:
    image = _podium(photo) if isinstance(photo, Podium) else _table(photo, 0)
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


# --- cards


def _table(rows: tuple[tuple[str, ...], ...], below: int) -> Image.Image:
    """Return a picture of rows of cards on a table, with `below` pixels of free table below them."""
    lines = list(chain.from_iterable(_split(row) for row in rows))
    image = Image.new("RGB", (WIDTH, MARGIN + len(lines) * (CARD_HEIGHT + MARGIN) + below), TABLE)
    for number, line in enumerate(lines):
        for code, x in zip(line, _places(len(line)), strict=True):
            tile = _tile(code)
            image.paste(tile, (x, MARGIN + number * (CARD_HEIGHT + MARGIN)), tile)
    return image


def _split(row: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Split a row into as few lines as possible, of nearly equal length."""
    lines = -(-len(row) // ROW_CARDS)
    most = -(-len(row) // lines)
    return [row[at : at + most] for at in range(0, len(row), most)]


def _places(count: int) -> list[int]:
    """Return the left edges of a line's cards: centred, overlapping only if needed."""
    step = min(WIDEST_STEP, (WIDTH - 2 * MARGIN - CARD_WIDTH) // max(1, count - 1))
    left = (WIDTH - CARD_WIDTH - step * (count - 1)) // 2
    return [left + step * index for index in range(count)]


@cache
def _tile(code: str) -> Image.Image:
    return Image.open(TILES / f"{'joker' if code == JOKER else code}.png").convert("RGBA")


# --- the end of a match


def _podium(podium: Podium) -> Image.Image:
    image = _table((podium.cards,), LINE * len(podium.places) + MARGIN)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(podium.places):
        _line(draw, line, image.height - MARGIN - LINE * (len(podium.places) - number) + LINE // 2)
    return image


def _line(draw: ImageDraw.ImageDraw, line: PodiumPlace, y: int) -> None:
    """Draw a place at height `y`: the medal, the name (cut to fit), and the points on the right."""
    x = 2 * MARGIN + MEDAL
    draw.circle((x, y), MEDAL, MEDALS.get(line.place, NO_MEDAL))
    draw.text((x, y), str(line.place), INK if line.place in MEDALS else PALE, _font(SMALL), anchor="mm")
    draw.text((WIDTH - 2 * MARGIN, y), _known(line.points), PALE, _font(SMALL), anchor="rm")
    left, most = x + MEDAL + MARGIN, WIDTH - 4 * MARGIN - draw.textlength(_known(line.points), _font(SMALL))
    name = shown = _known(line.name)
    while shown and left + draw.textlength(shown, _font(LETTERS)) > most:
        name = name[:-1]
        shown = f"{name.rstrip()}…" if name else ""
    draw.text((left, y), shown, PALE, _font(LETTERS), anchor="lm")


def _known(text: str) -> str:
    """Return a text without characters that the font lacks; the caption has the whole text."""
    return "".join(letter for letter in text if _has(letter)).strip()


@cache
def _has(letter: str) -> bool:
    font = _font(SMALL)
    return letter == " " or (letter.isprintable() and bytes(font.getmask(letter)) != bytes(font.getmask("\uffff")))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
