"""Notices of real matches reach their subscribers: one for each turn, none is lost, and none is about a past turn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise

import msgspec
import pytest
from msgspec import Struct, structs

from services.engine.service import notice_queue, notifier
from services.engine.service.idempotency import Caller
from services.engine.service.notices import (
    Attempt,
    Channel,
    Notice,
    Outcome,
    Recipient,
    Send,
    decode_recipient,
    encode,
)
from services.engine.service.notifier import Notifier
from services.engine.service.transactions import commit_of
from services.engine.store import Snapshot, Store, keys
from services.engine.store.due import DueSets
from services.engine.store.notices import LEASE, NoticeSubscription
from services.engine.table import playing, seating
from services.engine.table.match import MatchState
from services.engine.table.news import News, news_of
from services.engine.table.state import AnyTable, Transition, TransitionContext, turn_of
from tests.engine.http.engine_server import captured_logs
from tests.engine.table.tables import ID, NOW, any_move, computer, opened, person, played_out, started
from tests.waiting import until

SUBSCRIPTION = "s" * 22


class Receiver:
    """Receives notices, and answers them as configured."""

    def __init__(self) -> None:
        self.taken: list[Notice] = []
        self.outcomes: list[Outcome] = []
        self.attempt: Attempt = "sent"
        self.takes = asyncio.Event()
        self.takes.set()

    async def send(self, _: Recipient, notice: Notice) -> Attempt:
        self.taken.append(notice)
        await self.takes.wait()
        return self.attempt

    @property
    def news(self) -> list[News]:
        return [notice.news for notice in self.taken]

    @asynccontextmanager
    async def notified(self, *stores: Store) -> AsyncIterator[None]:
        """Run a notifier on each store."""

        def observe(_channel: str, outcome: Outcome, _seconds: float) -> None:
            self.outcomes.append(outcome)

        senders: dict[Channel, Send] = {"webhook": self.send, "push": self.send}
        tasks = [asyncio.create_task(Notifier(store, senders, observe).run()) for store in stores]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            self.takes.set()
            await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


class StoredTable:
    """A table in the store, to which Anna has a subscription."""

    def __init__(self, store: Store, table: AnyTable) -> None:
        self.store = store
        self.table = table
        self.snapshot: Snapshot | None = None

    async def commit(self, transition: Transition) -> None:
        commit = commit_of(transition, self.snapshot, Caller())
        assert await self.store.commit(commit) == "committed"
        self.table, self.snapshot = transition.table, Snapshot(commit.version, commit.data)

    async def subscribe(self, *, whole: bool = False, url: str = "https://example.org/hook") -> None:
        recipient = encode(Recipient("webhook", url, "whsec_"))
        subscription = NoticeSubscription(person("Anna").token, whole, "toc", recipient)
        stored = await self.store.notices.subscribe(ID, SUBSCRIPTION, subscription, most=1, most_of_seat=1)
        assert stored == "stored"

    async def play(self) -> None:
        turn = turn_of(self.table)
        assert turn is not None
        await self.commit(playing.play(self.table, turn, any_move(self.table), TransitionContext(NOW)))

    async def play_until(self, holds: Callable[[AnyTable], bool]) -> None:
        while not holds(self.table):
            await self.play()


async def stored(store: Store, *names: str) -> StoredTable:
    """Store a table that Anna has opened, with the other people in `names`."""
    table = opened(*(person(name) for name in names or ("Bruno",)))
    stored_table = StoredTable(store, table)
    await stored_table.commit(Transition(table))
    return stored_table


def is_annas(table: AnyTable) -> bool:
    return turn_of(table) == 0


def is_brunos(table: AnyTable) -> bool:
    return turn_of(table) == 1


def turns(tables: Sequence[AnyTable]) -> list[News]:
    """Return the news between consecutive states of a table."""
    all_news = [news_of(before, after) for before, after in pairwise(tables)]
    return [news for news in all_news if news and not (news.type == "turn" and news.seat is None)]


def test_what_is_news_of_a_match() -> None:
    table = started(person("Bruno"), computer())
    first = news_of(opened(person("Bruno"), computer()), table)
    turn = turn_of(table)
    assert first
    assert first.type == "turn"
    assert first.seat == (None if turn == 2 else turn)
    assert (first.table, first.version, first.match, first.deal) == (ID, table.version, 1, 1)
    assert news_of(table, table) is None
    assert news_of(None, opened()) is None
    over = played_out(started(person("Bruno")))
    ended = news_of(started(person("Bruno")), over)
    assert ended
    assert (ended.type, ended.match) == ("over", 1)
    assert news_of(over, over) is None


@pytest.mark.parametrize("table", [opened(), opened(person("Bruno")), started(person("Bruno"))])
def test_a_table_that_nobody_sits_at_any_more_is_closed(table: AnyTable) -> None:
    closed = news_of(table, seating.close(table).table)
    assert closed
    assert closed.type == "closed"


async def test_each_turn_of_a_match_is_one_notice_and_its_end_another(store: Store, receiver: Receiver) -> None:
    table = await stored(store)
    await table.subscribe(whole=True)
    tables = [table.table]
    async with receiver.notified(store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        tables.append(table.table)
        while table.table.status == "playing":
            await until(lambda: len(receiver.news) == len(turns(tables)))
            await table.play()
            tables.append(table.table)
        await until(lambda: len(receiver.news) == len(turns(tables)))

    assert receiver.news == turns(tables)
    assert receiver.news[-1].type == "over"
    assert len({notice.id for notice in receiver.taken}) == len(receiver.taken)


async def test_of_turns_that_pass_while_nobody_sends_only_the_last_is_sent(store: Store, receiver: Receiver) -> None:
    table = await stored(store)
    await table.subscribe()
    await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
    await table.play_until(is_brunos)
    await table.play_until(is_annas)
    await table.play_until(is_brunos)
    await table.play_until(is_annas)
    versions = table.table.version
    async with receiver.notified(store):
        await until(lambda: receiver.taken)
        await until(lambda: "passed" in receiver.outcomes)

    assert [news.version for news in receiver.news] == [versions]


async def test_a_notice_that_did_not_arrive_is_tried_again_until_it_does(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "FIRST_PAUSE", 50)
    table = await stored(store)
    await table.subscribe(whole=True)
    receiver.attempt = "late"
    async with receiver.notified(store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        await until(lambda: len(receiver.taken) >= 3)
        receiver.attempt = "sent"
        await until(lambda: "sent" in receiver.outcomes)

    assert len({notice.id for notice in receiver.taken}) == 1


async def test_a_notice_is_given_up_after_a_day(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "GIVEN_UP", -1)
    table = await stored(store)
    await table.subscribe(whole=True)
    async with receiver.notified(store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        await until(lambda: receiver.outcomes == ["given_up"])

    assert not receiver.taken
    store.notices.look_again()
    assert await store.notices.due(store.now() + 60_000) == ([], False)


async def test_who_is_gone_gets_no_further_notice(store: Store, receiver: Receiver) -> None:
    table = await stored(store)
    await table.subscribe(whole=True)
    receiver.attempt = "gone"
    async with receiver.notified(store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        await until(lambda: receiver.outcomes == ["gone"])

    assert await store.notices.subscriptions(ID) == {}


async def test_who_has_left_the_table_gets_no_further_notice(store: Store, receiver: Receiver) -> None:
    table = await stored(store, "Bruno", "Carla")
    await table.subscribe(whole=True)
    await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
    await table.play_until(is_brunos)
    await table.commit(seating.leave(table.table, 0, 0, TransitionContext(NOW)))
    async with receiver.notified(store):
        await until(lambda: "left" in receiver.outcomes)

    assert not receiver.taken
    assert await store.notices.subscriptions(ID) == {}


async def test_several_engines_send_each_notice_once(store: Store, replica: Store, receiver: Receiver) -> None:
    table = await stored(store)
    await table.subscribe(whole=True)
    async with receiver.notified(store, replica, store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        while table.table.status == "playing":
            await table.play()
        await until(lambda: any(news.type == "over" for news in receiver.news))

    ids = [notice.id for notice in receiver.taken]
    assert len(ids) == len(set(ids))


class PartlyHanging(Receiver):
    """Receives notices, but answers those for hanging hosts only after it is released."""

    async def send(self, recipient: Recipient, notice: Notice) -> Attempt:
        self.taken.append(notice)
        if "hangs" in recipient.url:
            await self.takes.wait()
        return "sent"

    def has_last(self, table: str) -> bool:
        return self.news[-1].table == table


@pytest.fixture
def hanging() -> PartlyHanging:
    receiver = PartlyHanging()
    receiver.takes.clear()
    return receiver


STRANGER, ANNA = b"st", b"an"


async def open_at(store: Store, number: int, url: str, asker: bytes = STRANGER, channel: Channel = "webhook") -> str:
    """Begin a match at a table whose notices of turns go to this host. Return the table's id."""
    name = f"{number:022}"
    table = opened(person("Bruno"))
    before = structs.replace(table, match=MatchState(name, 1, table.match.root))
    stored_table = StoredTable(store, before)
    await stored_table.commit(Transition(before))
    recipient = encode(Recipient(channel, url, "", asker=asker))
    subscription = NoticeSubscription(person("Anna").token, True, "t", recipient)
    await store.notices.subscribe(name, name, subscription, most=1, most_of_seat=1)
    await stored_table.commit(playing.start(before, 0, TransitionContext(NOW)))
    return name


@pytest.mark.parametrize(
    ("channel", "hangs", "annas"),
    [
        ("push", "https://{}.hangs.fcm.googleapis.com/", "https://fcm.googleapis.com/anna"),
        ("webhook", "https://{}.hangs.example/", "https://hooks.example.org/anna"),
    ],
)
async def test_notices_of_one_asker_that_hang_delay_nobody_elses(
    store: Store, hanging: PartlyHanging, channel: Channel, hangs: str, annas: str
) -> None:
    for number in range(40):
        await open_at(store, number, hangs.format(number), channel=channel)
    async with hanging.notified(store):
        await until(lambda: len(hanging.taken) == 8)
        for number in range(40, 60):
            table = await open_at(store, number, annas, ANNA, channel)
            await until(partial(hanging.has_last, table))
        assert len(hanging.taken) == 8 + 20
        hanging.takes.set()
        await until(lambda: len(hanging.taken) == 40 + 20)
    assert set(hanging.outcomes) == {"sent"}


async def test_all_names_of_a_push_service_share_its_places(store: Store, hanging: PartlyHanging) -> None:
    for number in range(40):
        await open_at(store, number, f"https://{number}.hangs.notify.windows.com/", b"%02d" % number, "push")
    await open_at(store, 40, "https://fcm.googleapis.com/", ANNA, "push")
    async with hanging.notified(store):
        await until(lambda: len(hanging.taken) == 32 + 1)
        hanging.takes.set()
        await until(lambda: len(hanging.taken) == 40 + 1)


async def test_what_waits_is_bounded_the_oldest_is_dropped_and_one_line_says_so(
    store: Store, hanging: PartlyHanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_queue, "WEBHOOKS", replace(notice_queue.WEBHOOKS, asker_places=1, target_waiting=3))
    for number in range(9):
        written = store.now()
        await open_at(store, number, "https://hangs.example/")
        await until(partial(later, store, written))
    with captured_logs() as logs:
        async with hanging.notified(store):
            await until(lambda: hanging.taken)
            assert hanging.outcomes == ["dropped"] * 6
            await open_at(store, 9, "https://example.org/", ANNA)
            await until(lambda: "sent" in hanging.outcomes)
            hanging.takes.set()
            await until(lambda: hanging.outcomes.count("sent") == 4)
    assert [int(news.table) for news in hanging.news] == [6, 9, 7, 8]
    assert logs.getvalue().count("notices_dropped") == 1


def later(store: Store, than: int) -> bool:
    return store.now() > than + 1


async def test_a_notice_that_waits_is_left_in_redis_to_any_engine(
    store: Store, replica: Store, hanging: PartlyHanging, receiver: Receiver
) -> None:
    for number in range(12):
        await open_at(store, number, f"https://{number}.hangs.example/")
    async with hanging.notified(store):
        await until(lambda: len(hanging.taken) == 8)
        async with receiver.notified(replica):
            await until(lambda: len(receiver.taken) == 4)
        hanging.takes.set()
        await until(lambda: hanging.outcomes == ["sent"] * 8)
    assert {news.table for news in hanging.news}.isdisjoint(news.table for news in receiver.news)


async def test_what_an_engine_of_an_earlier_release_claims_is_not_sent_again(
    store: Store, hanging: PartlyHanging
) -> None:
    for number in range(12):
        await open_at(store, number, f"https://{number}.hangs.example/")
    async with hanging.notified(store):
        await until(lambda: len(hanging.taken) == 8)
        earlier = DueSets(store._backend, keys.notices, LEASE)
        # claim notices like an earlier release, which did not take turns between subscribers
        claimed = await earlier.claim(store.now(), 64)
        assert len(claimed) == 4
        await open_at(store, 12, "https://example.org/", ANNA)
        hanging.takes.set()
        await until(lambda: len(hanging.outcomes) == 9)
    assert len(hanging.taken) == 9


def test_an_earlier_release_reads_who_subscribed_as_it_did() -> None:
    class EarlierRecipient(Struct, array_like=True):
        channel: str
        url: str
        secret: str
        language: str = "en"

    stored = encode(Recipient("push", "https://example.org/", "key", "it", asker=ANNA))
    read = msgspec.msgpack.decode(stored, type=EarlierRecipient)
    assert (read.url, read.language) == ("https://example.org/", "it")
    assert decode_recipient(msgspec.msgpack.encode(read)).asker == b""


async def test_what_cannot_be_read_is_removed_and_delays_nothing(store: Store, receiver: Receiver) -> None:
    table = await stored(store)
    await table.subscribe(whole=True)
    await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
    ((notice,), _) = await store.notices.due(store.now() + 1000)
    for broken in (b"x" * 60, notice.member[:36] + b"\xc1", b"\xff" * 60):
        await store._backend.call(("ZADD", notice.key, 0, broken))
    await store.notices.postpone(notice, 0)
    async with receiver.notified(store):
        await until(lambda: receiver.outcomes == ["sent"])
        await until(lambda: _left(store, notice.key, 1))


@pytest.mark.parametrize("step", ["due", "claim"])
async def test_a_failure_of_a_look_for_notices_is_not_the_last_look(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(notifier, "DOWN_SECONDS", 0.01)
    table = await stored(store)
    await table.subscribe(whole=True)
    failed = asyncio.Event()

    def fail(*_: object) -> None:
        failed.set()
        monkeypatch.undo()
        raise ArithmeticError

    monkeypatch.setattr(store.notices, step, fail)
    async with receiver.notified(store):
        await table.commit(playing.start(table.table, 0, TransitionContext(NOW)))
        await failed.wait()
        await until(lambda: receiver.taken)


async def _left(store: Store, key: str, count: int) -> bool:
    left: int = await store._backend.call(("ZCARD", key))
    return left == count
