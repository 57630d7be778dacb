"""Matches, moves, absences and the clock."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.engine import codec
from services.engine.proofs import prove
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, IllegalMoveError, Moment, TableError, deadline, turn_of, with_seat
from services.engine.table.view import view
from shared.games import gatto_rosso as wire
from shared.games.base import Pass
from shared.verify import faults
from tests.engine.table.tables import (
    GATTO,
    NOW,
    RAMINO,
    any_move,
    computer,
    kinds,
    opened,
    person,
    play_on,
    played_out,
    started,
)


def test_only_the_host_starts_and_not_alone() -> None:
    with pytest.raises(TableError, match="too_few_players"):
        playing.start(opened(), 0, Moment(NOW))
    with pytest.raises(TableError, match="not_host"):
        playing.start(opened(person("Bruno")), 1, Moment(NOW))
    with pytest.raises(TableError, match="already_playing"):
        playing.start(started(), 0, Moment(NOW))


def test_the_seat_after_the_dealer_begins() -> None:
    table = started()
    assert turn_of(table) == (table.match.dealer + 1) % 3
    assert kinds(table) == ["started", "dealt"]


def test_a_move_out_of_turn_is_refused_and_changes_nothing() -> None:
    table = started()
    other = (table.match.dealer + 2) % 3
    with pytest.raises(IllegalMoveError) as refused:
        playing.play(table, other, any_move(table), Moment(NOW))
    assert refused.value.refusal.code == "not_your_turn"
    assert refused.value.refusal.facts == {"turn": turn_of(table)}


def test_nothing_is_played_at_a_table_that_does_not_play() -> None:
    with pytest.raises(TableError, match="not_playing"):
        playing.play(opened(), 0, Pass(), Moment(NOW))


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
    assert kinds(table)[-1] == "match_over"


def test_the_next_deal_is_dealt_in_the_step_that_ends_the_last_one() -> None:
    table = started(options=wire.Options(deals=2))
    while table.match.deal == 1:
        table = play_on(table)
    assert kinds(table)[-2:] == ["deal_over", "dealt"]
    assert turn_of(table) == (table.match.dealer + 1) % 3


def test_a_rematch_keeps_seats_and_tokens_and_the_deal_goes_on_round_the_table() -> None:
    over = played_out(started())
    table = playing.start(over, 0, Moment(NOW)).table
    assert [seat.token for seat in table.seats] == [seat.token for seat in over.seats]
    assert table.match.number == 2
    assert table.match.dealer == (over.match.dealer + 1) % 3
    assert table.match.points == (0, 0, 0)


def test_the_commitment_of_the_rematch_is_published_before_it_starts() -> None:
    over = played_out(started())
    promised = view(over, None).match.next_commitment
    assert view(playing.start(over, 0, Moment(NOW)).table, None).match.commitment == promised


def test_the_server_seed_is_shown_only_once_the_match_is_over() -> None:
    table = started()
    assert view(table, 0).match.server_seed is None
    assert view(played_out(table), None).match.server_seed == table.match.server_seed.hex()


def test_computer_players_move_by_themselves_after_a_moment_of_thought() -> None:
    table = playing.start(opened(computer(), computer()), 0, Moment(NOW, think=500)).table
    while turn_of(table) == 0:
        table = playing.play(table, 0, any_move(table), Moment(NOW, think=500)).table
    assert table.wake == NOW + 500
    assert deadline(table) is None
    assert playing.wake(table, Moment(NOW + 499), Random(1)) is None
    moved = playing.wake(table, Moment(NOW + 500), Random(1))
    assert moved is not None
    assert moved.table.version == table.version + 1


def test_without_a_time_limit_the_clock_waits_for_a_person_for_ever() -> None:
    table = started()
    assert table.wake is None
    assert playing.wake(table, Moment(NOW * 1000), Random(1)) is None


def test_at_the_deadline_the_engine_plays_for_the_person() -> None:
    table = started(turn_seconds=30)
    turn = turn_of(table)
    assert turn is not None
    assert view(table, None).deadline is not None
    assert playing.wake(table, Moment(NOW + 29_999), Random(1)) is None
    step = playing.wake(table, Moment(NOW + 30_000), Random(1))
    assert step is not None
    assert kinds(step.table)[:2] == ["timed_out", "played"]
    assert (step.table.seats[turn].missed, step.table.seats[turn].away) == (1, False)


def test_after_two_turns_let_pass_a_computer_player_holds_the_hand_until_the_owner_plays() -> None:
    table = started(turn_seconds=30)
    absent = turn_of(table)
    assert absent is not None
    while not table.seats[absent].away:
        assert table.wake is not None
        if turn_of(table) == absent:
            step = playing.wake(table, Moment(table.wake), Random(1))
            assert step is not None
            table = step.table
        else:
            table = play_on(table)
    assert {"timed_out", "away"} <= set(kinds(table))
    while turn_of(table) != absent:
        table = play_on(table)
    assert deadline(table) is None
    back = playing.play(table, absent, any_move(table), Moment(NOW)).table
    assert kinds(back)[0] == "returned"
    assert not back.seats[absent].away


# --- a turn of several moves


def drawn(turn_seconds: int = 30) -> AnyTable:
    """A table of Ramino: whoever begins has drawn, ten seconds after his turn began, and thinks."""
    table = started(turn_seconds=turn_seconds, game=RAMINO)
    return playing.play(table, turn_of(table) or 0, any_move(table), Moment(NOW + 10_000)).table


def test_the_time_for_a_turn_covers_all_its_moves() -> None:
    table = drawn()
    assert deadline(table) == NOW + 30_000
    assert playing.wake(table, Moment(NOW + 29_999), Random(1)) is None


def test_the_next_turn_has_its_own_time() -> None:
    table = drawn()
    first = turn_of(table)
    while turn_of(table) == first:
        move = RAMINO.moves(table.deal)[-1]
        table = playing.play(table, turn_of(table) or 0, move, Moment(NOW + 20_000)).table
    assert deadline(table) == NOW + 50_000


def test_at_the_deadline_a_turn_is_finished_however_many_moves_it_takes() -> None:
    table = started(turn_seconds=30, game=RAMINO)
    turn = turn_of(table)
    assert turn is not None
    step = playing.wake(table, Moment(NOW + 30_000), Random(1))
    assert step is not None
    assert turn_of(step.table) == (turn + 1) % 3
    assert (kinds(step.table)[:2], kinds(step.table)[-1]) == (["timed_out", "drew"], "discarded")
    assert len(step.log) >= 2
    assert (step.table.seats[turn].missed, step.table.version) == (1, table.version + 1)


def test_a_turn_begun_in_time_is_finished_too_and_is_the_first_one_missed() -> None:
    table = drawn()
    turn = turn_of(table)
    assert turn is not None
    step = playing.wake(table, Moment(NOW + 30_000), Random(1))
    assert step is not None
    assert "drew" not in kinds(step.table)
    assert turn_of(step.table) != turn
    assert step.table.seats[turn].missed == 1


def test_the_first_turn_of_the_next_deal_has_its_own_time_even_for_who_ended_the_last_one() -> None:
    table = started(computer(), turn_seconds=30, options=wire.Options(deals=20))
    while table.status == "playing":
        before, now = table, (table.wake or 0) - 1
        table = play_on(table, now)
        if table.match.deal > before.match.deal and turn_of(table) == turn_of(before) == 0:
            assert deadline(table) == now + 30_000
            return
    raise AssertionError("nobody ended a deal and began the next one")


def test_who_comes_back_in_his_turn_has_a_whole_one() -> None:
    table = drawn()
    turn = turn_of(table) or 0
    away = structs.replace(table.seats[turn], away=True, missed=2)
    table = structs.replace(with_seat(table, turn, away), wake=NOW + 11_000)
    assert deadline(seating.come_back(table, turn, Moment(NOW + 10_500)).table) == NOW + 40_500


def test_somebody_else_s_leaving_gives_nobody_more_time() -> None:
    table = started(turn_seconds=30)
    other = ((turn_of(table) or 0) + 1) % 3
    assert deadline(seating.leave(table, other, other, Moment(NOW + 10_000)).table) == NOW + 30_000


def test_playing_in_time_forgets_a_missed_turn() -> None:
    table = started(turn_seconds=30)
    seats = tuple(structs.replace(seat, missed=1) for seat in table.seats)
    table = structs.replace(table, seats=seats)
    turn = turn_of(table)
    assert turn is not None
    assert play_on(table).seats[turn].missed == 0


def test_a_deadline_is_put_off_by_as_long_as_the_house_was_closed() -> None:
    table = started(turn_seconds=30)
    step = playing.put_off(table, 7_000)
    assert step is not None
    assert step.table.wake == NOW + 37_000
    assert playing.put_off(started(), 7_000) is None


def test_a_release_with_other_rules_says_plainly_that_it_cannot_go_on() -> None:
    table = structs.replace(started(), rules=99)
    with pytest.raises(TableError, match="rules_changed"):
        playing.play(table, 0, Pass(), Moment(NOW))


def test_a_table_survives_being_stored_at_any_moment() -> None:
    table = started(computer(), person("Bruno"), turn_seconds=60, options=wire.Options(cats=True))
    while table.status == "playing":
        assert codec.encode(codec.decode(codec.encode(table))) == codec.encode(table)
        table = play_on(codec.decode(codec.encode(table)))
    assert codec.encode(codec.decode(codec.encode(table))) == codec.encode(table)


def proof_of_a_deal() -> dict[str, Any]:
    """The proof, as JSON, of a deal that Anna and Bruno have played out."""
    step = playing.start(opened(person("Bruno")), 0, Moment(NOW))
    table, lines = step.table, list(step.log)
    while table.status == "playing":
        step = playing.play(table, turn_of(table) or 0, any_move(table), Moment(NOW))
        table, lines = step.table, [*lines, *step.log]
    proof = prove(GATTO, *codec.decode_log("gatto_rosso", [codec.encode_line(line) for line in lines]))
    assert proof.result == GATTO.result(table.deal)
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(proof))
    return decoded


def test_the_log_of_a_deal_replays_to_its_result_and_proves_its_shuffle() -> None:
    assert list(faults(proof_of_a_deal())) == []


def test_a_proof_that_was_tampered_with_is_found_out() -> None:
    proof = proof_of_a_deal()
    hands = proof["start"]["hands"]
    assert list(faults(proof | {"server_seed": "00" * 32}))
    assert list(faults(proof | {"client_seeds": ["x", "y"]}))
    assert list(faults(proof | {"start": proof["start"] | {"hands": [hands[1], hands[0]]}}))
