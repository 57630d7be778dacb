"""Pushes in a browser: people who have enabled reminders get notices of their turn even with the page closed."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import datetime

import pytest
import pytest_asyncio
from msgspec import structs
from playwright.async_api import BrowserContext, expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import (
    NO_LIMITS,
    RunningEngine,
    SeatedPlayers,
    quicken_clocks,
    running_engine,
    seat_players,
)
from tests.engine.http.push_receiver import PushReceiver, push_receiver
from tests.waiting import until
from tests.web.conftest import PAGE, website
from tests.web.pressing import take_seat
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

SETTINGS = structs.replace(NO_LIMITS, engine_push="on", engine_outbound_private="127.0.0.0/8")
SWITCH = "Avvisami quando tocca a me"
SYSTEM = """
window.Notification = class {
    static permission = "granted";
    static async requestPermission() { return this.permission; }
};
const manager = {
    async getSubscription() { return window.subscription ?? null; },
    async subscribe(options) {
        const key = atob(options.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/"));
        window.subscription = {
            options: { applicationServerKey: Uint8Array.from(key, (byte) => byte.charCodeAt(0)).buffer },
            toJSON: () => ({ endpoint: "ENDPOINT", keys: { p256dh: "P256DH", auth: "AUTH" } }),
            async unsubscribe() { window.subscription = null; window.hasEnded = true; },
        };
        return window.subscription;
    },
};
Object.defineProperty(navigator, "serviceWorker", {
    value: { register: async () => {}, addEventListener() {}, ready: Promise.resolve({ pushManager: manager }) },
});
"""
"""A script for the browser, whose pushes come from the test's own push service."""


@pytest_asyncio.fixture(loop_scope="session")
async def engine(inline: None, port: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    quicken_clocks(monkeypatch)
    async with running_engine(SETTINGS, website=await asyncio.to_thread(website), port=port) as engine:
        await until(lambda: engine.context.subscriptions.push_key)
        yield engine


@pytest_asyncio.fixture(loop_scope="session")
async def receiver(engine: RunningEngine) -> AsyncIterator[PushReceiver]:
    async with push_receiver() as receiver:
        receiver.key = engine.context.subscriptions.push_key or ""
        yield receiver


async def person(browser: Browser, receiver: PushReceiver) -> BrowserContext:
    context, own = await browser.person(), receiver.browser("/anna")
    script = SYSTEM
    for name in ("endpoint", "p256dh", "auth"):
        script = script.replace(name.upper(), str(own[name]))
    await context.add_init_script(script)
    return context


async def subscriptions(players: SeatedPlayers) -> int:
    answer = await players.engine.get(f"{players.path}/subscriptions", token=players.tokens[0])
    return len(answer.json["subscriptions"])


async def test_with_reminders_on_a_closed_page_hears_of_its_turn(
    engine: RunningEngine, browser: Browser, receiver: PushReceiver
) -> None:
    players = await seat_players(engine, 2)
    context = await person(browser, receiver)
    await take_seat(context, players, 0)
    page = await browser.tab(context, "#/settings")
    await page.get_by_role("switch", name=SWITCH).check()

    async def is_subscribed() -> bool:
        return await subscriptions(players) == 1

    await until(is_subscribed)
    await page.close()
    await players.start()
    while await players.turn() == 0:
        await players.play()
    await players.play()
    while await players.turn() != 0:
        await players.play()

    await until(lambda: receiver.notices)
    assert {notice["title"] for notice in receiver.notices.values()} == {"Tocca a te"}


async def test_a_table_that_is_opened_later_is_pushed_too_and_none_once_reminders_are_off(
    engine: RunningEngine, browser: Browser, receiver: PushReceiver
) -> None:
    context = await person(browser, receiver)
    page = await browser.tab(context, "#/settings")
    await page.get_by_role("switch", name=SWITCH).check()
    players = await seat_players(engine, 2)
    await take_seat(context, players, 0)
    page = await browser.tab(context, f"#/table/{players.table}")

    async def is_subscribed() -> bool:
        return await subscriptions(players) == 1

    await until(is_subscribed)
    await page.goto(f"{browser.url}#/settings")
    await page.get_by_role("switch", name=SWITCH).uncheck()
    await page.wait_for_function("window.hasEnded")


async def test_a_table_is_pushed_alone_from_its_menu_and_no_more(
    engine: RunningEngine, browser: Browser, receiver: PushReceiver
) -> None:
    context = await person(browser, receiver)
    players = await seat_players(engine, 2)
    await take_seat(context, players, 0)
    await players.start()
    page = await browser.tab(context, f"#/table/{players.table}")
    await page.get_by_role("button", name="Menu").click()
    switch = page.get_by_role("switch", name="Avvisi di questo tavolo")
    await switch.click()

    await expect(switch).to_have_attribute("aria-checked", "true")
    assert await subscriptions(players) == 1
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "false")
    assert await subscriptions(players) == 0


WORKER = """async ({ code, pages, notice, press, agent }) => {
    const did = [];
    const handlers = {};
    const client = ({ shows, ...page }) => ({
        ...page,
        focus: async () => did.push(`focus ${shows}`),
        postMessage: (asked, [port]) => shows && port.postMessage(shows),
    });
    const worker = {
        navigator: { userAgent: agent },
        addEventListener: (name, handler) => (handlers[name] = handler),
        registration: {
            scope: "https://cards.example.org/",
            showNotification: async (title, { body, tag, data, silent }) =>
                did.push(`show ${title}: ${body} (${tag}) ${data}${silent ? " silently" : ""}`),
        },
        clients: {
            matchAll: async () => pages.map(client),
            openWindow: async (address) => did.push(`open ${address}`),
        },
    };
    new Function("self", "caches", code)(worker, {});
    const waits = [];
    const event = press
        ? { notification: { data: notice.data, close: () => did.push("close") } }
        : { data: { json: () => notice } };
    handlers[press ? "notificationclick" : "push"]({ ...event, waitUntil: (done) => waits.push(done) });
    await Promise.all(waits);
    return did;
}"""
NOTICE = {"title": "Tocca a te", "body": "Ramino", "table": "T", "data": "#/table/T"}
SEEN = {"visibilityState": "visible", "focused": True}
EVENING = {**NOTICE, "title": "Serata", "at": "2026-11-26T20:00:00+00:00", "language": "it"}
TABLE = "https://cards.example.org/#/table/T"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)


@pytest.mark.parametrize(
    ("pages", "did"),
    [
        ([], ["show Tocca a te: Ramino (T) #/table/T"]),
        ([{"shows": "#/table/T", "visibilityState": "hidden"}], ["show Tocca a te: Ramino (T) #/table/T"]),
        ([{"shows": "#/table/T", **SEEN, "focused": False}], ["show Tocca a te: Ramino (T) #/table/T"]),
        ([{"shows": "#/table/U", **SEEN}], ["show Tocca a te: Ramino (T) #/table/T"]),
        ([{"shows": None, **SEEN}], ["show Tocca a te: Ramino (T) #/table/T"]),
        ([{"shows": "#/table/T", **SEEN}], []),
    ],
)
async def test_a_push_is_shown_unless_its_table_is_looked_at(
    browser: Browser, pages: list[JsonObject], did: list[str]
) -> None:
    assert await in_worker(browser, pages, press=False) == did


async def test_on_an_iphone_each_push_is_shown_since_the_third_that_is_not_would_end_them(browser: Browser) -> None:
    visible: list[JsonObject] = [{"shows": "#/table/T", **SEEN}]
    shown = "show Tocca a te: Ramino (T) #/table/T"
    assert await in_worker(browser, visible, press=False, agent=IPHONE) == [f"{shown} silently"]
    assert await in_worker(browser, [], press=False, agent=IPHONE) == [shown]


@pytest.mark.parametrize(
    ("pages", "did"),
    [
        ([], ["close", f"open {TABLE}"]),
        ([{"shows": "#/table/U"}, {"shows": "#/table/T"}], ["close", "focus #/table/T"]),
        ([{"shows": "#/table/U"}], ["close", f"open {TABLE}"]),
        ([{"shows": None}], ["close", f"open {TABLE}"]),
    ],
)
async def test_a_press_on_the_notice_opens_its_table_and_leaves_other_pages_where_they_are(
    browser: Browser, pages: list[JsonObject], did: list[str]
) -> None:
    assert await in_worker(browser, pages, press=True) == did


async def test_a_push_of_an_evening_has_its_time_by_the_clock_of_the_device_and_opens_no_table(
    browser: Browser,
) -> None:
    (shown,) = await in_worker(browser, [], press=False, notice=EVENING)
    day = datetime.fromisoformat(EVENING["at"]).astimezone()
    assert shown.startswith("show Serata: Ramino · ")
    assert "giovedì" in shown or "venerdì" in shown
    assert shown.endswith(f"({EVENING['at']}) #/")
    assert f":{day:%M}" in shown


async def test_an_evening_is_not_pushed_to_somebody_who_looks_at_the_page(browser: Browser) -> None:
    assert await in_worker(browser, [{"shows": "#/settings", **SEEN}], press=False, notice=EVENING) == []


async def in_worker(
    browser: Browser, pages: list[JsonObject], *, press: bool, notice: dict[str, str] = NOTICE, agent: str = ANDROID
) -> list[str]:
    page = await browser.page("#/settings")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    code = await asyncio.to_thread((PAGE / "root" / "service-worker.js").read_text)
    scene_ = {"code": code, "pages": pages, "notice": notice, "press": press, "agent": agent}
    done: list[str] = await page.evaluate(WORKER, json.loads(json.dumps(scene_)))
    return done
