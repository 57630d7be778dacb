"""Transitions of play: matches, moves, absences and deadlines."""

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda.games.base import Pass
from locanda.games.gatto_rosso import types as wire
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from locanda.verify import errors
from services.engine.service import codec
from services.engine.service.queries import prove
from services.engine.table import playing, seating
from services.engine.table.state import (
    AnyTable,
    MoveRefusedError,
    TableError,
    TransitionContext,
    turn_of,
    with_seat,
)
from services.engine.table.turns import deadline, turn_ms, turns_of
from services.engine.table.view import shared_part, view
from tests.engine.table.tables import (
    GATTO,
    NOW,
    RAMINO,
    after,
    any_move,
    begun,
    computer,
    event_types,
    opened,
    person,
    plainly,
    play_on,
    played_out,
    started,
)


def test_only_the_host_starts_and_not_alone() -> None:
    with pytest.raises(TableError, match="too_few_players"):
        playing.start(opened(), 0, TransitionContext(NOW))
    with pytest.raises(TableError, match="not_host"):
        playing.start(opened(person("Bruno")), 1, TransitionContext(NOW))
    with pytest.raises(TableError, match="already_playing"):
        playing.start(started(), 0, TransitionContext(NOW))


def test_a_match_starts_with_numbers_of_players_that_the_game_has_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "gatto_rosso", replace(GATTO, seats=lambda _: range(2, 5, 2)))
    three = opened(person("Bruno"), person("Carla"))
    with pytest.raises(TableError, match="too_few_players") as refused:
        playing.start(three, 0, TransitionContext(NOW))
    assert refused.value.facts == {"seats": 3, "least": 4}
    assert playing.start(opened(person("Bruno")), 0, TransitionContext(NOW)).table.status == "playing"


def test_the_seat_after_the_dealer_begins() -> None:
    table = started()
    assert turn_of(table) == (table.match.dealer + 1) % 3
    assert event_types(table) == ["started", "dealt"]


def test_a_move_out_of_turn_is_refused_and_changes_nothing() -> None:
    table = started()
    other = (table.match.dealer + 2) % 3
    with pytest.raises(MoveRefusedError) as refused:
        playing.play(table, other, any_move(table), TransitionContext(NOW))
    assert refused.value.refusal.code == "not_your_turn"
    assert refused.value.refusal.facts == {"turn": turn_of(table)}


def test_nothing_is_played_at_a_table_that_does_not_play() -> None:
    with pytest.raises(TableError, match="not_playing"):
        playing.play(opened(), 0, Pass(), TransitionContext(NOW))


def test_a_match_of_several_deals_adds_the_points_and_passes_the_deal_on() -> None:
    table = started(options=wire.Options(deals=3))
    first = table.match.dealer
    dealers: list[int] = []
    while table.status == "playing":
        if not dealers or table.match.deal > len(dealers):
            dealers.append(table.match.dealer)
        table = play_on(table)
    assert dealers == [first, (first + 1) % 3, (first + 2) % 3]
    assert table.match.result is not None
    assert table.match.result.points == table.match.points
    best = max(table.match.points)
    assert table.match.result.ranking[0] == tuple(s for s, p in enumerate(table.match.points) if p == best)
    assert event_types(table)[-1] == "match_over"


def test_the_next_deal_is_dealt_in_the_transition_that_ends_the_last_one() -> None:
    table = started(options=wire.Options(deals=2))
    while table.match.deal == 1:
        table = play_on(table)
    assert event_types(table)[-2:] == ["deal_over", "dealt"]
    assert turn_of(table) == (table.match.dealer + 1) % 3


def test_a_rematch_keeps_seats_and_tokens_and_the_next_seat_deals() -> None:
    over = played_out(started())
    table = begun(over).table
    assert [seat.token for seat in table.seats] == [seat.token for seat in over.seats]
    assert table.match.number == 2
    assert table.match.dealer == (over.match.dealer + 1) % 3
    assert table.match.points == (0, 0, 0)


def test_each_match_takes_fresh_client_seeds() -> None:
    """The seed of the last match is public in its proof, so an operator could know it when dealing the rematch."""
    table = started(structs.replace(person("Bruno"), client_seed="seven tame geese"))
    assert table.match.client_seeds == ("", "seven tame geese")
    over = played_out(table)
    assert begun(over).table.match.client_seeds == ("", "")
    with pytest.raises(TableError, match="seed_used"):
        seating.give_seed(over, 0, "seven tame geese")
    given = after(seating.give_seed(over, 0, "quadrifoglio"))
    assert begun(given).table.match.client_seeds == ("quadrifoglio", "")


def test_seats_stored_with_the_seeds_of_the_match_before_count_as_without() -> None:
    """An earlier release, which did not clear the seeds, has stored seats in this way."""
    over = played_out(started(structs.replace(person("Bruno"), client_seed="seven tame geese")))
    seats = (over.seats[0], structs.replace(over.seats[1], client_seed="seven tame geese"))
    rematch = begun(structs.replace(over, seats=seats)).table
    assert rematch.match.client_seeds == ("", "")


def test_the_commitment_of_the_rematch_is_published_before_it_starts() -> None:
    over = played_out(started())
    promised = view(over, None).match.next_commitment
    assert view(begun(over).table, None).match.commitment == promised


def test_the_server_seed_is_shown_only_once_the_match_is_over() -> None:
    table = started()
    assert view(table, 0).match.server_seed is None
    assert view(played_out(table), None).match.server_seed == table.match.server_seed.hex()


def test_computer_players_move_by_themselves_after_a_moment_of_thought() -> None:
    table = playing.start(opened(computer(), computer()), 0, TransitionContext(NOW, think_ms=500)).table
    while turn_of(table) == 0:
        table = playing.play(table, 0, any_move(table), TransitionContext(NOW, think_ms=500)).table
    assert table.wake == NOW + 500
    assert deadline(table) is None
    assert playing.wake(table, TransitionContext(NOW + 499), plainly(Random(1))) is None
    moved = playing.wake(table, TransitionContext(NOW + 500), plainly(Random(1)))
    assert moved is not None
    assert moved.table.version == table.version + 1


def test_without_a_time_limit_the_clock_waits_for_a_person_for_ever() -> None:
    table = started()
    assert table.wake is None
    assert playing.wake(table, TransitionContext(NOW * 1000), plainly(Random(1))) is None


def test_at_the_deadline_the_engine_plays_for_the_person() -> None:
    table = started(turn_seconds=30)
    turn = turn_of(table)
    assert turn is not None
    assert view(table, None).deadline is not None
    assert playing.wake(table, TransitionContext(NOW + 29_999), plainly(Random(1))) is None
    transition = playing.wake(table, TransitionContext(NOW + 30_000), plainly(Random(1)))
    assert transition is not None
    assert event_types(transition.table)[:2] == ["timed_out", "played"]
    assert (transition.table.seats[turn].missed, transition.table.seats[turn].away) == (1, False)


def test_a_computer_player_does_not_wait_for_a_clock_that_was_set_back() -> None:
    table = playing.start(opened(computer(), computer()), 0, TransitionContext(NOW)).table
    while turn_of(table) == 0:
        table = playing.play(table, 0, any_move(table), TransitionContext(NOW)).table
    moved = playing.wake(table, TransitionContext(NOW - 40_000), plainly(Random(1)))
    assert moved is not None
    assert event_types(moved.table)[0] == "played"


def test_a_person_has_their_whole_time_and_no_more_when_a_clock_was_set_back() -> None:
    table = started(turn_seconds=30)
    assert playing.wake(table, TransitionContext(NOW - 5_000), plainly(Random(1))) is None
    moved = playing.wake(table, TransitionContext(NOW - 40_000), plainly(Random(1)))
    assert moved is not None
    assert (moved.table.wake, moved.table.deal, moved.table.events) == (NOW - 10_000, table.deal, ())


def test_after_two_missed_turns_a_computer_player_plays_the_hand_until_its_owner_does() -> None:
    table = started(turn_seconds=30)
    absent = turn_of(table)
    assert absent is not None
    while not table.seats[absent].away:
        assert table.wake is not None
        if turn_of(table) == absent:
            transition = playing.wake(table, TransitionContext(table.wake), plainly(Random(1)))
            assert transition is not None
            table = transition.table
        else:
            table = play_on(table)
    assert {"timed_out", "away"} <= set(event_types(table))
    while turn_of(table) != absent:
        table = play_on(table)
    assert deadline(table) is None
    back = playing.play(table, absent, any_move(table), TransitionContext(NOW)).table
    assert event_types(back)[0] == "returned"
    assert not back.seats[absent].away


# --- a turn of several moves


def drawn(turn_seconds: int = 30) -> AnyTable:
    """A table of Ramino. The first player has drawn, ten seconds after their turn began, and has not played yet."""
    table = started(turn_seconds=turn_seconds, game=RAMINO)
    return playing.play(table, turn_of(table) or 0, any_move(table), TransitionContext(NOW + 10_000)).table


def test_the_time_for_a_turn_covers_all_its_moves() -> None:
    table = drawn()
    assert deadline(table) == NOW + 30_000
    assert playing.wake(table, TransitionContext(NOW + 29_999), plainly(Random(1))) is None


def test_the_next_turn_has_its_own_time() -> None:
    table = drawn()
    first = turn_of(table)
    while turn_of(table) == first:
        move = RAMINO.moves(table.deal)[-1]
        table = playing.play(table, turn_of(table) or 0, move, TransitionContext(NOW + 20_000)).table
    assert deadline(table) == NOW + 50_000


def test_at_the_deadline_a_turn_is_finished_however_many_moves_it_takes() -> None:
    table = started(turn_seconds=30, game=RAMINO)
    turn = turn_of(table)
    assert turn is not None
    transition = playing.wake(table, TransitionContext(NOW + 30_000), plainly(Random(1)))
    assert transition is not None
    assert turn_of(transition.table) == (turn + 1) % 3
    assert (event_types(transition.table)[:2], event_types(transition.table)[-1]) == (
        ["timed_out", "drew"],
        "discarded",
    )
    assert len(transition.log) >= 2
    assert (transition.table.seats[turn].missed, transition.table.version) == (1, table.version + 1)


def test_a_turn_begun_in_time_is_finished_too_and_is_the_first_one_missed() -> None:
    table = drawn()
    turn = turn_of(table)
    assert turn is not None
    transition = playing.wake(table, TransitionContext(NOW + 30_000), plainly(Random(1)))
    assert transition is not None
    assert "drew" not in event_types(transition.table)
    assert turn_of(transition.table) != turn
    assert transition.table.seats[turn].missed == 1


def test_the_first_turn_of_the_next_deal_has_its_own_time_also_for_the_seat_that_ended_the_last_one() -> None:
    table = started(computer(), turn_seconds=30, options=wire.Options(deals=20))
    while table.status == "playing":
        before, now = table, (table.wake or 0) - 1
        table = play_on(table, now)
        if table.match.deal > before.match.deal and turn_of(table) == turn_of(before) == 0:
            assert deadline(table) == now + turn_ms(table, turn_of(table) or 0)
            return
    raise AssertionError("nobody ended a deal and began the next one")


def test_a_person_who_comes_back_in_their_turn_has_its_whole_time() -> None:
    table = drawn()
    turn = turn_of(table) or 0
    away = structs.replace(table.seats[turn], away=True, missed=2)
    table = structs.replace(with_seat(table, turn, away), wake=NOW + 11_000)
    assert deadline(seating.come_back(table, turn, TransitionContext(NOW + 10_500)).table) == NOW + 40_500


def test_a_seat_that_leaves_gives_no_other_more_time() -> None:
    table = started(turn_seconds=30)
    other = ((turn_of(table) or 0) + 1) % 3
    assert deadline(seating.leave(table, other, other, TransitionContext(NOW + 10_000)).table) == NOW + 30_000


def test_misses_count_for_the_match_whatever_is_played_in_between() -> None:
    table = started(turn_seconds=30)
    table = structs.replace(table, seats=tuple(structs.replace(seat, missed=1) for seat in table.seats))
    turn = turn_of(table)
    assert turn is not None
    assert play_on(table).seats[turn].missed == 1
    assert begun(structs.replace(played_out(table))).table.seats[turn].missed == 0


def test_the_third_miss_leaves_the_hand_to_the_computer_until_the_match_ends() -> None:
    """A person who returns but never moves delays the others at most three times per match."""
    table = started(turn_seconds=30, options=wire.Options(deals=9))
    staller, misses = turn_of(table), 0
    assert staller is not None
    while table.status == "playing":
        seat = table.seats[staller]
        if seat.away and not seat.gave_up:
            table = seating.come_back(table, staller, TransitionContext(NOW)).table
        if turn_of(table) == staller and table.wake is not None:
            misses += not table.seats[staller].away
            table = after(playing.wake(table, TransitionContext(table.wake), plainly(Random(1))))
        else:
            table = play_on(table)
        if table.status == "playing" and table.seats[staller].gave_up and turn_of(table) == staller:
            with pytest.raises(TableError, match="hand_given_up"):
                seating.come_back(table, staller, TransitionContext(NOW))
            with pytest.raises(TableError, match="hand_given_up"):
                playing.play(table, staller, any_move(table), TransitionContext(NOW))
    assert misses == 3
    assert not begun(table).table.seats[staller].away


def test_whoever_uses_all_of_their_time_has_half_of_it_once_the_reserve_is_used_up() -> None:
    """A person who always moves at the last moment delays the others by at most five turns' time per match."""
    table = started(turn_seconds=30, options=wire.Options(deals=9))
    staller, now, times = turn_of(table), NOW, list[int]()
    while table.status == "playing":
        if turn_of(table) == staller:
            assert table.wake is not None
            times.append(table.wake - now)
            now = table.wake - 1
        table = play_on(table, now)
    assert times[:11] == [*[30_000] * 10, 15_010]
    assert set(times[11:]) <= {15_000, 15_001}


def test_quick_turns_use_up_nothing_and_each_match_has_its_own_reserve() -> None:
    table = played_out(started(turn_seconds=30, options=wire.Options(deals=9)))
    assert set(turns_of(table).spent) == {0}
    spent = structs.replace(table, turns=structs.replace(turns_of(table), spent=(150_000,) * 3))
    assert deadline(begun(spent).table) == NOW + 30_000


def test_a_deadline_is_postponed_by_the_length_of_an_outage() -> None:
    table = started(turn_seconds=30)
    transition = playing.postpone(table, 7_000)
    assert transition is not None
    assert transition.table.wake == NOW + 37_000
    assert playing.postpone(started(), 7_000) is None


@pytest.mark.parametrize(("rules", "code"), [(0, "rules_changed"), (99, "newer_release")])
def test_a_release_with_other_rules_refuses_to_go_on(rules: int, code: str) -> None:
    table = structs.replace(started(), rules=rules)
    with pytest.raises(TableError, match=code):
        playing.play(table, 0, Pass(), TransitionContext(NOW))


def test_a_table_survives_being_stored_at_any_moment() -> None:
    table = started(computer(), person("Bruno"), turn_seconds=60, options=wire.Options(cats=True))
    while table.status == "playing":
        assert codec.encode(codec.decode(codec.encode(table))) == codec.encode(table)
        table = play_on(codec.decode(codec.encode(table)))
    assert codec.encode(codec.decode(codec.encode(table))) == codec.encode(table)


def proof_of_a_deal() -> dict[str, Any]:
    """The proof, as JSON, of a deal that Anna and Bruno have played to its end."""
    transition = playing.start(opened(person("Bruno")), 0, TransitionContext(NOW))
    table, lines = transition.table, list(transition.log)
    while table.status == "playing":
        transition = playing.play(table, turn_of(table) or 0, any_move(table), TransitionContext(NOW))
        table, lines = transition.table, [*lines, *transition.log]
    proof = prove(GATTO, *codec.decode_log("gatto_rosso", [codec.encode_line(line) for line in lines]))
    assert proof.result == GATTO.result(table.deal)
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(proof))
    return decoded


def test_the_log_of_a_deal_replays_to_its_result_and_proves_its_shuffle() -> None:
    assert list(errors(proof_of_a_deal())) == []


def test_the_verifier_finds_a_proof_that_was_tampered_with() -> None:
    proof = proof_of_a_deal()
    hands = proof["start"]["hands"]
    assert list(errors(proof | {"server_seed": "00" * 32}))
    assert list(errors(proof | {"client_seeds": ["x", "y"]}))
    assert list(errors(proof | {"start": proof["start"] | {"hands": [hands[1], hands[0]]}}))


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_view_made_of_the_part_that_all_share_is_the_same(name: str) -> None:
    table = started(person("Bruno"), game=GAMES[name])
    for _ in range(30):
        shared = shared_part(table)
        for seat in (None, *range(len(table.seats))):
            assert view(table, seat, shared) == view(table, seat)
        if table.status == "playing":
            table = play_on(table)


# --- turns taken by the player, or by the computer for them


def test_the_turns_of_a_match_are_counted_by_who_took_them() -> None:
    table, absent = started(turn_seconds=30), 1
    turns = [[0, 0] for _ in table.seats]
    while table.status == "playing":
        seat = turn_of(table)
        assert seat is not None
        if seat == absent:
            assert table.wake is not None
            waited = playing.wake(table, TransitionContext(table.wake), plainly(Random(1)))
            assert waited is not None
            after = waited.table
        else:
            after = play_on(table)
        turns[seat][seat == absent] += (turn_of(after), after.match.deal) != (seat, table.match.deal)
        table = after
    counted = [[turn.own, turn.computer] for turn in view(table, None).match.turns]
    assert counted == turns
    assert counted[absent][0] == 0 < counted[absent][1]


def test_the_counts_of_turns_are_shown_once_a_match_is_over_and_begin_again_with_the_next() -> None:
    table = started(turn_seconds=30)
    assert view(play_on(table), None).match.turns == ()
    over = played_out(table)
    assert sum(turn.own for turn in view(over, None).match.turns) > 0
    again = begun(over).table
    assert turns_of(again).own == (0, 0, 0)
