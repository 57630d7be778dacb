"""What has happened at a table, and how far it has been told."""

from services.telegram.feed.news import News
from shared.messages import EventItem, JsonObject, Table
from tests.telegram.scenes import match, table

END: JsonObject = {"type": "deal_over", "result": {"ranking": [[1], [0, 2]], "points": [0, 4, 0]}}


def item(version: int, *events: JsonObject) -> EventItem:
    return EventItem(version, "change", at(version, *events))


def at(version: int, *events: JsonObject) -> Table:
    return table(version=version, match=match(deal=2), events=list(events))


def test_the_end_of_a_deal_is_to_be_told_with_the_version_that_brought_it() -> None:
    news = News()
    news.take(item(17, END), new=True)
    assert [(version, end.deal) for version, end in news.ends] == [(17, 1)]


def test_what_was_told_before_a_restart_is_not_told_again() -> None:
    news = News()
    news.take(item(17, END), new=False)
    assert news.ends == []
    assert news.story.table == at(17, END)


def test_what_comes_twice_is_told_once() -> None:
    news = News()
    news.take(item(17, END), new=True)
    news.take(item(17, END), new=True)
    assert len(news.ends) == 1


def test_all_is_told_up_to_the_table_as_it_stands() -> None:
    assert News().told(at(18), {}) == 18


def test_nothing_is_told_beyond_the_end_of_a_deal_that_is_still_to_be_sent() -> None:
    news = News()
    news.pending = {"end:1.1": 15, "end:1.2": 17}
    assert news.told(at(18), {}) == 14
    assert news.told(at(18), {"end:1.1": 7}) == 16
    assert news.told(at(18), {"end:1.1": 7, "end:1.2": 8}) == 18
