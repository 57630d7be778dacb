"""Photos of cards: contents, size, and length of the caption."""

from io import BytesIO

import pytest
from PIL import Image

from locanda.cards import CODES as FRENCH_CODES
from locanda.cards.cuccu import CODES as CUCCU_CODES
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.records import CardRows, Photo, Podium, PodiumPlace
from services.telegram.screens.games import pictured
from services.telegram.screens.screen import CAPTION_LIMIT, fits_caption
from services.telegram.sending.photos import LINE, MARGIN, TABLE, TILES, WIDTH, draw_photo


async def drawn(photo: Photo) -> Image.Image:
    return Image.open(BytesIO(await draw_photo(photo)))


def test_there_is_a_tile_of_every_card_that_is_pictured() -> None:
    names = {"joker" if code == "*" else code for game in GAME_SCREENS for code in pictured(game)}
    assert {file.stem for file in TILES.iterdir()} == names
    assert sum(file.stat().st_size for file in TILES.iterdir()) < 1_500_000


@pytest.mark.parametrize(
    "rows",
    [
        (("7h",),),
        (tuple(FRENCH_CODES[:9]),),
        (tuple(FRENCH_CODES[:17]), ("*",)),
        (CUCCU_CODES,),
        (FRENCH_CODES,),
        (("back",),),
    ],
)
async def test_a_photo_is_a_jpeg_that_telegram_takes(rows: CardRows) -> None:
    photo = await drawn(rows)
    assert photo.format == "JPEG"
    assert photo.width == WIDTH
    assert photo.width + photo.height <= 10_000
    assert photo.width / photo.height <= 20
    assert len(await draw_photo(rows)) < 400_000


async def test_all_cards_of_a_long_hand_are_within_the_photo() -> None:
    photo = (await drawn((FRENCH_CODES[:13],))).convert("RGB")
    edges = (photo.getpixel((x, photo.height // 2)) for x in (MARGIN // 2, WIDTH - MARGIN // 2))
    assert all(_is_table(pixel) for pixel in edges)
    assert not _is_table(photo.getpixel((MARGIN + 20, photo.height // 2)))
    assert not _is_table(photo.getpixel((WIDTH - MARGIN - 20, photo.height // 2)))


def _is_table(pixel: object) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(one - other) < 12 for one, other in zip(pixel, TABLE, strict=True))


@pytest.mark.parametrize("people", [2, 10])
async def test_the_end_of_a_match_is_a_photo_with_a_line_for_each_player(people: int) -> None:
    names = ["Anna", "Дмитрий", "日本", "W" * 64, "", "🃏", "A\nB", "\u200fعمر", "Żółć", "<img>"]
    places = tuple(PodiumPlace(number + 1, names[number], "21 carte prese") for number in range(people))
    photo = await drawn(Podium(("Jc", "Qd"), places))
    assert photo.format == "JPEG"
    assert photo.height == (await drawn((("Jc", "Qd"),))).height + LINE * people + MARGIN


async def test_another_name_is_another_photo() -> None:
    one, other = (Podium(("Jc",), (PodiumPlace(1, name, "1"),)) for name in ("Anna", "Bruno"))
    assert await draw_photo(one) != await draw_photo(other)


async def test_another_hand_is_another_photo() -> None:
    assert await draw_photo((("7h", "8h"),)) != await draw_photo((("7h", "9h"),))


def test_a_caption_counts_as_telegram_counts() -> None:
    assert fits_caption("a" * CAPTION_LIMIT)
    assert not fits_caption("a" * (CAPTION_LIMIT + 1))
    assert fits_caption(f"<b>{'&lt;' * CAPTION_LIMIT}</b>")
    assert not fits_caption("🃏" * (CAPTION_LIMIT // 2 + 1))
