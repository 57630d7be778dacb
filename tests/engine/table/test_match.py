"""Whole matches of every game, by people and computer players: stored, shown and proved at every transition."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda import messages, verify
from locanda.games import choosing
from locanda.games.diavoletto import types as diavoletto
from locanda.games.gatto_rosso import types as gatto_rosso
from locanda.games.presidente import types as presidente
from locanda.games.ramino import types as ramino
from locanda.games.rules import GAMES
from services.engine.service import codec
from services.engine.service.queries import prove
from services.engine.table import playing
from services.engine.table.state import AnyTable, LogEntry, Transition, TransitionContext, game_of, turn_of
from services.engine.table.view import view
from tests.engine.table.tables import (
    DIAVOLETTO,
    GATTO,
    NOW,
    PRESIDENTE,
    RAMINO,
    begun,
    computer,
    opened,
    person,
    plainly,
)

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


def transitions(table: AnyTable, seed: int = 1) -> Iterator[Transition]:
    """Start a match and play it to its end. The table is stored and loaded between any two transitions."""
    rng = Random(seed)
    transition = begun(table)
    while transition.table.status == "playing":
        yield transition
        transition = next_transition(codec.decode(codec.encode(transition.table)), rng)
    yield transition


def next_transition(table: AnyTable, rng: Random) -> Transition:
    """Return the next transition. People play like computer players."""
    turn = turn_of(table)
    assert turn is not None
    if table.seats[turn].automatic:
        assert table.wake is not None
        transition = playing.wake(table, TransitionContext(table.wake), plainly(rng))
        assert transition is not None
        return transition
    game = game_of(table)
    return playing.play(
        table, turn, choosing.choose_plainly(game, game.view(table.deal, turn), rng), TransitionContext(NOW)
    )


def over(table: AnyTable, seed: int = 1) -> AnyTable:
    """The table after a match."""
    *_, last = transitions(table, seed)
    return last.table


@every_match
def test_a_match_is_played_to_its_end_and_the_best_points_win(table: AnyTable) -> None:
    end = over(table)
    assert end.match.result is not None
    best = min(end.match.points) if game_of(end).fewest_wins else max(end.match.points)
    assert end.match.result.ranking[0] == tuple(s for s, p in enumerate(end.match.points) if p == best)


@every_match
def test_a_table_survives_being_stored_at_any_moment(table: AnyTable) -> None:
    for transition in transitions(table):
        stored = codec.encode(transition.table)
        restored = codec.decode(stored)
        assert codec.encode(restored) == stored
        for viewer in (None, *range(len(table.seats))):
            seen = msgspec.json.encode(view(restored, viewer))
            assert seen == msgspec.json.encode(view(transition.table, viewer))


@every_match
def test_every_viewer_s_table_survives_json(table: AnyTable) -> None:
    for transition in transitions(table):
        for viewer in (None, *range(len(table.seats))):
            seen = view(transition.table, viewer)
            item = messages.EventItem(seen.version, "change", seen)
            assert msgspec.json.decode(msgspec.json.encode(seen), type=messages.Table) == on_the_wire(seen)
            assert msgspec.json.decode(msgspec.json.encode(item), type=messages.EventItem).table == on_the_wire(seen)


def on_the_wire(seen: messages.Table) -> messages.Table:
    """The table with its game-specific parts in the form of JSON: lists instead of tuples."""
    lists = {part: msgspec.json.decode(msgspec.json.encode(getattr(seen, part))) for part in ("moves", "events")}
    match = msgspec.json.decode(msgspec.json.encode(seen.match), type=messages.Match)
    return structs.replace(seen, match=match, **lists)


@every_match
def test_a_match_tells_how_each_of_its_last_deals_has_ended(table: AnyTable) -> None:
    ends: list[dict[str, Any]] = []
    after = table
    for transition in transitions(table):
        after = transition.table
        number = after.match.deal - (after.match.result is None)
        over = [event for event in after.events if event["type"] == "deal_over"]
        ends += [{"deal": number, "points": after.match.points, "over": event} for event in over]
        past = view(after, None).match.past_deals
        assert msgspec.json.encode(past) == msgspec.json.encode(ends[-playing.MOST_PAST_DEALS :])
    assert ends[-1]["points"] == after.match.points
    assert not begun(after).table.past_deals


@every_match
def test_the_next_seat_deals_each_deal(table: AnyTable) -> None:
    dealers = {transition.table.match.deal: transition.table.match.dealer for transition in transitions(table)}
    assert list(dealers) == list(range(1, len(dealers) + 1))
    assert all(after == (before + 1) % len(table.seats) for before, after in pairwise(dealers.values()))


@every_match
def test_every_deal_of_a_match_has_a_proof_that_holds(table: AnyTable) -> None:
    points = [proof["result"]["points"] for proof in proofs_of(table)]
    assert tuple(map(sum, zip(*points, strict=True))) == over(table).match.points


def proofs_of(table: AnyTable) -> list[dict[str, Any]]:
    """The proof of each deal of a match."""
    lines: dict[int, list[LogEntry]] = {}
    for transition in transitions(table):
        for line in transition.log:
            lines.setdefault(line.deal, []).append(line)
    return [proof_of(table.game, log) for log in lines.values()]


def proof_of(game: str, log: list[LogEntry]) -> dict[str, Any]:
    """The proof of a deal in the form that clients download. The verifier must find no error in it."""
    start, made = codec.decode_log(game, [codec.encode_line(line) for line in log])
    proof: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(prove(GAMES[game], start, made)))
    assert list(verify.errors(proof)) == []
    return proof


def test_ramino_goes_on_until_a_player_reaches_the_target() -> None:
    before = {
        transition.table.match.deal: transition.table.match.points for transition in transitions(MATCHES["ramino"])
    }
    *under, last = before.values()
    assert len(under) >= 3
    assert all(max(points) < 101 for points in under)
    assert max(last) >= 101


def test_the_tax_is_due_from_the_second_deal_on_and_at_once_in_a_rematch() -> None:
    first = over(MATCHES["presidente, with tax"])
    rematch = over(first)
    taxed = {
        (transition.table.match.number, transition.table.match.deal)
        for table in (MATCHES["presidente, with tax"], first)
        for transition in transitions(table)
        if any(event["type"] == "taxed" for event in transition.table.events)
    }
    assert rematch.match.number == 2
    assert taxed == {(1, 2), (2, 1), (2, 2)}


def test_the_proofs_of_a_rematch_hold_with_the_tax_from_its_first_deal_on() -> None:
    proofs = proofs_of(over(MATCHES["presidente, with tax"]))
    assert [(proof["match"], proof["deal"], len(proof["start"]["dues"])) for proof in proofs] == [(2, 1, 1), (2, 2, 1)]


def altered(proof: dict[str, Any], **start: object) -> list[str]:
    """The errors that the verifier finds in a proof after changes to the start of its deal."""
    return list(verify.errors(proof | {"start": proof["start"] | start}))


@every_match
def test_the_verifier_finds_a_dealer_that_was_not_drawn(table: AnyTable) -> None:
    for proof in proofs_of(table):
        dealer = (proof["start"]["dealer"] + 1) % len(table.seats)
        assert "`dealer` is not the one that deal 0 draws, or who follows" in altered(proof, dealer=dealer)


@every_match
def test_the_verifier_finds_a_first_move_out_of_turn(table: AnyTable) -> None:
    for proof in proofs_of(table):
        turn = (proof["start"]["turn"] + 1) % len(table.seats)
        assert altered(proof, turn=turn) == ["`turn` is not what this seed deals"]


def test_the_verifier_finds_a_seed_that_no_player_gave() -> None:
    proof = proofs_of(MATCHES["gatto_rosso"])[0]
    more = proof | {"client_seeds": [*proof["client_seeds"], "chosen until it suited"]}
    assert "there is not one client seed for each seat" in verify.errors(more)


@pytest.mark.parametrize("players", [2, 4])
def test_the_verifier_finds_a_tax_that_cannot_be_due(players: int) -> None:
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
