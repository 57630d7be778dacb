"""Updates of a table: the ends of deals still to be drawn, and the version up to which messages were sent."""

from typing import Any, cast

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from locanda.games.base import Result
from locanda.messages import EventItem, JsonObject, Table
from services.telegram.following.presenting import TablePresenter, TableProgress
from services.telegram.records import ChatTable, DealEndSlot, MatchEndSlot
from services.telegram.repositories import Repositories
from tests.telegram.samples import CHAT_TABLE, match, table

REF = "Ab3-Ef_8"
END: JsonObject = {"type": "deal_over", "result": {"ranking": [[1], [0, 2]], "points": [0, 4, 0]}}


def item(version: int, *events: JsonObject) -> EventItem:
    return EventItem(version, "change", at(version, *events))


def at(version: int, *events: JsonObject) -> Table:
    return table(version=version, match=match(deal=2), events=list(events))


def test_the_end_of_a_deal_is_kept_with_its_version() -> None:
    progress = TableProgress()
    progress.add(item(17, END), new=True)
    assert [(version, end.deal) for version, end in progress.ends] == [(17, 1)]


def test_an_end_from_before_a_restart_is_not_drawn_again() -> None:
    progress = TableProgress()
    progress.add(item(17, END), new=False)
    assert progress.ends == []
    assert progress.timeline.table == at(17, END)


def test_an_item_that_comes_twice_counts_once() -> None:
    progress = TableProgress()
    progress.add(item(17, END), new=True)
    progress.add(item(17, END), new=True)
    assert len(progress.ends) == 1


def test_without_unsent_ends_the_presented_version_is_the_tables() -> None:
    assert TableProgress().presented_version(at(18), {}) == 18


def test_the_presented_version_is_before_the_first_unsent_end_of_a_deal() -> None:
    progress = TableProgress()
    progress.unsent = {DealEndSlot(REF, 1, 1): 15, DealEndSlot(REF, 1, 2): 17}
    assert progress.presented_version(at(18), {}) == 14
    assert progress.presented_version(at(18), {DealEndSlot(REF, 1, 1): 7}) == 16
    assert progress.presented_version(at(18), {DealEndSlot(REF, 1, 1): 7, DealEndSlot(REF, 1, 2): 8}) == 18


def test_a_match_is_still_counted_whose_rematch_has_begun_before_its_end_was_drawn() -> None:
    progress = TableProgress()
    over = table(version=17, status="over", match=match(result=Result(((0,), (1, 2)), (5, 3, 3))))
    rematch = table(version=18, match=match(number=2))
    progress.add(EventItem(17, "change", over), new=True)
    progress.add(EventItem(18, "change", rematch), new=True)
    assert progress.timeline.table == rematch
    assert progress.finished == {1: over}


class ResultParts:
    """A checker that finds every shuffle right, and a renderer that notes when the checked result was stored."""

    def __init__(self, repositories: Repositories) -> None:
        self._repositories = repositories
        self.drawn = False
        self.stored_while_over: bool | None = None

    async def check(self, _chat_table: ChatTable, _over: Table) -> bool:
        return True

    async def draw_result(self, _chat_table: ChatTable, _over: Table) -> None:
        self.drawn = True

    async def save(self, _ref: str) -> None:
        found = await self._repositories.chat_tables.find(CHAT_TABLE.ref)
        assert self.drawn
        assert found
        self.stored_while_over = found.over


async def test_the_checked_result_is_stored_before_the_table_counts_as_over_and_no_start_would_draw_it() -> None:
    redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    repositories = Repositories(redis)
    await repositories.chat_tables.save(CHAT_TABLE)
    over = table(version=17, status="over", match=match(result=Result(((0,), (1, 2)), (5, 3, 3))))
    await repositories.messages.record_id(MatchEndSlot(CHAT_TABLE.ref, over.match.number), 7)
    parts = cast("Any", ResultParts(repositories))
    presenter = TablePresenter(repositories, parts, parts, parts, parts, parts)
    assert await presenter.finish(CHAT_TABLE, over)
    assert parts.stored_while_over is False
    found = await repositories.chat_tables.find(CHAT_TABLE.ref)
    assert found
    assert found.over
    await redis.aclose()
