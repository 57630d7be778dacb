"""Notices of a table that are sent to a seat's server: signed, once for each turn, and without cards."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import structs

from locanda.messages import JsonObject
from services.engine.service import notifier
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    running_engine,
    seat_players,
)
from tests.engine.http.hook_receiver import HookReceiver, hook_receiver
from tests.waiting import until

SETTINGS = structs.replace(NO_LIMITS, engine_webhooks="on", engine_outbound_private="127.0.0.0/8")


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    async with running_engine(SETTINGS) as engine:
        yield engine


@pytest.fixture
async def receiver() -> AsyncIterator[HookReceiver]:
    async with hook_receiver() as receiver:
        yield receiver


async def subscribe(
    players: SeatedPlayers, receiver: HookReceiver, seat: int = 0, path: str = "/hook", **fields: Any
) -> JsonObject:
    body = {"url": receiver.url + path, **fields}
    answer = await players.engine.post(f"{players.path}/subscriptions", body, token=players.tokens[seat])
    assert answer.status == 200, answer.body
    receiver.secrets[path] = answer.json["secret"]
    subscription: JsonObject = answer.json["subscription"]
    return subscription


async def listed(players: SeatedPlayers, seat: int = 0) -> list[JsonObject]:
    answer = await players.engine.get(f"{players.path}/subscriptions", token=players.tokens[seat])
    subscriptions: list[JsonObject] = answer.json["subscriptions"]
    return subscriptions


async def play_slowly(players: SeatedPlayers, receiver: HookReceiver, whole: bool) -> list[tuple[int, int]]:
    """Play a match to its end.

    Make each move once the notice of the turn has arrived. Return the version and the seat of each turn.
    """
    table, turns = await players.start(), []
    before = None
    while table["status"] == "playing":
        now = (table["match"]["deal"], table["deal"]["turn"])
        if now != before and (whole or now[1] == 0):
            turns.append((table["version"], now[1]))
            await until(lambda: len(receiver.of("turn")) == len(turns))
        before = now
        seen = await players.see(now[1])
        answer = await players.engine.post(
            f"{players.path}/moves", {"move": seen["moves"][0]}, token=players.tokens[now[1]]
        )
        table = answer.json["table"]
    return turns


@pytest.mark.parametrize("whole", [False, True])
async def test_each_turn_and_the_end_of_a_match_is_sent_once(
    engine: RunningEngine, receiver: HookReceiver, whole: bool
) -> None:
    players = await seat_players(engine, 2)
    await subscribe(players, receiver, whole_table=whole)

    turns = await play_slowly(players, receiver, whole)
    await until(lambda: receiver.of("over"))

    assert [(notice["version"], notice["seat"]) for notice in receiver.of("turn")] == turns
    (over,) = receiver.of("over")
    last = await players.see()
    assert over == {
        "table": players.table,
        "version": last["version"],
        "game": "gatto_rosso",
        "match": 1,
        "deal": last["match"]["deal"],
    }
    assert set(receiver.ids.values()) == {1}


async def test_the_end_of_a_table_is_sent(engine: RunningEngine, receiver: HookReceiver) -> None:
    players = await seat_players(engine, 1)
    await subscribe(players, receiver)
    await engine.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])

    await until(lambda: receiver.of("closed"))
    assert receiver.of("closed") == [
        {"table": players.table, "version": 2, "game": "gatto_rosso", "match": 1},
    ]


async def test_only_the_types_that_are_wanted_are_sent(engine: RunningEngine, receiver: HookReceiver) -> None:
    players = await seat_players(engine, 2)
    await subscribe(players, receiver, types=["over"], whole_table=True)
    await players.start()
    await players.play_out()

    await until(lambda: receiver.of("over"))
    assert not receiver.of("turn")


async def test_the_same_url_is_one_subscription_with_a_new_secret(
    engine: RunningEngine, receiver: HookReceiver
) -> None:
    players = await seat_players(engine, 2)
    first = await subscribe(players, receiver)
    old = receiver.secrets["/hook"]
    again = await subscribe(players, receiver, types=["turn"])

    assert first["id"] == again["id"]
    assert old != receiver.secrets["/hook"]
    assert await listed(players) == [again]
    assert await listed(players, 1) == []


async def test_a_subscription_ends_for_its_seat_alone(engine: RunningEngine, receiver: HookReceiver) -> None:
    players = await seat_players(engine, 2)
    own = await subscribe(players, receiver)
    other = await subscribe(players, receiver, 1, "/other")
    path = f"{players.path}/subscriptions/{own['id']}"

    assert (await engine.ask("DELETE", path, token=players.tokens[1])).code == "no_such_subscription"
    assert (await engine.ask("DELETE", path, token=players.tokens[0])).json == {"subscriptions": []}
    assert (await engine.ask("DELETE", path, token=players.tokens[0])).code == "no_such_subscription"
    assert (await engine.ask("DELETE", f"{path}x", token=players.tokens[0])).code == "no_such_subscription"
    assert await listed(players, 1) == [other]


async def test_a_receiver_that_is_gone_gets_no_further_notice(engine: RunningEngine, receiver: HookReceiver) -> None:
    players = await seat_players(engine, 2)
    await subscribe(players, receiver, whole_table=True)
    receiver.status = 410
    await players.start()

    await until(lambda: _has_none(players))
    assert len(receiver.ids) == 1


async def _has_none(players: SeatedPlayers) -> bool:
    return await listed(players) == []


async def test_a_notice_is_sent_again_until_the_receiver_takes_it(
    engine: RunningEngine, receiver: HookReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "FIRST_PAUSE", 50)
    players = await seat_players(engine, 2)
    await subscribe(players, receiver, whole_table=True)
    receiver.status = 302
    await players.start()

    await until(lambda: receiver.ids.total() >= 3)
    receiver.status = 200
    assert len(receiver.ids) == 1


async def delivered(players: SeatedPlayers, number: str, *, most: int = 1) -> list[JsonObject]:
    """Return the outcomes of a subscription's last notices, once there are this many."""
    deliveries: list[JsonObject] = []

    async def are_there() -> bool:
        path = f"{players.path}/subscriptions/{number}/deliveries"
        deliveries[:] = (await players.engine.get(path, token=players.tokens[0])).json["deliveries"]
        return len(deliveries) >= most

    await until(are_there)
    return deliveries


async def request_test(players: SeatedPlayers, number: str, seat: int = 0) -> ApiResponse:
    path = f"{players.path}/subscriptions/{number}/test"
    return await players.engine.ask("POST", path, token=players.tokens[seat])


async def test_a_test_notice_arrives_whatever_the_subscription_is_for(
    engine: RunningEngine, receiver: HookReceiver
) -> None:
    players = await seat_players(engine, 1)
    made = await subscribe(players, receiver, types=["over"])

    answer = await request_test(players, made["id"])

    (delivery,) = await delivered(players, made["id"])
    assert receiver.of("test") == [{"table": players.table, "version": 1, "game": "gatto_rosso", "match": 1}]
    assert list(receiver.ids) == [answer.json["id"]] == [delivery["id"]]
    assert (delivery["type"], delivery["failure"]) == ("test", None)


async def test_a_test_notice_is_sent_once_and_its_failure_is_told_by_class_alone(
    engine: RunningEngine, receiver: HookReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "FIRST_PAUSE", 50)
    players = await seat_players(engine, 2)
    made = await subscribe(players, receiver, types=["turn"], whole_table=True)
    receiver.status = 500

    number = (await request_test(players, made["id"])).json["id"]
    (delivery,) = await delivered(players, made["id"])
    assert set(delivery) == {"id", "type", "at", "failure"}
    assert (delivery["id"], delivery["failure"]) == (number, "status")

    await players.start()
    await delivered(players, made["id"], most=3)  # the notice of a turn is retried meanwhile
    assert receiver.ids[number] == 1


@pytest.mark.parametrize(("private", "failure"), [("127.0.0.0/8,::1/128", "unreachable"), ("10.0.0.0/8", "refused")])
async def test_what_only_a_lookup_can_tell_is_told_by_a_test_notice(private: str, failure: str) -> None:
    async with running_engine(structs.replace(SETTINGS, engine_outbound_private=private)) as engine:
        players = await seat_players(engine, 1)
        body = {"url": "https://localhost:1/"}
        made = await engine.post(f"{players.path}/subscriptions", body, token=players.tokens[0])
        number = made.json["subscription"]["id"]

        await request_test(players, number)

        assert [delivery["failure"] for delivery in await delivered(players, number)] == [failure]


async def test_tests_and_deliveries_are_for_the_seat_that_has_subscribed(
    engine: RunningEngine, receiver: HookReceiver
) -> None:
    players = await seat_players(engine, 2)
    made = await subscribe(players, receiver)
    path = f"{players.path}/subscriptions/{made['id']}"

    assert (await request_test(players, made["id"], 1)).code == "no_such_subscription"
    assert (await engine.get(f"{path}/deliveries", token=players.tokens[1])).code == "no_such_subscription"
    assert (await engine.get(f"{path}/deliveries")).code == "no_token"
    await engine.ask("DELETE", path, token=players.tokens[0])
    assert (await request_test(players, made["id"])).code == "no_such_subscription"
    assert (await engine.get(f"{path}/deliveries", token=players.tokens[0])).code == "no_such_subscription"


async def test_a_test_notice_counts_as_a_write(receiver: HookReceiver) -> None:
    async with running_engine(structs.replace(SETTINGS, engine_writes_per_second=1)) as engine:
        players = await seat_players(engine, 1)
        made = await subscribe(players, receiver)
        assert 429 in [(await request_test(players, made["id"])).status for _ in range(8)]


async def test_nobody_subscribes_without_a_seat_or_where_the_operator_does_not_let_them(receiver: HookReceiver) -> None:
    async with running_engine(NO_LIMITS) as engine:
        players = await seat_players(engine, 1)
        body = {"url": f"{receiver.url}/"}
        refused = await engine.post(f"{players.path}/subscriptions", body, token=players.tokens[0])
        assert refused.code == "notices_off"
        assert (await engine.post(f"{players.path}/subscriptions", body)).code == "no_token"
        assert (await engine.get("/v1/server")).json["webhooks"] is False


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "https://user:password@example.org/",
        "https://user@example.org/",
        "https://example.org/#part",
        "https://example.org/a b",
        "https://exämple.org/",
        "https://example.org\\@other.org/",
        "https:///path",
        "https://example.org/" + "x" * 500,
    ],
)
async def test_what_is_no_url_of_a_server_is_refused(engine: RunningEngine, url: str) -> None:
    players = await seat_players(engine, 1)
    refused = await engine.post(f"{players.path}/subscriptions", {"url": url}, token=players.tokens[0])
    assert (refused.code, refused.json["field"]) == ("malformed", "url")


async def test_by_http_nobody_reaches_servers_of_the_internet() -> None:
    async with running_engine(structs.replace(NO_LIMITS, engine_webhooks="on")) as engine:
        players = await seat_players(engine, 1)
        path, token = f"{players.path}/subscriptions", players.tokens[0]
        refused = await engine.post(path, {"url": "http://example.org/"}, token=token)
        assert (refused.code, refused.json["field"]) == ("impossible", "url")
        assert (await engine.get("/v1/server")).json["webhooks"] is True


@pytest.mark.parametrize("url", ["http://93.184.215.14/", "https://192.168.0.1/"])
async def test_an_address_to_which_nothing_is_ever_sent_is_refused_at_once(engine: RunningEngine, url: str) -> None:
    players = await seat_players(engine, 1)
    refused = await engine.post(f"{players.path}/subscriptions", {"url": url}, token=players.tokens[0])
    assert (refused.code, refused.json["field"]) == ("impossible", "url")


async def test_notices_are_counted(engine: RunningEngine, receiver: HookReceiver) -> None:
    players = await seat_players(engine, 2)
    await subscribe(players, receiver, whole_table=True)
    await players.start()
    await until(lambda: receiver.of("turn"))

    async def counted() -> bool:
        text = (await engine.get("/metrics")).body.decode()
        return 'locanda_notices_total{channel="webhook",outcome="sent"} 1.0' in text

    await until(counted)
