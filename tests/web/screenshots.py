"""`make screenshots`: a picture of every screen at both sizes, in both languages and themes, in var/screenshots."""

import asyncio
import sys
from pathlib import Path

import pytest

from services.common import logs
from tests.engine.http.engine_server import quicken_clocks, running_engine
from tests.web import table_scenes  # noqa: F401  (it adds its scenes)
from tests.web.conftest import website
from tests.web.scenes import SCENES, Visit
from tests.web.visitors import SIZES, Theme, launched

SETTLED = 400
"""Milliseconds after which pictures are there and nothing moves any more."""
FOLDER = Path("var") / "screenshots"
LOOKS: tuple[tuple[str, Theme], ...] = (("it-IT", "dark"), ("it-IT", "light"), ("en-GB", "dark"))


async def main(wanted: list[str]) -> None:
    """Make the pictures of the screens whose names begin with one of these, or of all."""
    with pytest.MonkeyPatch.context() as patch:
        quicken_clocks(patch)
        async with running_engine(website=website()) as engine, launched(engine.url("/")) as browser:
            for name in SCENES:
                if not wanted or name.startswith(tuple(wanted)):
                    for size in SIZES:
                        for language, theme in LOOKS:
                            context = await browser.person(size, language=language, theme=theme)
                            visit = Visit(engine, browser, await browser.tab(context))
                            await picture(visit, name, FOLDER / f"{name}-{size}-{language[:2]}-{theme}.png")
                            await context.close()


async def picture(visit: Visit, name: str, file: Path) -> None:
    """Make the picture of a scene."""
    await SCENES[name](visit)
    await visit.page.wait_for_timeout(SETTLED)
    await visit.page.screenshot(path=file, full_page=True)
    print(file)


if __name__ == "__main__":
    logs.configure("warning", "console")
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(sys.argv[1:]))
