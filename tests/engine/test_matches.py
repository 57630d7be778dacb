"""Whole matches of every game, by people and computer players: stored, shown and proved at every step."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.engine import codec
from services.engine.games.registry import GAMES
from services.engine.players import plain
from services.engine.proofs import prove
from services.engine.table import playing
from services.engine.table.state import AnyTable, LogLine, Moment, Step, game_of, turn_of
from services.engine.table.view import view
from shared import messages, verify
from shared.games import diavoletto, gatto_rosso, presidente, ramino
from tests.engine.table.tables import DIAVOLETTO, GATTO, NOW, PRESIDENTE, RAMINO, computer, opened, person

SEATS = [person("Bruno"), computer("Rita")]
TAX = presidente.Options(tax=True, joker=True, eight=True, deals=2)

MATCHES = {
    "ramino": opened(*SEATS, game=RAMINO),
    "ramino, a tie goes on": opened(*SEATS, game=RAMINO, options=ramino.Options(target=60, final_tie="extra_deal")),
    "gatto_rosso": opened(*SEATS, game=GATTO, options=gatto_rosso.Options(cats=True, deals=3)),
    "diavoletto": opened(person("Bruno"), game=DIAVOLETTO),
    "diavoletto, several deals": opened(
        computer(), game=DIAVOLETTO, options=diavoletto.Options(mazzetto_size=13, score="cards_left", deals=2)
    ),
    "presidente": opened(*SEATS, game=PRESIDENTE, options=presidente.Options(deals=2)),
    "presidente, with tax": opened(*SEATS, game=PRESIDENTE, options=TAX),
}

every_match = pytest.mark.parametrize("table", MATCHES.values(), ids=MATCHES.keys())


def steps(table: AnyTable, seed: int = 1) -> Iterator[Step]:
    """Start a match and play it to its end; what is stored is all that is known from one step to the next."""
    rng = Random(seed)
    step = playing.start(table, 0, Moment(NOW))
    while step.table.status == "playing":
        yield step
        step = next_step(codec.decode(codec.encode(step.table)), rng)
    yield step


def next_step(table: AnyTable, rng: Random) -> Step:
    """Let the clock move for a computer player; people play like one."""
    turn = turn_of(table)
    assert turn is not None
    if table.seats[turn].automatic:
        assert table.wake is not None
        step = playing.wake(table, Moment(table.wake), rng)
        assert step is not None
        return step
    game = game_of(table)
    return playing.play(table, turn, plain.choose(game, game.view(table.deal, turn), rng), Moment(NOW))


def over(table: AnyTable, seed: int = 1) -> AnyTable:
    """The table once the match is over."""
    *_, last = steps(table, seed)
    return last.table


@every_match
def test_a_match_is_played_to_its_end_and_the_best_points_win(table: AnyTable) -> None:
    end = over(table)
    assert end.match.result is not None
    best = min(end.match.points) if game_of(end).fewest_wins else max(end.match.points)
    assert end.match.result.ranking[0] == tuple(s for s, p in enumerate(end.match.points) if p == best)


@every_match
def test_a_table_survives_being_stored_at_any_moment(table: AnyTable) -> None:
    for step in steps(table):
        stored = codec.encode(step.table)
        assert codec.encode(codec.decode(stored)) == stored


@every_match
def test_every_viewer_s_table_survives_json(table: AnyTable) -> None:
    for step in steps(table):
        for viewer in (None, *range(len(table.seats))):
            seen = view(step.table, viewer)
            item = messages.EventItem(seen.version, "change", seen)
            assert msgspec.json.decode(msgspec.json.encode(seen), type=messages.Table) == on_the_wire(seen)
            assert msgspec.json.decode(msgspec.json.encode(item), type=messages.EventItem).table == on_the_wire(seen)


def on_the_wire(seen: messages.Table) -> messages.Table:
    """The table with the parts that depend on the game as JSON has them: arrays for tuples."""
    lists = {part: msgspec.json.decode(msgspec.json.encode(getattr(seen, part))) for part in ("moves", "events")}
    return structs.replace(seen, **lists)


@every_match
def test_the_deal_passes_on_round_the_table(table: AnyTable) -> None:
    dealers = {step.table.match.deal: step.table.match.dealer for step in steps(table)}
    assert list(dealers) == list(range(1, len(dealers) + 1))
    assert all(after == (before + 1) % len(table.seats) for before, after in pairwise(dealers.values()))


@every_match
def test_every_deal_of_a_match_has_a_proof_that_holds(table: AnyTable) -> None:
    points = [proof["result"]["points"] for proof in proofs_of(table)]
    assert tuple(map(sum, zip(*points, strict=True))) == over(table).match.points


def proofs_of(table: AnyTable) -> list[dict[str, Any]]:
    """The proof of each deal of a match."""
    lines: dict[int, list[LogLine]] = {}
    for step in steps(table):
        for line in step.log:
            lines.setdefault(line.deal, []).append(line)
    return [proof_of(table.game, log) for log in lines.values()]


def proof_of(game: str, log: list[LogLine]) -> dict[str, Any]:
    """The proof of a deal, as a client downloads it, once the verifier has found nothing wrong with it."""
    start, made = codec.decode_log(game, [codec.encode_line(line) for line in log])
    proof: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(prove(GAMES[game], start, made)))
    assert list(verify.faults(proof)) == []
    return proof


def test_ramino_goes_on_until_somebody_reaches_the_target() -> None:
    before = {step.table.match.deal: step.table.match.points for step in steps(MATCHES["ramino"])}
    *under, last = before.values()
    assert len(under) >= 3
    assert all(max(points) < 101 for points in under)
    assert max(last) >= 101


def test_the_tax_is_due_from_the_second_deal_on_and_at_once_in_a_rematch() -> None:
    first = over(MATCHES["presidente, with tax"])
    rematch = over(first)
    taxed = {
        (step.table.match.number, step.table.match.deal)
        for table in (MATCHES["presidente, with tax"], first)
        for step in steps(table)
        if any(event["type"] == "taxed" for event in step.table.events)
    }
    assert rematch.match.number == 2
    assert taxed == {(1, 2), (2, 1), (2, 2)}


def test_the_proofs_of_a_rematch_hold_with_the_tax_from_its_first_deal_on() -> None:
    proofs = proofs_of(over(MATCHES["presidente, with tax"]))
    assert [(proof["match"], proof["deal"], len(proof["start"]["dues"])) for proof in proofs] == [(2, 1, 1), (2, 2, 1)]


def altered(proof: dict[str, Any], **start: object) -> list[str]:
    """What the verifier finds in a proof of which some of the start was changed."""
    return list(verify.faults(proof | {"start": proof["start"] | start}))


@every_match
def test_a_dealer_who_was_not_drawn_is_found_out(table: AnyTable) -> None:
    for proof in proofs_of(table):
        dealer = (proof["start"]["dealer"] + 1) % len(table.seats)
        assert "`dealer` is not the one that deal 0 draws, or who follows" in altered(proof, dealer=dealer)


@every_match
def test_who_begins_out_of_turn_is_found_out(table: AnyTable) -> None:
    for proof in proofs_of(table):
        turn = (proof["start"]["turn"] + 1) % len(table.seats)
        assert altered(proof, turn=turn) == ["`turn` is not what this seed deals"]


def test_a_seed_of_nobody_s_is_found_out() -> None:
    proof = proofs_of(MATCHES["gatto_rosso"])[0]
    more = proof | {"client_seeds": [*proof["client_seeds"], "chosen until it suited"]}
    assert "there is not one client seed for each seat" in verify.faults(more)


@pytest.mark.parametrize("players", [2, 4])
def test_a_tax_that_cannot_be_owed_is_found_out(players: int) -> None:
    people = [person(f"Guest {number}") for number in range(2, players + 1)]
    table = opened(*people, game=PRESIDENTE, options=TAX)
    [before, after], wrong = proofs_of(table), "`dues` cannot be owed in this deal"
    [winner], *_, [loser] = before["result"]["ranking"]
    owed = after["start"]["dues"]
    assert before["start"]["dues"] == []
    assert owed[0] == [winner, loser, 2]
    assert wrong in altered(before, dues=owed)
    for dues in ([], [[winner, loser, 1]], [[winner, winner, 2]], [*owed, [winner, loser, 1]], [[winner, players, 2]]):
        assert wrong in altered(after, dues=dues), dues
    assert wrong in altered(after, options={})


def test_two_beginners_do_not_get_stuck_in_diavoletto() -> None:
    ends = [over(MATCHES["diavoletto"], seed).match.result for seed in range(3)]
    assert {end and end.reason for end in ends} == {"emptied"}
