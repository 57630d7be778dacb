from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from art.__main__ import all_tiles

TILES = Path("services/telegram/tiles")
LARGEST_DIFFERENCE = 4.0
"""Of the pixels in the mean, of 255: the renderer's rounding differs between processors."""


def test_the_committed_tiles_are_what_the_generator_draws() -> None:
    drawn = all_tiles()
    assert {file.stem for file in TILES.iterdir()} == drawn.keys()
    for code, tile in drawn.items():
        committed = Image.open(TILES / f"{code}.png").convert("RGBA")
        now = Image.open(BytesIO(tile)).convert("RGBA")
        assert committed.size == now.size == (200, 280)
        assert max(ImageStat.Stat(ImageChops.difference(committed, now)).mean) < LARGEST_DIFFERENCE, "run make art"
