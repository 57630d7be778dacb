"""The timeline of a table contains all its events, even if the table was read before they arrived."""

from locanda.messages import EventItem, Table
from services.telegram.play.timeline import Timeline
from tests.telegram.samples import match, table, view


def item(version: int, *types: str, **changes: object) -> EventItem:
    return EventItem(version, "change", at(version, *types, **changes))


def at(version: int, *types: str, **changes: object) -> Table:
    events = [{"type": type_, "result": {"points": [1, 0], "ranking": [[0], [1]]}} for type_ in types]
    return table(version=version, events=events, **changes)


def types_of(timeline: Timeline) -> list[list[str]]:
    return [[event["type"] for event in turn.events] for turn in timeline.turns]


def test_an_event_counts_although_the_table_was_read_at_its_version_before_it_came() -> None:
    timeline = Timeline()
    timeline.apply(item(4, "dealt"))
    timeline.refresh(at(5))
    timeline.apply(item(5, "played"))
    assert types_of(timeline) == [["dealt"], ["played"]]


def test_an_event_that_comes_again_adds_nothing() -> None:
    timeline = Timeline()
    timeline.apply(item(4, "played"))
    timeline.apply(item(4, "played"))
    assert types_of(timeline) == [["played"]]


def test_events_are_kept_by_the_turn_in_which_they_happened() -> None:
    timeline = Timeline()
    for version, turn, types in (
        (4, 1, ["dealt"]),
        (5, 1, ["built"]),
        (6, 0, ["discarded", "drew"]),
        (7, 1, ["passed"]),
    ):
        timeline.apply(item(version, *types, deal=view(turn=turn)))
    assert [turn.seat for turn in timeline.turns] == [None, 1, 0]
    assert types_of(timeline) == [["dealt"], ["built", "discarded", "drew"], ["passed"]]


def test_a_new_deal_forgets_the_turns_of_the_one_before() -> None:
    timeline = Timeline()
    timeline.apply(item(4, "dealt"))
    timeline.apply(item(5, "deal_over", "dealt", "taxed", match=match(deal=2)))
    assert types_of(timeline) == [["dealt", "taxed"]]
