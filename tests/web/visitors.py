"""People with a browser: Chromium under Playwright, pages of typical sizes, and collected errors."""

import asyncio
import atexit
import os
import re
import shutil
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal, TypeAlias

from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Page, ViewportSize, async_playwright, expect

from tests.programs import program
from tests.watch import Watch

CHROMIUM = "chromium-headless-shell"
"""A browser without windows, from a package of Debian. Each person costs a quarter of the processor time that they
would cost in the full browser, which also draws bars and menus.
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
    # Arguments that Playwright adds to browsers that it launches itself. They keep pages in the background as fast as
    # others.
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
    # Run all parts of the browser except the pages in one process, with one drawing thread for each page.
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
    "--num-raster-threads=1",
    # Draw text without subpixel antialiasing, at whole pixels.
    "--disable-lcd-text",
    "--disable-font-subpixel-positioning",
    # Run all pages of a browser context in one process, which keeps the scripts that it has compiled.
    "--process-per-site",
    # Use no spare process for the next page, show no previous picture while waiting, and offer no translation.
    "--disable-features=SpareRendererForSitePerProcess,PaintHolding,Translate",
)
"""Arguments that save processor time in tests. Pictures and measurements do not use them, so that the browser behaves
like people's browsers.
"""
PATIENCE = 60_000
"""Milliseconds for which a test waits for an element to appear. This is enough on a slow machine too."""
Size = Literal["phone", "desktop"]
Theme = Literal["dark", "light"]
SIZES: dict[Size, ViewportSize] = {
    "phone": {"width": 360, "height": 640},
    "desktop": {"width": 1280, "height": 800},
}
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
"""The script of axe-core, installed by scripts/lint-web."""


Preferences: TypeAlias = tuple[Size, str, Theme, bool]
"""A person's size of window, language, theme, and whether they prefer reduced motion."""
ANCHOR = "icons/180.png"
"""A file without scripts. The page that shows it keeps the process of a browser context alive."""
MOST_KEPT = 4
"""The maximum number of browser contexts that wait for the next test."""


class UsedContexts:
    """Browser contexts of earlier tests, without their stored data.

    They have the page's files and its compiled scripts, so the next test's page loads in half of the processor time.
    """

    def __init__(self) -> None:
        self._idle: dict[Preferences, list[BrowserContext]] = defaultdict(list)

    def take(self, preferences: Preferences) -> BrowserContext | None:
        """Return a context of a person with these preferences, if there is one."""
        return self._idle[preferences].pop() if self._idle[preferences] else None

    async def keep(self, preferences: Preferences, context: BrowserContext) -> None:
        """Keep a context for the next test, or close it if enough are kept."""
        if sum(map(len, self._idle.values())) >= MOST_KEPT:
            await context.close()
            return
        anchor, *pages = context.pages
        for page in pages:
            await page.close()
        await context.set_offline(False)
        devtools = await context.new_cdp_session(anchor)
        await devtools.send(
            "Storage.clearDataForOrigin", {"origin": anchor.url.removesuffix(f"/{ANCHOR}"), "storageTypes": "all"}
        )
        await devtools.detach()
        self._idle[preferences].append(context)


class Browser:
    """Opens pages of one site, each for a person with their own storage, and collects their errors."""

    def __init__(self, chromium: Chromium, url: str, used: UsedContexts | None = None) -> None:
        self.url = url
        self._chromium = chromium
        self._used = used
        self._people: dict[BrowserContext, Preferences | None] = {}
        """The browser contexts of this test, with preferences if later tests may use them."""
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
        """Return a person's browser context.

        With `still`, they prefer reduced motion. With `kept`, their browser caches the page, so tests do not see the
        requests for it.
        """
        context = await self._new_context((size, language, theme, still), kept=kept)
        self._open(context, None)
        return context

    async def usual_person(
        self, size: Size = "phone", *, language: str = "it-IT", theme: Theme = "dark", still: bool = True
    ) -> BrowserContext:
        """Return the same, perhaps a browser context of an earlier test. The test may change only its pages."""
        preferences = (size, language, theme, still)
        context = self._used.take(preferences) if self._used else None
        if context is None:
            context = await self._new_context(preferences)
            if self._used:
                await (await context.new_page()).goto(self.url + ANCHOR)
        self._open(context, preferences)
        return context

    async def _new_context(self, preferences: Preferences, *, kept: bool = False) -> BrowserContext:
        size, language, theme, still = preferences
        context = await self._chromium.new_context(
            viewport=SIZES[size],
            locale=language,
            color_scheme=theme,
            has_touch=size == "phone",
            reduced_motion="reduce" if still else "no-preference",
            service_workers="allow" if kept else "block",
        )
        context.set_default_timeout(PATIENCE)
        return context

    def _open(self, context: BrowserContext, preferences: Preferences | None) -> None:
        context.on("page", self._watch)
        self._people[context] = preferences
        context.on("close", self._forget)

    async def page(
        self,
        address: str = "#/",
        size: Size = "phone",
        *,
        language: str = "it-IT",
        theme: Theme = "dark",
        still: bool = True,
    ) -> Page:
        """Return a page of a new person."""
        context = await self.usual_person(size, language=language, theme=theme, still=still)
        return await self.tab(context, address)

    async def tab(self, context: BrowserContext, address: str = "#/", script: str | None = None) -> Page:
        """Return another page of a person. The script runs before those of the page."""
        page = await context.new_page()
        if script is not None:
            await page.add_init_script(script)
        await page.goto(self.url + address)
        await expect(page.get_by_role("main")).to_be_visible(timeout=PATIENCE)
        return page

    def expect_errors(self, *patterns: str) -> None:
        """Allow pages to log errors that match one of these patterns."""
        self._expected += patterns

    def assert_no_errors(self) -> None:
        """Fail if a page has logged an error, or broken its content policy."""
        unexpected = [error for error in self._errors if not any(re.search(known, error) for known in self._expected)]
        assert not unexpected, "\n".join(unexpected)

    async def close(self) -> None:
        """Close the pages of all people, even while route handlers of the test are still running."""
        while self._people:
            context, preferences = self._people.popitem()
            for page in context.pages:
                await page.unroute_all(behavior="ignoreErrors")
            await context.unroute_all(behavior="ignoreErrors")
            if self._used is None or preferences is None:
                await context.close()
            else:
                context.remove_listener("page", self._watch)
                context.remove_listener("close", self._forget)
                await self._used.keep(preferences, context)

    def _forget(self, context: BrowserContext) -> None:
        self._people.pop(context, None)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self._errors.append(f"{error.name}: {error.message}"))
        page.on(
            "console",
            lambda message: self._errors.append(message.text) if message.type in ("error", "warning") else None,
        )


@asynccontextmanager
async def connected(*arguments: str) -> AsyncIterator[Chromium]:
    """Connect to the browser of this process, started with these additional arguments.

    Playwright's driver takes half a second of a core to start.
    """
    expect.set_options(timeout=PATIENCE)
    address = await asyncio.to_thread(running_chromium, *arguments)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.connect_over_cdp(address)
        try:
            yield chromium
        finally:
            await chromium.close()  # this closes the connection with all browser contexts


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
    # end the whole group, because the command may be a script that runs the browser
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


async def assert_accessible(page: Page) -> None:
    """Fail if axe-core finds a violation on the page now."""
    # Wait for animations to end: elements that are still fading in have too little contrast. Skip the ring of a turn's
    # time, which runs for minutes.
    await page.evaluate("""Promise.allSettled(document.getAnimations()
        .filter(({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime < 5000)
        .map(({ finished }) => finished)).then(() => undefined)""")
    program("npm")  # scripts/lint-web installs axe-core with npm
    # The content policy admits only the page's scripts, so the browser's debugger runs axe-core.
    await page.evaluate(await asyncio.to_thread(AXE.read_text, "utf-8") + "; undefined")
    results = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
    violations = [
        f"{violation['id']}: {violation['help']}\n"
        + "\n".join(f"    {node['html'][:200]}" for node in violation["nodes"])
        for violation in results["violations"]
    ]
    assert not violations, "\n".join(violations)


async def enlarge_text(page: Page, per_cent: int) -> None:
    """Set the text size of a page's browser; 100 % is 16 pixels."""
    devtools = await page.context.new_cdp_session(page)
    letters = 16 * per_cent // 100
    await devtools.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters}})


async def assert_no_overflow(page: Page) -> None:
    """Fail if the page is wider than its window."""
    wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{page.url} is {wide} pixels wider than the window"
