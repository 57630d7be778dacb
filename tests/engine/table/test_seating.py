"""Transitions that change seats."""

import pytest
from msgspec import structs

from locanda.games.gatto_rosso import types as wire
from services.engine.service import codec
from services.engine.table import rematch, seating
from services.engine.table.state import (
    ComputerSettings,
    SeatState,
    ServerState,
    TableError,
    TableSettings,
    TransitionContext,
    seat_of,
    turn_of,
    with_seat,
)
from tests.engine.table.tables import NOW, after, computer, event_types, opened, person, play_on, played_out, started


def test_the_person_who_opens_a_table_is_its_host_on_seat_0() -> None:
    table = opened()
    assert (table.host, table.status, table.version) == (0, "open", 1)
    assert event_types(table) == ["opened"]


def test_each_newcomer_takes_the_next_seat() -> None:
    table = opened(person("Bruno"), computer())
    assert [seat.name for seat in table.seats] == ["Anna", "Bruno", "Robot"]
    assert table.version == 3


def test_a_stranger_may_not_seat_a_computer_player() -> None:
    with pytest.raises(TableError, match="not_host"):
        seating.sit(opened(), computer(), by=None)


def test_a_full_table_refuses_newcomers() -> None:
    table = opened(person("Bruno"), options=wire.Options(three_suits="s"))
    with pytest.raises(TableError, match="table_full") as refused:
        seating.sit(table, person("Carla"))
    assert refused.value.facts == {"most": 2}


def test_a_table_that_plays_takes_no_newcomers() -> None:
    with pytest.raises(TableError, match="not_open"):
        seating.sit(started(), person("Dora"))


def test_the_seats_behind_a_freed_one_move_up_and_keep_their_tokens() -> None:
    table = seating.leave(opened(person("Bruno"), person("Carla")), 1, by=1, context=TransitionContext(NOW)).table
    assert [seat.name for seat in table.seats] == ["Anna", "Carla"]
    assert seat_of(table, person("Carla").token) == 1
    assert table.host == 0


def test_when_the_host_leaves_the_next_person_is_host() -> None:
    table = seating.leave(opened(computer(), person("Bruno")), 0, by=0, context=TransitionContext(NOW)).table
    assert (table.host, table.seats[1].name) == (1, "Bruno")


def test_the_host_stays_host_when_a_seat_before_theirs_is_freed() -> None:
    without_anna = seating.leave(opened(computer(), person("Bruno")), 0, by=0, context=TransitionContext(NOW)).table
    table = seating.leave(without_anna, 0, by=1, context=TransitionContext(NOW)).table
    assert (table.host, [seat.name for seat in table.seats]) == (0, ["Bruno"])


def test_a_table_without_persons_is_over() -> None:
    table = seating.leave(opened(computer()), 0, by=0, context=TransitionContext(NOW)).table
    assert (table.host, table.status) == (None, "over")


def test_only_the_host_removes_others() -> None:
    table = opened(person("Bruno"), person("Carla"))
    with pytest.raises(TableError, match="not_host"):
        seating.leave(table, 2, by=1, context=TransitionContext(NOW))
    assert len(seating.leave(table, 2, by=0, context=TransitionContext(NOW)).table.seats) == 2


def test_a_computer_player_takes_over_the_hand_of_a_person_who_leaves_in_play() -> None:
    before = started()
    turn = turn_of(before)
    assert turn is not None
    table = seating.leave(before, turn, by=turn, context=TransitionContext(NOW, think_ms=700)).table
    assert table.deal == before.deal
    assert table.seats[turn].kind == "computer"
    assert seat_of(table, before.seats[turn].token) is None
    assert table.wake == NOW + 700
    assert event_types(table) == ["replaced"]


def test_whoever_plays_for_a_leaver_has_the_level_of_substitutes() -> None:
    before = started()
    assert seating.leave(before, 1, by=1, context=TransitionContext(NOW)).table.seats[1].level == "medium"
    hard = structs.replace(before, computers=ComputerSettings(substitute_level="hard"))
    assert seating.leave(hard, 1, by=1, context=TransitionContext(NOW)).table.seats[1].level == "hard"


def test_the_host_sets_the_level_of_a_computer_player_while_the_table_is_open() -> None:
    before = opened(person("Bruno"), computer())
    table = seating.set_level(before, 2, "hard", by=0).table
    assert table.seats[2].level == "hard"
    assert table.events == ({"type": "level_changed", "seat": 2, "level": "hard"},)
    for number, by, code in ((2, 1, "not_host"), (1, 0, "not_computer"), (3, 0, "no_such_seat")):
        with pytest.raises(TableError, match=code):
            seating.set_level(before, number, "hard", by=by)
    with pytest.raises(TableError, match="not_open"):
        seating.set_level(started(computer()), 1, "hard", by=0)


def test_a_person_renames_their_own_seat_while_no_match_is_played_and_nobody_elses() -> None:
    for before in (opened(person("Bruno")), played_out(started())):
        table = after(seating.set_name(before, 1, "Bruna", by=1, now=NOW))
        assert [seat.name for seat in table.seats][:2] == ["Anna", "Bruna"]
        assert structs.replace(table.seats[1], name="Bruno") == before.seats[1]
        assert table.events == ({"type": "renamed", "seat": 1, "name": "Bruna"},)
        for number, by, code in ((0, 1, "not_host"), (1, 0, "not_computer"), (5, 0, "no_such_seat")):
            with pytest.raises(TableError, match=code):
                seating.set_name(before, number, "Bruna", by=by, now=NOW)
    with pytest.raises(TableError, match="already_playing"):
        seating.set_name(started(), 1, "Bruna", by=1, now=NOW)


def test_a_seat_is_renamed_once_in_thirty_seconds() -> None:
    table = after(seating.set_name(opened(person("Bruno")), 1, "Bruna", by=1, now=NOW))
    with pytest.raises(TableError, match="renamed_lately"):
        seating.set_name(table, 1, "Bruno", by=1, now=NOW + 29_999)
    assert seating.set_name(table, 0, "Anita", by=0, now=NOW) is not None
    stored = codec.decode(codec.encode(table))
    assert after(seating.set_name(stored, 1, "Bruno", by=1, now=NOW + 30_000)).renamed == {"Bruno": NOW + 30_000}


def test_the_host_renames_the_computer_player_in_the_seat_of_a_person_who_has_left() -> None:
    left = seating.leave(started(), 1, by=1, context=TransitionContext(NOW)).table
    assert after(seating.set_name(left, 1, "Robot", by=0, now=NOW)).seats[1].name == "Robot"
    with pytest.raises(TableError, match="not_host"):
        seating.set_name(left, 1, "Robot", by=2, now=NOW)


def test_who_leaves_with_a_successor_leaves_no_name_behind() -> None:
    for before in (opened(person("Bruno")), started(), played_out(started())):
        step = seating.leave(before, 1, by=1, context=TransitionContext(NOW), successor="Ines")
        assert step.forgets
        assert b"Bruno" not in codec.encode(step.table)
        assert step.table.events[-1]["name"] == "Ines"
        with pytest.raises(TableError, match="name_taken"):
            seating.leave(before, 1, by=1, context=TransitionContext(NOW), successor="Anna")


def test_during_a_match_only_who_is_away_is_removed_and_the_event_says_by_whom() -> None:
    table, now = started(turn_seconds=30), TransitionContext(NOW)
    with pytest.raises(TableError, match="still_playing"):
        seating.leave(table, 1, by=0, context=now)
    away = with_seat(table, 1, structs.replace(table.seats[1], away=True))
    with pytest.raises(TableError, match="not_host"):
        seating.leave(away, 1, by=2, context=now)
    removed = seating.leave(away, 1, by=0, context=now).table
    assert removed.events == ({"type": "removed", "seat": 1, "name": "Bruno", "by": 0},)
    assert removed.seats[1].kind == "computer"


def test_at_an_open_table_the_event_of_a_removal_has_the_seat_as_it_is_afterwards() -> None:
    table = structs.replace(opened(person("Bruno"), person("Carla")), host=2)
    removed = seating.leave(table, 0, by=2, context=TransitionContext(NOW)).table
    assert removed.events == ({"type": "removed", "seat": 0, "name": "Anna", "by": 1},)
    assert removed.seats[1].name == "Carla"


def test_without_a_limit_who_is_silent_for_a_day_is_removed_and_the_host_by_anybody() -> None:
    table, late = started(), TransitionContext(NOW + 86_400_000)
    while turn_of(table) != 0:
        table = play_on(table)
    with pytest.raises(TableError, match="not_host"):
        seating.leave(table, 0, by=2, context=TransitionContext(NOW + 86_399_999))
    assert seating.leave(table, 0, by=2, context=late).table.host == 1
    with pytest.raises(TableError, match="not_host"):
        seating.leave(table, 1, by=2, context=late)
    with pytest.raises(TableError, match="still_playing"):
        seating.leave(table, 1, by=0, context=late)
    table = play_on(table, NOW + 1)
    assert turn_of(table) == 1
    assert seating.leave(table, 1, by=0, context=TransitionContext(NOW + 86_400_001)).table.seats[1].kind == "computer"


def test_nobody_but_computer_players_sits_down_at_a_locked_table() -> None:
    for before in (opened(person("Bruno")), played_out(started())):
        locked = seating.change(before, 0, structs.replace(seating.settings_of(before), locked=True)).table
        sits = rematch.sit if before.status == "over" else lambda table, newcomer, _: seating.sit(table, newcomer)
        with pytest.raises(TableError, match="table_locked"):
            sits(codec.decode(codec.encode(locked)), person("Dora"), TransitionContext(NOW))
        with pytest.raises(TableError, match="not_host"):
            seating.change(locked, 1, seating.settings_of(before))
    open_table = seating.change(opened(), 0, structs.replace(seating.settings_of(opened()), locked=True)).table
    assert seating.sit(open_table, computer(), by=0).table.seats[1].kind == "computer"


def test_who_sits_down_as_away_leaves_their_hand_to_the_computer_until_they_come_back() -> None:
    table = started(structs.replace(person("Bruno"), away=True))
    assert table.seats[1].automatic
    assert not seating.come_back(table, 1, TransitionContext(NOW)).table.seats[1].away


@pytest.mark.parametrize("name", ["Anna", "ANNA", "\u0410nn\u0430", "Ann\u0430"])
def test_nobody_sits_down_under_a_name_that_looks_like_anothers(name: str) -> None:
    with pytest.raises(TableError, match="name_taken") as refused:
        seating.sit(opened(person("Bruno")), person(name))
    assert refused.value.facts == {"seat": 0}
    with pytest.raises(TableError, match="name_taken"):
        seating.set_name(opened(person("Bruno")), 1, name, by=1, now=NOW)
    assert after(seating.set_name(opened(person("Bruno")), 1, "BRUNO", by=1, now=NOW)).seats[1].name == "BRUNO"


def test_a_computer_player_gets_a_number_where_its_name_looks_like_anothers() -> None:
    table = opened(person("Robot"), computer("Robot"), computer("robot"))
    assert [seat.name for seat in table.seats] == ["Anna", "Robot", "Robot 2", "robot 3"]
    assert table.events == ({"type": "sat", "seat": 3, "name": "robot 3", "kind": "computer"},)


def test_no_token_is_of_a_computer_players_seat() -> None:
    assert seat_of(opened(computer()), b"") is None


def test_settings_change_only_while_the_table_is_open_and_only_by_the_host() -> None:
    computers = ComputerSettings(substitute_level="hard", hints=True)
    terms = TableSettings(wire.Options(cats=True), 60, listed=True, computers=computers)
    table = seating.change(opened(person("Bruno")), 0, terms).table
    assert (table.options, table.turn_seconds, table.listed) == (wire.Options(cats=True), 60, True)
    assert table.computers == computers
    with pytest.raises(TableError, match="not_host"):
        seating.change(table, 1, terms)
    with pytest.raises(TableError, match="not_open"):
        seating.change(started(), 0, terms)


def test_options_for_fewer_seats_than_are_taken_are_refused() -> None:
    with pytest.raises(TableError, match="too_many_players"):
        seating.change(opened(person("Bruno"), person("Carla")), 0, TableSettings(wire.Options(three_suits="h")))


def test_seeds_are_taken_until_the_match_starts_and_again_before_a_rematch() -> None:
    assert after(seating.give_seed(opened(), 0, "quadrifoglio")).seats[0].client_seed == "quadrifoglio"
    assert after(seating.give_seed(played_out(started()), 0, "ferro")).seats[0].client_seed == "ferro"
    with pytest.raises(TableError, match="already_playing"):
        seating.give_seed(started(), 0, "troppo tardi")


def test_coming_back_takes_the_hand_from_the_computer_player() -> None:
    table = started(turn_seconds=30)
    turn = turn_of(table)
    assert turn is not None
    away = structs.replace(table, seats=tuple(structs.replace(seat, away=True, missed=2) for seat in table.seats))
    back = seating.come_back(away, turn, TransitionContext(NOW)).table
    assert not back.seats[turn].away
    assert back.wake == NOW + 30_000
    with pytest.raises(TableError, match="not_away"):
        seating.come_back(back, turn, TransitionContext(NOW))


def test_coming_back_after_a_match_lets_the_next_one_begin_after_its_minute_as_before() -> None:
    over = rematch.answer(played_out(started()), 0, stay=True, client_seed=None, context=TransitionContext(NOW)).table
    away = with_seat(over, 1, structs.replace(over.seats[1], away=True))
    assert away.wake is not None
    assert seating.come_back(away, 1, TransitionContext(NOW)).table.wake == away.wake


def test_the_servers_of_own_players_who_have_left_are_forgotten() -> None:
    table = opened()
    for number in range(5):
        player = SeatState(f"Player {number}", "computer", f"@player{number}")
        brought = seating.with_server(table, player, ServerState(f"https://bots.example/{number}", None))
        table = seating.sit(brought, player, by=0).table
        if number != 2:
            table = seating.leave(table, len(table.seats) - 1, 0, TransitionContext(NOW)).table
    assert table.servers
    assert {*table.servers} == {"@player2", "@player4"}
