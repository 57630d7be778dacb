"""`make screenshots` takes pictures of every screen at all sizes, in both themes, and with text twice as large.

They include the games of `examples/games`, and are written to var/screenshots. `make pictures` writes the README's
pictures to docs/images. Each run plays new deals.
"""

import asyncio
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from PIL import Image
from playwright.async_api import Page

from locanda.games.registry import GAME_NAMES
from services.common import logs
from tests.engine.http.engine_server import RunningEngine, quicken_clocks, running_engine
from tests.example_games import installed
from tests.web import package_scenes, table_scenes  # noqa: F401  (they add their scenes)
from tests.web.conftest import website
from tests.web.scenes import SCENES, Visit
from tests.web.visitors import Browser, Theme, enlarge_text, launched

SETTLED = 900
"""Milliseconds after which pictures are loaded and no animation runs any more."""
FOLDER = Path("var") / "screenshots"
SIZES = (
    *((320, 568), (360, 640), (390, 844)),
    *((568, 320), (640, 360), (844, 390)),
    *((1180, 820), (1440, 900), (2560, 1440)),
)
THEMES: tuple[Theme, ...] = ("dark", "light")
LARGE = ((360, 640), (390, 844), (1440, 900))
"""The window sizes that are also tested with text at 200 %."""
DOCUMENTS = Path("docs") / "images"


class Look(NamedTuple):
    """The conditions of a picture: window size, theme, text size."""

    width: int
    height: int
    theme: Theme
    text: int = 100
    """The text size in per cent."""

    @property
    def name(self) -> str:
        """A part of a picture's file name."""
        return f"{self.width}x{self.height}-{self.theme}" + ("" if self.text == 100 else f"-{self.text}")


LOOKS = (
    *(Look(*size, theme) for size in SIZES for theme in THEMES),
    *(Look(*size, "dark", 200) for size in LARGE),
)
OF_DOCUMENTS: dict[str, tuple[Look, Path]] = {
    "presidente": (Look(360, 640, "dark"), DOCUMENTS / "presidente.png"),
    "diavoletto": (Look(1280, 800, "dark"), DOCUMENTS / "diavoletto.png"),
}


async def main(scenes: Iterable[str], *, documents: bool) -> None:
    """Take the pictures of the scenes."""
    with pytest.MonkeyPatch.context() as patch:
        quicken_clocks(patch)
        async with running_engine(website=website()) as engine, launched(engine.url("/")) as browser:
            for scene in scenes:
                look, file = OF_DOCUMENTS[scene] if documents else (None, FOLDER)
                looks = {file: look} if look else {FOLDER / f"{scene}-{look.name}.png": look for look in LOOKS}
                for text in sorted({look.text for look in looks.values()}):
                    await make(
                        engine, browser, scene, {file: look for file, look in looks.items() if look.text == text}
                    )


async def make(engine: RunningEngine, browser: Browser, scene: str, looks: dict[Path, Look]) -> None:
    """Take the pictures of one scene and write them to files."""
    context = await browser.person("phone", language="en-GB")
    visit = Visit(engine, browser, await browser.tab(context))
    await SCENES[scene](visit)
    for file, look in looks.items():
        await seen(visit.page, look)
        await visit.page.screenshot(path=file, full_page=look.text == LOOKS[0].text)
        print(file)
    await context.close()


async def seen(page: Page, look: Look) -> None:
    """Apply a look to a page."""
    await page.set_viewport_size({"width": look.width, "height": look.height})
    await page.emulate_media(color_scheme=look.theme)
    if look.text != LOOKS[0].text:
        await enlarge_text(page, look.text)
    await page.wait_for_timeout(SETTLED)


def wanted(names: tuple[str, ...]) -> list[str]:
    """Return the scenes whose names begin with one of these prefixes, or all scenes if there is no prefix."""
    return [scene for scene in SCENES if not names or scene.startswith(names)]


def make_smaller(files: Iterable[Path]) -> None:
    """Reduce pictures to a palette of 256 colours."""
    for file in files:
        with Image.open(file) as picture:
            picture.convert("RGB").quantize(256).save(file, optimize=True)


def with_example_games() -> None:
    """Run this program again with the example games installed, because games are found only on import."""
    with TemporaryDirectory() as folder:
        path = os.pathsep.join([*map(str, installed(Path(folder), "briscola", "scopa", "tressette")), *sys.path])
        ended = os.spawnle(
            os.P_WAIT,
            sys.executable,
            sys.executable,
            "-m",
            "tests.web.screenshots",
            *sys.argv[1:],
            os.environ | {"PYTHONPATH": path},
        )
    sys.exit(ended)


if __name__ == "__main__":
    if "briscola" not in GAME_NAMES:
        with_example_games()
    logs.configure("warning", "console")
    if sys.argv[1:] == ["--docs"]:
        asyncio.run(main(OF_DOCUMENTS, documents=True))
        make_smaller(file for _, file in OF_DOCUMENTS.values())
    else:
        FOLDER.mkdir(parents=True, exist_ok=True)
        asyncio.run(main(wanted(tuple(sys.argv[1:])), documents=False))
