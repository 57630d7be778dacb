import re

import pytest
from playwright.async_api import expect

from tests.web.visitors import SIZES, Browser, Size


@pytest.mark.parametrize("size", SIZES)
async def test_three_taps_after_the_address_cards_are_dealt(browser: Browser, size: Size) -> None:
    page = await browser.page(size=size)
    await page.get_by_role("link", name="Gatto Rosso Gatto Grigio: contro il computer").click()
    await page.get_by_role("button", name="Dai le carte").click()

    await expect(page).to_have_url(re.compile(r"#/table/[A-Za-z0-9_-]{22}$"))
