from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from art import emoji, pictures
from art.__main__ import all_tiles

BOT = Path("services/telegram")
PAGE = Path("services/web/root")
pytestmark = pytest.mark.slow

LARGEST_DIFFERENCE = 4.0
"""Allowed mean difference of pixels (0 to 255), as the renderer's rounding differs between processors."""


def test_the_committed_tiles_are_what_the_generator_draws() -> None:
    assert_drawn(BOT / "tiles", all_tiles(), (200, 280))


def test_the_committed_custom_emoji_are_what_the_generator_draws() -> None:
    assert_drawn(BOT / "emoji", emoji.pictures(), (100, 100))


def test_the_committed_pictures_of_the_page_are_what_the_generator_draws() -> None:
    for folder, drawn in (("icons", pictures.icons()), ("social", pictures.links())):
        assert_drawn(PAGE / folder, drawn)


def assert_drawn(folder: Path, drawn: dict[str, bytes], size: tuple[int, int] | None = None) -> None:
    """Fail unless a folder has exactly these images. If a size is given, all of them must have it."""
    assert {file.stem for file in folder.iterdir()} == drawn.keys()
    for name, image in drawn.items():
        committed = Image.open(folder / f"{name}.png").convert("RGBA")
        now = Image.open(BytesIO(image)).convert("RGBA")
        assert committed.size == now.size
        assert size is None or now.size == size
        assert max(ImageStat.Stat(ImageChops.difference(committed, now)).mean) < LARGEST_DIFFERENCE, "run make art"
