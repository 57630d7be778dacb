"""Subscribers get a notice of their table's next evening exactly once, even if the table is deleted before."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.engine.service.notifier import GIVEN_UP
from services.engine.store import keys
from tests.engine.http.engine_server import ApiResponse, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.engine.http.hook_receiver import HookReceiver, hook_receiver
from tests.engine.http.push_receiver import SETTINGS, PushReceiver, receiver_of, subscribe
from tests.waiting import until

INVITATION, EVENING = "C'è una serata di carte: ti aspettano", "La serata di carte sta per cominciare"
WANTED = ["invitation", "evening"]


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    async with running_engine(SETTINGS) as engine:
        yield engine


@pytest.fixture
async def receiver(engine: RunningEngine) -> AsyncIterator[PushReceiver]:
    async with receiver_of(engine) as receiver:
        yield receiver


def ahead(**span: float) -> str:
    return (datetime.now(UTC).replace(microsecond=0) + timedelta(**span)).isoformat()


async def set_evening(players: SeatedPlayers, at: str | None, seat: int = 0, **fields: Any) -> ApiResponse:
    body = {"game": "ramino", "at": at, **fields}
    return await players.engine.ask("PUT", f"{players.path}/evening", body, token=players.tokens[seat])


async def seated(engine: RunningEngine, receiver: PushReceiver, types: list[str] = WANTED) -> SeatedPlayers:
    players = await seat_players(engine, 2)
    assert (await subscribe(players, receiver.browser("/anna"), 1, types=types, language="it")).status == 200
    return players


async def waiting(players: SeatedPlayers) -> list[bytes]:
    """Return the notices that wait for delivery."""
    members: list[bytes] = await players.engine.store._backend.call(
        ("ZRANGE", keys.notices(keys.tag_of(players.table)), 0, -1)
    )
    return [member for member in members if member != players.table.encode()]


async def let_it_be_time(players: SeatedPlayers) -> None:
    """Make all notices of a table due immediately."""
    for member in await waiting(players):
        key = keys.notices(keys.tag_of(players.table))
        await players.engine.store._backend.call(("ZADD", key, players.engine.store.now(), member))
    players.engine.store.notices.note_new()


async def is_removed(players: SeatedPlayers) -> None:
    """Delete a table, as if it had expired after some days."""
    await players.engine.store._backend.call(("DEL", keys.of(players.table).state))


async def all_sent(players: SeatedPlayers) -> None:
    async def none_waits() -> bool:
        return not await waiting(players)

    await until(none_waits)


def titles(receiver: PushReceiver) -> list[str]:
    return [notice["title"] for notice in receiver.notices.values()]


async def test_an_evening_is_told_a_day_before_and_when_it_is_near_though_the_table_is_gone(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players, at = await seated(engine, receiver), ahead(days=7)
    assert (await set_evening(players, at)).json == {"game": "ramino", "at": at.replace("+00:00", "Z")}
    assert len(await waiting(players)) == 2
    await is_removed(players)
    await let_it_be_time(players)
    await all_sent(players)

    assert sorted(titles(receiver)) == sorted([INVITATION, EVENING])
    for number, notice in receiver.notices.items():
        about = {"body": "Ramino con il mazzo del Cuccù", "table": players.table, "at": at, "language": "it"}
        assert notice == {"id": number, "title": notice["title"], **about}
    assert set(receiver.ids.values()) == {1}


async def test_what_is_set_again_is_told_once_and_another_time_takes_its_place(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players, soon = await seated(engine, receiver), ahead(hours=5)
    await set_evening(players, soon)
    await until(lambda: receiver.notices)
    for _ in range(3):
        assert (await set_evening(players, soon, seat=1)).status == 200
    assert len(await waiting(players)) == 1
    later = ahead(days=6)
    await set_evening(players, later)
    await let_it_be_time(players)
    await all_sent(players)

    assert sorted((notice["title"], notice["at"]) for notice in receiver.notices.values()) == sorted(
        [(INVITATION, soon), (INVITATION, later), (EVENING, later)]
    )
    assert set(receiver.ids.values()) == {1}


async def test_an_evening_that_is_called_off_is_told_to_nobody_by_whoever_had_set_it_alone(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players = await seated(engine, receiver)
    await set_evening(players, ahead(days=6))
    await is_removed(players)
    assert (await set_evening(players, None, seat=1)).status == 404
    assert (await set_evening(players, None)).json == {"game": "ramino", "at": None}
    await let_it_be_time(players)
    await all_sent(players)

    assert receiver.notices == {}


async def test_who_subscribes_later_hears_of_what_is_still_to_come_and_who_does_not_want_it_hears_nothing(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players = await seated(engine, receiver, ["turn"])
    await set_evening(players, ahead(days=3))
    assert await waiting(players) == []
    answer = await subscribe(players, receiver.browser("/anna"), 1, types=["turn", *WANTED])
    assert answer.json["subscription"]["types"] == ["turn", *WANTED]
    assert len(await waiting(players)) == 2
    listed = await engine.get(f"{players.path}/subscriptions", token=players.tokens[1])
    assert [listed_subscription["types"] for listed_subscription in listed.json["subscriptions"]] == [["turn", *WANTED]]
    number = answer.json["subscription"]["id"]
    await engine.ask("DELETE", f"{players.path}/subscriptions/{number}", token=players.tokens[1])
    await let_it_be_time(players)
    await all_sent(players)

    assert receiver.notices == {}


async def test_a_server_hears_of_an_evening_too() -> None:
    async with running_engine(structs.replace(SETTINGS, engine_webhooks="on")) as engine, hook_receiver() as receiver:
        players, at = await seat_players(engine, 2), ahead(hours=3)
        body = {"url": f"{receiver.url}/", "types": WANTED}
        answer = await engine.post(f"{players.path}/subscriptions", body, token=players.tokens[0])
        receiver.secrets["/"] = answer.json["secret"]
        await set_evening(players, at)
        await until(lambda: _data(receiver))
        assert _data(receiver) == [{"table": players.table, "game": "ramino", "at": at.replace("+00:00", "Z")}]


def _data(receiver: HookReceiver) -> list[Any]:
    return receiver.of("invitation")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"at": ahead(hours=-1)}, "at"), ({"at": ahead(days=36)}, "at"), ({"game": "scopa"}, "game")],
    ids=["past", "too far ahead", "no game"],
)
async def test_an_evening_that_cannot_be_is_refused(engine: RunningEngine, changes: dict[str, Any], field: str) -> None:
    players = await seat_players(engine, 2)
    refused = await set_evening(players, **{"at": ahead(days=1), **changes})
    assert (refused.code, refused.json["field"]) == ("impossible", field)


async def test_nobody_without_a_seat_sets_an_evening(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2)
    for token, code in ((None, "no_token"), ("A" * 43, "wrong_token")):
        answer = await engine.ask("PUT", f"{players.path}/evening", {"game": "ramino", "at": None}, token=token)
        assert answer.code == code


async def test_a_notice_of_a_later_release_is_left_to_its_engines_for_a_day(
    engine: RunningEngine, receiver: PushReceiver
) -> None:
    players = await seated(engine, receiver)
    key, now = keys.notices(keys.tag_of(players.table)), engine.store.now()
    [subscription] = await engine.store.notices.subscriptions(players.table)
    content = msgspec.msgpack.encode(["tournament", players.table])
    later, old = (f"{subscription}{at:013d}".encode() + content for at in (now, now - 2 * GIVEN_UP))
    for notice in (later, old):
        await engine.store._backend.call(("ZADD", key, now, notice))
    engine.store.notices.note_new()

    async def left() -> bool:
        due = await engine.store._backend.call(("ZSCORE", key, later))
        return float(due) > engine.store.now() and await waiting(players) == [later]

    await until(left)
    assert not receiver.ids
