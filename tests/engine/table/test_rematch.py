"""Rematches: which people stay, who else sits down, and when the match begins."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.engine.service import codec
from services.engine.table import fairness, playing, rematch, seating
from services.engine.table.state import (
    AnyTable,
    SeatState,
    TableError,
    TransitionContext,
    is_sound,
    seat_of,
)
from services.engine.table.turns import REMATCH_MS
from services.engine.table.view import view
from tests.engine.table.tables import DIAVOLETTO, NOW, PRESIDENTE, computer, person, play_on, started

AT_ONCE = TransitionContext(NOW)


def over(*others: SeatState, **terms: Any) -> AnyTable:
    """A finished match at a table of Anna, Bruno and Carla, or of Anna and these other people."""
    table = started(*others, **terms)
    while table.status != "over":
        table = play_on(table)
    return table


def say(table: AnyTable, *answers: tuple[int, bool], now: int = NOW) -> AnyTable:
    """Answer for these seats whether they stay."""
    for seat, stay in answers:
        table = rematch.answer(table, seat, stay=stay, client_seed=None, context=TransitionContext(now)).table
        assert is_sound(table)
    return table


def names(table: AnyTable) -> list[str]:
    return [seat.name for seat in table.seats]


def test_it_begins_when_everybody_has_answered_with_those_who_stay() -> None:
    table = say(over(), (0, True), (2, False))
    assert table.status == "over"
    assert view(table, 0).rematch.answers == (True, None, False)  # type: ignore[union-attr]
    begun = say(table, (1, True))
    assert (begun.status, begun.match.number, names(begun)) == ("playing", 2, ["Anna", "Bruno"])
    assert [event["type"] for event in begun.events] == ["rematch_answered", "left", "started", "dealt"]
    assert [seat.token for seat in begun.seats] == [seat.token for seat in table.seats[:2]]
    assert (begun.rematch, seat_of(begun, person("Carla").token)) == (None, None)
    assert is_sound(begun)


def test_with_the_same_players_the_next_seat_deals_and_the_ranking_counts_as_before() -> None:
    table = over(*map(person, ("Bruno", "Carla", "Dario")), game=PRESIDENTE)
    begun = say(table, (0, True), (1, True), (2, True), (3, True))
    assert begun.match.dealer == (table.match.dealer + 1) % 4
    assert begun.match.previous is not None


def test_with_other_players_the_dealer_is_drawn_and_nobody_owes_anything() -> None:
    table = over(*map(person, ("Bruno", "Carla", "Dario", "Elena")), game=PRESIDENTE)
    begun = say(table, (0, True), (1, False), (2, True), (3, True), (4, True))
    seed = begun.match.deal_seed(0)
    assert begun.match.dealer == fairness.shuffle(seed, 0, range(4))[0]
    assert begun.match.previous is None
    assert is_sound(begun)


def test_the_clock_begins_it_a_minute_after_the_first_who_stays_without_those_who_are_silent() -> None:
    silent = over()
    assert silent.wake is None
    table = say(silent, (1, False), (0, True))
    assert table.wake == NOW + REMATCH_MS
    table = say(table, (1, True), now=NOW + 30_000)
    assert table.wake == NOW + REMATCH_MS
    assert rematch.due(table, TransitionContext(NOW + REMATCH_MS - 1)) is None
    begun = rematch.due(table, TransitionContext(NOW + REMATCH_MS))
    assert begun is not None
    assert (begun.table.status, names(begun.table)) == ("playing", ["Anna", "Bruno"])


def test_nobody_stays_and_nothing_begins() -> None:
    table = say(over(), (0, False), (1, False), (2, False))
    assert (table.status, table.wake) == ("over", None)
    assert say(table, (1, True)).wake is None


def test_who_takes_back_that_they_stay_stops_the_clock() -> None:
    assert say(over(), (0, True), (0, False)).wake is None


def test_computer_players_always_stay() -> None:
    table = over(computer(), person("Bruno"))
    assert view(table, None).rematch.answers == (None, True, None)  # type: ignore[union-attr]
    assert names(say(table, (0, True), (2, False))) == ["Anna", "Robot"]


def test_computer_players_fill_the_seats_if_too_few_stay() -> None:
    begun = say(over(), (0, True), (1, False), (2, False))
    assert [(seat.name, seat.kind) for seat in begun.seats] == [("Anna", "person"), ("Bruno", "computer")]
    assert [event["type"] for event in begun.events] == ["rematch_answered", "left", "replaced", "started", "dealt"]
    assert seat_of(begun, person("Bruno").token) is None


def test_or_the_table_waits_for_newcomers() -> None:
    finished = over()
    waiting = structs.replace(finished, computers=structs.replace(finished.computers, fill_seats=False))
    table = say(waiting, (0, True), (1, False))
    closed = rematch.due(table, TransitionContext(NOW + REMATCH_MS))
    assert closed is not None
    assert (closed.table.status, closed.table.wake) == ("over", None)
    begun = rematch.sit(closed.table, person("Dora"), AT_ONCE).table
    assert (begun.status, names(begun)) == ("playing", ["Anna", "Dora"])


def test_a_latecomer_may_still_answer_while_the_table_waits() -> None:
    finished = over()
    waiting = structs.replace(finished, computers=structs.replace(finished.computers, fill_seats=False))
    table = say(waiting, (0, True), (1, False), (2, False))
    assert table.status == "over"
    assert names(say(table, (2, True))) == ["Anna", "Carla"]


def test_newcomers_sit_after_the_others_and_see_no_hand_before() -> None:
    table = rematch.sit(over(), person("Dora"), AT_ONCE).table
    assert table.wake is None
    dora = seat_of(table, person("Dora").token)
    assert dora == 3
    assert is_sound(table)
    seen = view(table, dora)
    assert seen == structs.replace(view(table, None), rematch=seen.rematch)
    assert seen == view(table, dora, view(table, None))
    assert seen.rematch is not None
    assert (seen.you, seen.rematch.newcomers, seen.rematch.you, len(seen.seats)) == (None, ("Dora",), 0, 3)
    begun = say(table, (0, True), (1, False), (2, True))
    assert (names(begun), seat_of(begun, person("Dora").token)) == (["Anna", "Carla", "Dora"], 2)
    assert begun.match.previous is None


def test_a_newcomer_may_leave_again() -> None:
    table = rematch.sit(over(), person("Dora"), AT_ONCE).table
    for left in (seating.leave(table, 3, 3, AT_ONCE), seating.leave(table, 3, 0, AT_ONCE)):
        assert view(left.table, None).rematch.newcomers == ()  # type: ignore[union-attr]
        assert is_sound(left.table)


def test_a_newcomer_finds_no_seat_where_all_may_stay_and_takes_that_of_one_who_stops() -> None:
    table = over(person("Bruno"), game=DIAVOLETTO)
    with pytest.raises(TableError, match="table_full"):
        rematch.sit(table, person("Dora"), AT_ONCE)
    table = rematch.sit(say(table, (1, False)), person("Dora"), AT_ONCE).table
    with pytest.raises(TableError, match="table_full"):
        say(table, (1, True))
    assert names(say(table, (0, True))) == ["Anna", "Dora"]


def test_a_newcomer_takes_no_name_of_another() -> None:
    with pytest.raises(TableError, match="name_taken"):
        rematch.sit(over(), person("anna"), AT_ONCE)


def test_whoever_leaves_is_not_waited_for_and_a_computer_player_plays_for_them() -> None:
    table = say(over(), (0, True), (1, True))
    begun = seating.leave(table, 2, 2, AT_ONCE).table
    assert [seat.kind for seat in begun.seats] == ["person", "person", "computer"]
    assert begun.status == "playing"


def test_the_host_who_starts_the_next_match_waits_for_the_others_as_anybody_does() -> None:
    """People who have not answered get no cards, and have a minute to answer."""
    table = playing.start(over(), 0, AT_ONCE).table
    assert (table.status, rematch.stays(table, 0), rematch.stays(table, 1)) == ("over", True, None)
    assert names(say(table, (1, True), (2, False))) == ["Anna", "Bruno"]


def test_a_host_who_stops_leaves_the_table_to_another() -> None:
    begun = say(over(), (0, False), (1, True), (2, True))
    assert begun.host == 0
    assert names(begun) == ["Bruno", "Carla"]


def test_no_answer_before_the_end_and_none_with_a_seed_that_is_known() -> None:
    with pytest.raises(TableError, match="match_not_over"):
        rematch.answer(started(), 0, stay=True, client_seed=None, context=AT_ONCE)
    table = over(structs.replace(person("Bruno"), client_seed="seven tame geese"))
    with pytest.raises(TableError, match="seed_used"):
        rematch.answer(table, 0, stay=True, client_seed="seven tame geese", context=AT_ONCE)
    answered = rematch.answer(table, 0, stay=True, client_seed="quadrifoglio", context=AT_ONCE).table
    assert say(answered, (1, True)).match.client_seeds == ("quadrifoglio", "")


def test_an_outage_gives_everybody_as_much_time_again() -> None:
    moved = playing.postpone(say(over(), (0, True)), 5000)
    assert moved is not None
    assert moved.table.wake == NOW + REMATCH_MS + 5000
    assert playing.postpone(over(), 5000) is None


def test_a_table_without_answers_is_stored_as_before() -> None:
    """Releases that do not know the answers can then continue the table."""
    table = over()
    assert codec.form_of(table) == 1
    assert (
        len(msgspec.msgpack.decode(codec.encode(structs.replace(table, turns=None))))
        == len(table.__struct_fields__) - 7
    )
    answered = rematch.sit(say(table, (0, True)), person("Dora"), AT_ONCE).table
    assert codec.form_of(answered) == 3
    stored = codec.encode(answered, codec.encode(table))
    assert codec.decode(stored).rematch == answered.rematch
    assert codec.encode(codec.decode(stored)) == stored
    assert sha256(b"Dora").digest() in codec.encode(answered)
