"""Push notices to the browsers of players: encrypted, once for each turn, and without cards."""

from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from locanda.games.rules import GAMES
from locanda.texts.games import texts_of
from locanda.translations import translations_in
from services.engine.catalogue import details
from tests.engine.http.engine_server import (
    NO_LIMITS,
    RunningEngine,
    running_engine,
    seat_players,
)
from tests.engine.http.push_receiver import SETTINGS, PushReceiver, push_key, push_receiver, receiver_of, subscribe
from tests.redis_server import RedisServer
from tests.secrecy import NoticeGuard
from tests.waiting import until


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    async with running_engine(SETTINGS) as engine:
        yield engine


SHORT = {"diavoletto": {"mazzetto_size": 13, "no_progress_turns": 8}}
"""Options that shorten matches, which otherwise would take hundreds of moves."""


@pytest.fixture
async def receiver(engine: RunningEngine) -> AsyncIterator[PushReceiver]:
    async with receiver_of(engine) as receiver:
        yield receiver


@pytest.mark.parametrize(
    ("language", "turn", "over", "game"),
    [
        ("it", "Tocca a te", "La partita è finita", "Gatto Rosso Gatto Grigio"),
        ("en", "It is your turn", "The match is over", "Gatto Rosso Gatto Grigio"),
    ],
)
async def test_a_browser_learns_of_turns_and_of_the_end_and_nothing_else(
    engine: RunningEngine, receiver: PushReceiver, language: str, turn: str, over: str, game: str
) -> None:
    players = await seat_players(engine, 2)
    answer = await subscribe(players, receiver.browser("/anna"), language=language)
    assert answer.status == 200
    assert answer.json["secret"] is None
    assert answer.json["subscription"]["url"] is None
    await players.start()
    for _ in range(20):
        if await players.turn() == 0:
            break
        await players.play()
    await until(lambda: receiver.notices)
    await players.play_out()
    await until(
        lambda: len(receiver.notices) >= 2 and over in {notice["title"] for notice in receiver.notices.values()}
    )

    assert {notice["title"] for notice in receiver.notices.values()} <= {turn, over}
    for number, notice in receiver.notices.items():
        assert notice == {"id": number, "title": notice["title"], "body": game, "table": players.table}
    assert set(receiver.ids.values()) == {1}


@pytest.mark.parametrize("game", GAMES)
async def test_no_notice_of_a_whole_match_shows_a_card_a_seed_or_a_token(
    engine: RunningEngine, receiver: PushReceiver, game: str
) -> None:
    guard = NoticeGuard(engine.store)
    receiver.inspect = guard.inspect
    players = await seat_players(engine, details(game).players.min, game=game, options=SHORT.get(game, {}))
    for seat, language in enumerate(("it", "en")):
        await subscribe(players, receiver.browser(f"/{seat}"), seat, language=language, whole_table=True)
    await players.start()
    await players.play_out()
    ends = {"La partita è finita", "The match is over"}
    await until(lambda: ends <= {notice["title"] for notice in receiver.notices.values()})
    await until(lambda: not guard.waiting)

    guard.assert_none()
    shown = next(iter(receiver.notices.values()))
    card = next(iter(texts_of(game).deck(translations_in("it")).values())).short
    for secret in (card, players.tokens[1]):  # a check of the guard itself: it reports a notice with a card or a token
        await guard.inspect(shown | {"body": f"{shown['body']} {secret}"})
    assert len(guard.leaks) == 2


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_gets_no_further_push(
    engine: RunningEngine, receiver: PushReceiver, status: int
) -> None:
    receiver.status = status
    players = await seat_players(engine, 2)
    await subscribe(players, receiver.browser("/anna"), whole_table=True)
    await players.start()

    async def has_none() -> bool:
        answer = await engine.get(f"{players.path}/subscriptions", token=players.tokens[0])
        return bool(answer.json == {"subscriptions": []})

    await until(has_none)


async def test_the_key_outlasts_a_restart_and_is_that_of_all_engines(redis_server: RedisServer) -> None:
    settings = structs.replace(SETTINGS, redis_url=redis_server.url)
    async with running_engine(settings) as one, running_engine(settings) as other:
        assert await push_key(one) == (known := await push_key(other))
    async with running_engine(settings) as engine:
        assert await push_key(engine) == known


async def test_where_there_are_no_pushes_nobody_subscribes() -> None:
    async with running_engine(NO_LIMITS) as engine, push_receiver() as receiver:
        players = await seat_players(engine, 1)
        assert (await subscribe(players, receiver.browser("/"))).code == "notices_off"
        assert (await engine.get("/v1/server")).json["push_key"] is None


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/push",
        "https://fcm.googleapis.com.example.org/push",
        "https://evilfcm.googleapis.com/push",
        "https://127.0.0.1/push",
        "https://fcm.googleapis.com:9999/push",
        "https://fcm.googleapis.com:port/push",
        "http://fcm.googleapis.com/push",
    ],
)
async def test_only_push_services_are_pushed_to(url: str) -> None:
    async with running_engine(structs.replace(NO_LIMITS, engine_push="on")) as engine, push_receiver() as receiver:
        await push_key(engine)
        players = await seat_players(engine, 1)
        refused = await subscribe(players, receiver.browser("/") | {"endpoint": url})
        assert (refused.code, refused.json["field"]) == ("impossible", "browser.endpoint")


@pytest.mark.parametrize(
    "url",
    [
        "https://fcm.googleapis.com/fcm/send/x:y",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x",
        "https://wns2-db5p.notify.windows.com/w/?token=x",
    ],
)
async def test_the_push_services_of_browsers_are_known(url: str) -> None:
    async with running_engine(structs.replace(NO_LIMITS, engine_push="on")) as engine, push_receiver() as receiver:
        await push_key(engine)
        players = await seat_players(engine, 1)
        assert (await subscribe(players, receiver.browser("/") | {"endpoint": url})).status == 200


async def test_keys_that_are_none_and_both_a_url_and_a_browser_are_refused(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players = await seat_players(engine, 1)
    refused = await subscribe(players, receiver.browser("/") | {"p256dh": "AAAA"})
    assert (refused.code, refused.json["field"]) == ("impossible", "browser.p256dh")
    refused = await subscribe(players, receiver.browser("/"), url="https://example.org/")
    assert (refused.code, refused.json["field"]) == ("impossible", "url")
    refused = await engine.post(f"{players.path}/subscriptions", {}, token=players.tokens[0])
    assert (refused.code, refused.json["field"]) == ("impossible", "url")
