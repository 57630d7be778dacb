"""The wanted messages of a table, as a function of its facts."""

from datetime import timedelta

from msgspec import structs

from locanda.messages import EventItem, Table
from services.telegram.drawing.facts import AppLinks, GonePerson, SeatedPerson, TableFacts
from services.telegram.drawing.hands import next_alarm
from services.telegram.drawing.tables import wanted_messages
from services.telegram.play.timeline import Timeline
from services.telegram.records import (
    ChatRecord,
    DealEndSlot,
    DealSlot,
    HandSlot,
    LobbySlot,
    MatchEndSlot,
    ShownMessage,
    TableSlot,
)
from services.telegram.screens.screen import Wanted
from tests.telegram.samples import (
    ANNA,
    BRUNO,
    CHAT_TABLE,
    GAME,
    GROUP,
    NOW,
    REF,
    match,
    over,
    past_deal,
    read,
    table,
    view,
)

HAND = HandSlot(REF, BRUNO)


def facts(seen: Table | None = None, **changes: object) -> TableFacts:
    """Return the facts of a table at which Bruno is on turn."""
    seen = seen or table()
    standard = TableFacts(
        chat_table=CHAT_TABLE,
        game=GAME,
        group=ChatRecord(GROUP, "Amici"),
        language="en",
        links=AppLinks("locanda", "", ""),
        now=NOW,
        table=seen,
        turn_since=17,
        people=[SeatedPerson(user=BRUNO, token="t", table=seen, reachable=True)],
    )
    return structs.replace(standard, **changes)


def wanted(of: TableFacts, shown: dict[TableSlot, ShownMessage] | None = None) -> dict[TableSlot, Wanted]:
    return wanted_messages(of, shown or {}, {})


def test_a_table_in_play_is_shown_in_its_group_and_to_each_person() -> None:
    assert set(wanted(facts())) == {LobbySlot(REF), DealSlot(REF, 1, 1), HAND}


def test_nothing_is_shown_in_a_group_that_the_bot_has_left_and_hands_are() -> None:
    assert set(wanted(facts(group=ChatRecord(GROUP, present=False)))) == {HAND}


def test_a_hand_that_is_newer_than_the_table_waits_for_the_event_that_is_on_its_way() -> None:
    newer = SeatedPerson(user=BRUNO, token="t", table=table(version=18), reachable=True)
    assert HAND not in wanted(facts(people=[newer]))


def test_a_phone_rings_once_for_a_turn_and_again_for_the_reminder() -> None:
    seen = table(turn_seconds=400, deadline=NOW + timedelta(seconds=400))
    first = wanted(facts(seen))[HAND]
    before = ShownMessage(7, first.ring, first.since, first.grid)
    assert wanted(facts(seen), {HAND: before})[HAND].ring == first.ring == "1.1@17"
    alarm = next_alarm(facts(seen), {HAND: first})
    assert alarm == (NOW + timedelta(seconds=300)).timestamp()
    late = facts(seen, now=NOW + timedelta(seconds=301))
    assert wanted(late, {HAND: before})[HAND].ring == "1.1@17!1"
    assert next_alarm(late, wanted(late, {HAND: before})) is None


def test_the_hand_of_one_who_has_left_says_so_and_is_not_sent_where_they_had_none() -> None:
    gone = facts(people=[], gone=[GonePerson(ANNA, "removed", "en", photos=False)])
    assert HandSlot(REF, ANNA) not in wanted(gone)
    hand = wanted(gone, {HandSlot(REF, ANNA): ShownMessage(7)})[HandSlot(REF, ANNA)]
    assert "they are playing on without you" in read(hand.screen)
    assert not hand.create


def test_the_message_of_a_deal_becomes_its_result_without_a_sound() -> None:
    second = table(options={"deals": 3}, match=match(deal=2, past_deals=[past_deal(1, (10, 20, 5))]))
    slot = DealEndSlot(REF, 1, 1)
    deal, shown = DealSlot(REF, 1, 1), wanted(facts(second))
    assert "Deal 1 of 3 is over" in read(shown[slot].screen)
    assert (shown[slot].takes, shown[slot].silent, deal in shown) == (deal, True, False)
    assert slot not in wanted(facts(second), {slot: ShownMessage(7)})
    assert slot in wanted(facts(second), {slot: ShownMessage(7), deal: ShownMessage(7)})


def test_only_a_result_that_asks_who_plays_on_rings() -> None:
    finished, slot, deal = over(5, 3, 3, ranking=((0,), (1, 2))), MatchEndSlot(REF, 1), DealSlot(REF, 1, 1)
    asking = wanted(facts(finished, over={1: finished}), {deal: ShownMessage(7)})[slot]
    evening = structs.replace(CHAT_TABLE, evening="e")
    silent = wanted(facts(finished, over={1: finished}, chat_table=evening), {deal: ShownMessage(7)})[slot]
    assert [(shown.takes, bool(shown.ring), shown.silent) for shown in (asking, silent)] == [
        (deal, True, False),
        (deal, False, True),
    ]


def test_a_result_that_was_shown_before_is_not_sent_again() -> None:
    finished, slot = over(5, 3, 3, ranking=((0,), (1, 2))), MatchEndSlot(REF, 1)
    for ring in ("", "over"):
        assert wanted(facts(finished, over={1: finished}), {slot: ShownMessage(7, ring)})[slot].ring == ring


def test_all_ends_that_were_missed_are_told_and_that_of_the_match_is_its_result() -> None:
    deals = [past_deal(number, (10, 20, 5)) for number in (1, 2, 3)]
    finished = over(5, 3, 3, ranking=((0,), (1, 2)))
    finished = structs.replace(finished, match=structs.replace(finished.match, deal=3, past_deals=deals))
    shown = wanted(facts(finished, over={1: finished}), {DealEndSlot(REF, 1, 1): ShownMessage(7)})
    assert {slot for slot in shown if isinstance(slot, DealEndSlot)} == {DealEndSlot(REF, 1, 2)}
    assert "In the last of 3 deals" in read(shown[MatchEndSlot(REF, 1)].screen)


def test_the_result_has_a_rematch_until_it_has_begun() -> None:
    finished = over(5, 3, 3, ranking=((0,), (1, 2)))
    slot = MatchEndSlot(REF, 1)
    assert wanted(facts(finished, over={1: finished}))[slot].screen.rows
    again = facts(table(match=match(number=2)), over={1: finished})
    assert slot not in wanted(again)
    before = wanted(again, {slot: ShownMessage(7)})[slot]
    assert not before.screen.rows
    assert not before.create


def test_a_result_is_sent_to_who_had_a_hand_though_it_is_gone_and_to_nobody_else() -> None:
    finished = over(5, 3, 3, ranking=((0,), (1, 2)))
    people = [SeatedPerson(user=BRUNO, token="t", table=finished, reachable=True)]
    of = facts(finished, people=people, over={1: finished})
    assert wanted(of, {HAND: ShownMessage(7)})[HAND].create
    assert not wanted(of)[HAND].create


def test_who_loses_their_seat_with_a_closed_table_reads_that_it_is_closed() -> None:
    gone, slot = GonePerson(ANNA, "removed", "en", photos=False), HandSlot(REF, ANNA)
    closed = facts(chat_table=structs.replace(CHAT_TABLE, closed=True), people=[], gone=[gone])
    assert "is closed" in read(wanted(closed, {slot: ShownMessage(7)})[slot].screen)


def test_a_closed_table_says_so_once() -> None:
    closed = facts(chat_table=structs.replace(CHAT_TABLE, closed=True), table=None, people=[])
    slots: tuple[TableSlot, ...] = (LobbySlot(REF), DealSlot(REF, 1, 1), DealSlot(REF, 1, 2))
    for number, last in enumerate(slots):
        shown = wanted(closed, {slot: ShownMessage(7) for slot in slots[: number + 1]})
        assert set(shown) == {last}
        assert "The table is closed" in read(shown[last].screen)


def test_a_match_whose_rematch_has_begun_before_its_end_was_drawn_is_known_to_be_over() -> None:
    timeline, finished = Timeline(), over(5, 3, 3, ranking=((0,), (1, 2)))
    timeline.apply(EventItem(17, "change", finished))
    timeline.apply(EventItem(18, "change", table(version=18, match=match(number=2), deal=view())))
    assert timeline.over == {1: finished}
