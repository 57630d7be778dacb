"""People in front of a browser: Chromium under Playwright, pages of the sizes that count, errors collected."""

import asyncio
import atexit
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal

from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Page, ViewportSize, async_playwright, expect

from tests.programs import program
from tests.watch import Watch

CHROMIUM = "chromium-headless-shell"
"""Without a window, Debian's other package, a person costs a quarter of the processor time: the whole browser draws its
own bars and menus for each of them, though nobody sees them.
"""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # What Playwright adds to browsers that it launches itself, so that pages in the background are no slower.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--hide-scrollbars",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
]
CHEAPER = (
    # All parts of the browser but the pages in one process, and one thread that draws a page.
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
    "--num-raster-threads=1",
    # Letters without shades of colour, at whole pixels.
    "--disable-lcd-text",
    "--disable-font-subpixel-positioning",
    # No process in reserve for the next page, no wait with the last page's picture, no offer to translate.
    "--disable-features=SpareRendererForSitePerProcess,PaintHolding,Translate",
)
"""What spares processor time in tests. Pictures, times and frames are made without it, in a browser like people's."""
PATIENCE = 60_000
"""Milliseconds within which what a test waits for must be seen, on a slow machine too."""
Size = Literal["phone", "desktop"]
Theme = Literal["dark", "light"]
SIZES: dict[Size, ViewportSize] = {
    "phone": {"width": 360, "height": 640},
    "desktop": {"width": 1280, "height": 800},
}
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
"""Installed by scripts/lint-web."""


class Browser:
    """Opens pages of one site, each for a person with a storage of their own, and collects what goes wrong in them."""

    def __init__(self, chromium: Chromium, url: str) -> None:
        self.url = url
        self._chromium = chromium
        self._people: list[BrowserContext] = []
        self._errors: list[str] = []
        self._expected: list[str] = ["Service Worker registration blocked by Playwright"]

    async def person(
        self,
        size: Size = "phone",
        *,
        language: str = "it-IT",
        theme: Theme = "dark",
        still: bool = True,
        kept: bool = False,
    ) -> BrowserContext:
        """Return what all pages of a person share.

        With `still`, they have asked for reduced motion; with `kept`, their browser keeps the page, whose requests a
        test does not see then.
        """
        context = await self._chromium.new_context(
            viewport=SIZES[size],
            locale=language,
            color_scheme=theme,
            has_touch=size == "phone",
            reduced_motion="reduce" if still else "no-preference",
            service_workers="allow" if kept else "block",
        )
        context.set_default_timeout(PATIENCE)
        context.on("page", self._watch)
        self._people.append(context)
        context.on("close", self._forget)
        return context

    async def page(
        self,
        address: str = "#/",
        size: Size = "phone",
        *,
        language: str = "it-IT",
        theme: Theme = "dark",
        still: bool = True,
    ) -> Page:
        """Return a page that a new person has opened."""
        context = await self.person(size, language=language, theme=theme, still=still)
        return await self.tab(context, address)

    async def tab(self, context: BrowserContext, address: str = "#/") -> Page:
        """Return another page of a person."""
        page = await context.new_page()
        await page.goto(self.url + address)
        await expect(page.get_by_role("main")).to_be_visible(timeout=PATIENCE)
        return page

    def expect_errors(self, *patterns: str) -> None:
        """Let pages log errors in which one of these is found."""
        self._expected += patterns

    def assert_no_errors(self) -> None:
        """Fail where a page has logged an error, or broken its content policy."""
        unexpected = [error for error in self._errors if not any(re.search(known, error) for known in self._expected)]
        assert not unexpected, "\n".join(unexpected)

    async def close(self) -> None:
        """Close everybody's pages, even while route handlers of the test are still running."""
        for context in [*self._people]:
            for page in context.pages:
                await page.unroute_all(behavior="ignoreErrors")
            await context.unroute_all(behavior="ignoreErrors")
            await context.close()

    def _forget(self, context: BrowserContext) -> None:
        self._people.remove(context)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self._errors.append(f"{error.name}: {error.message}"))
        page.on(
            "console",
            lambda message: self._errors.append(message.text) if message.type in ("error", "warning") else None,
        )


@asynccontextmanager
async def connected(*arguments: str) -> AsyncIterator[Chromium]:
    """Connect to the browser of this process with these further arguments.

    Playwright's driver takes half a second of a core to start.
    """
    expect.set_options(timeout=PATIENCE)
    address = await asyncio.to_thread(running_chromium, *arguments)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.connect_over_cdp(address)
        try:
            yield chromium
        finally:
            await chromium.close()  # the connection, and with it all contexts


@asynccontextmanager
async def launched(url: str) -> AsyncIterator[Browser]:
    """Open a browser for the pages of a site."""
    async with connected() as chromium:
        yield Browser(chromium, url)


@cache
def running_chromium(*arguments: str) -> str:
    """Start the browser that all tests of this process share; return the address of its DevTools."""
    folder = Path(mkdtemp(prefix="locanda-chromium-"))
    own = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
    process = subprocess.Popen(
        [program(CHROMIUM), *own, *ARGUMENTS, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    atexit.register(_stop, process, Watch(-process.pid), folder)
    listening = folder / "DevToolsActivePort"
    while not (listening.exists() and listening.read_text().count("\n")):
        assert process.poll() is None, "chromium has ended at its start"
        time.sleep(0.05)
    return f"http://127.0.0.1:{listening.read_text().splitlines()[0]}"


def _stop(process: "subprocess.Popen[bytes]", watch: Watch, folder: Path) -> None:
    watch.end()
    os.killpg(process.pid, signal.SIGKILL)  # the command may be a script that runs the browser
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


async def assert_accessible(page: Page) -> None:
    """Fail where axe-core finds a violation on the page as it is now."""
    # What still fades in has less contrast than it will have; the ring of a turn's time runs for minutes.
    await page.evaluate("""Promise.allSettled(document.getAnimations()
        .filter(({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime < 5000)
        .map(({ finished }) => finished)).then(() => undefined)""")
    program("npm")  # which has installed axe-core
    # The content policy admits no script but the page's own; this one is run by the browser's debugger.
    await page.evaluate(await asyncio.to_thread(AXE.read_text, "utf-8") + "; undefined")
    results = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
    violations = [
        f"{violation['id']}: {violation['help']}\n"
        + "\n".join(f"    {node['html'][:200]}" for node in violation["nodes"])
        for violation in results["violations"]
    ]
    assert not violations, "\n".join(violations)


async def enlarge_text(page: Page, per_cent: int) -> None:
    """Set the size of text in a page's browser, of which 100 % are 16 pixels."""
    devtools = await page.context.new_cdp_session(page)
    letters = 16 * per_cent // 100
    await devtools.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters}})


async def assert_no_overflow(page: Page) -> None:
    """Fail where the page is wider than its window."""
    wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{page.url} is {wide} pixels wider than the window"
