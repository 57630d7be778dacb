"""`make screenshots`: a picture of every screen at both sizes, in both languages and themes, in var/screenshots.

`make pictures`: those of the README, in docs/images. Each run plays deals of its own.
"""

import asyncio
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from PIL import Image

from services.common import logs
from tests.engine.http.engine_server import RunningEngine, quicken_clocks, running_engine
from tests.web import table_scenes  # noqa: F401  (it adds its scenes)
from tests.web.conftest import website
from tests.web.scenes import SCENES, Visit
from tests.web.visitors import SIZES, Browser, Size, Theme, launched

SETTLED = 400
"""Milliseconds after which pictures are there and nothing moves any more."""
FOLDER = Path("var") / "screenshots"
LOOKS: tuple[tuple[str, Theme], ...] = (("it-IT", "dark"), ("it-IT", "light"), ("en-GB", "dark"))
Picture = tuple[str, Size, str, Theme]
"""A scene, and the size, language and theme in which it is seen."""
DOCUMENTS = Path("docs") / "images"
OF_DOCUMENTS: dict[str, Picture] = {
    "presidente.png": ("presidente", "phone", "en-GB", "dark"),
    "diavoletto.png": ("diavoletto", "desktop", "en-GB", "dark"),
}


async def main(pictures: Mapping[Path, Picture]) -> None:
    """Make pictures, by the files to which they are written."""
    with pytest.MonkeyPatch.context() as patch:
        quicken_clocks(patch)
        async with running_engine(website=website()) as engine, launched(engine.url("/")) as browser:
            for file, picture in pictures.items():
                await make(engine, browser, picture, file)
                print(file)


async def make(engine: RunningEngine, browser: Browser, picture: Picture, file: Path) -> None:
    """Make one picture."""
    scene, size, language, theme = picture
    context = await browser.person(size, language=language, theme=theme)
    visit = Visit(engine, browser, await browser.tab(context))
    await SCENES[scene](visit)
    await visit.page.wait_for_timeout(SETTLED)
    await visit.page.screenshot(path=file, full_page=True)
    await context.close()


def of_every_screen(wanted: tuple[str, ...]) -> Mapping[Path, Picture]:
    """Return the pictures of the screens whose names begin with one of these, or of all."""
    return {
        FOLDER / f"{name}-{size}-{language[:2]}-{theme}.png": (name, size, language, theme)
        for name in SCENES
        if not wanted or name.startswith(wanted)
        for size in SIZES
        for language, theme in LOOKS
    }


def make_smaller(files: Iterable[Path]) -> None:
    """Give pictures a palette of 256 colours."""
    for file in files:
        with Image.open(file) as picture:
            picture.convert("RGB").quantize(256).save(file, optimize=True)


if __name__ == "__main__":
    logs.configure("warning", "console")
    if sys.argv[1:] == ["--docs"]:
        documents = {DOCUMENTS / name: picture for name, picture in OF_DOCUMENTS.items()}
        asyncio.run(main(documents))
        make_smaller(documents)
    else:
        FOLDER.mkdir(parents=True, exist_ok=True)
        asyncio.run(main(of_every_screen(tuple(sys.argv[1:]))))
