"""Every screen is accessible and fits its window, in both themes, languages and sizes."""

import pytest
from playwright.async_api import expect

from tests.engine.http.engine_server import RunningEngine
from tests.web import package_scenes, table_scenes  # noqa: F401  (they add their scenes)
from tests.web.scenes import SCENES, Visit
from tests.web.visitors import Browser, Size, Theme, assert_accessible, assert_no_overflow

pytestmark = pytest.mark.long

LOOKS: tuple[tuple[Size, str, Theme], ...] = (("phone", "it-IT", "dark"), ("desktop", "en-GB", "light"))


@pytest.mark.parametrize("name", SCENES)
async def test_a_screen_is_accessible_and_fits(engine: RunningEngine, browser: Browser, name: str) -> None:
    for size, language, theme in LOOKS:
        context = await browser.person(size, language=language, theme=theme)
        page = await browser.tab(context)
        await SCENES[name](Visit(engine, browser, page))
        await expect(page.get_by_role("main")).to_be_visible()
        await assert_accessible(page)
        await assert_no_overflow(page)
        await context.close()
