"""Draws photos as JPEG: tiles of cards side by side on a table, and the names at the end of a match."""

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
"""A palette PNG for each card, which `make art` writes."""
FONT = FOLDER / "fonts" / "bitter-bold.ttf"
"""Latin and Cyrillic letters."""
CARD_WIDTH, CARD_HEIGHT = 200, 280
WIDTH, MARGIN = 1080, 30
"""The width of every photo, so that a message keeps its shape while its hand changes, in pixels."""
ROW_CARDS, WIDEST_STEP = 13, 215
"""The most cards in a row, at which their indexes stay visible, and the longest way from a card to the next."""
LINE, MEDAL, LETTERS, SMALL = 84, 29, 44, 34
"""The end of a match: the height of a line, the radius of a medal, the font sizes of names and points."""
TABLE, INK, PALE = (20, 67, 47), (24, 28, 26), (250, 246, 234)
MEDALS = {1: (244, 196, 48), 2: (203, 209, 216), 3: (208, 142, 86)}
NO_MEDAL = (58, 104, 84)
QUALITY = 85


async def draw_photo(photo: Photo) -> bytes:
    """Return a photo as JPEG; it is drawn in a thread, since that takes some milliseconds."""
    return await asyncio.to_thread(_drawn, photo)


def _drawn(photo: Photo) -> bytes:
    image = _podium(photo) if isinstance(photo, Podium) else _table(photo, 0)
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


# --- cards


def _table(rows: tuple[tuple[str, ...], ...], below: int) -> Image.Image:
    """Return a picture of cards on a table, with a margin of table below them."""
    lines = list(chain.from_iterable(_split(row) for row in rows))
    image = Image.new("RGB", (WIDTH, MARGIN + len(lines) * (CARD_HEIGHT + MARGIN) + below), TABLE)
    for number, line in enumerate(lines):
        for code, x in zip(line, _places(len(line)), strict=True):
            tile = _tile(code)
            image.paste(tile, (x, MARGIN + number * (CARD_HEIGHT + MARGIN)), tile)
    return image


def _split(row: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a row as few lines that hold all its cards, as even as possible."""
    lines = -(-len(row) // ROW_CARDS)
    most = -(-len(row) // lines)
    return [row[at : at + most] for at in range(0, len(row), most)]


def _places(count: int) -> list[int]:
    """Return the left edges of a line's cards: centred, and overlapping as far as they must."""
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
    """Draw a place at height `y`: the medal, the name (cut before the points), and the points at the right."""
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
    """Return a text without the letters that the font does not have; the caption has them all."""
    return "".join(letter for letter in text if _has(letter)).strip()


@cache
def _has(letter: str) -> bool:
    font = _font(SMALL)
    return letter == " " or (letter.isprintable() and bytes(font.getmask(letter)) != bytes(font.getmask("\uffff")))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
