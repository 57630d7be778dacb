"""What every game's rules keep: laws of play under any options and players, worked positions, golden play-throughs."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from locanda.explanations import refusals_of
from locanda.games.base import Refusal, Result
from locanda.games.registry import WIRE_TYPES
from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.games.golden import Variant, played, stored, variants
from tests.games.positions import Position, positions, verify
from tests.games.stateless import ask
from tests.games.subjects import SUBJECTS, Start, deals, law, played_moves

every_game = pytest.mark.parametrize("game", GAMES)


def test_every_game_is_under_test() -> None:
    assert set(SUBJECTS) == set(GAMES)


@law
def test_no_card_is_lost_or_doubled(start: Start) -> None:
    for deal in deals(start):
        assert start.subject.lost(deal) == []


@law
def test_every_deal_ends_and_then_has_a_result(start: Start) -> None:
    game, bound = start.game, start.subject.bound(start.deal())
    for count, step in enumerate(played_moves(start), 1):
        assert count <= bound
        assert game.result(step.deal) is None
    _assert_a_result(start)


def _assert_a_result(start: Start) -> None:
    result = _result(start)
    assert sorted(seat for place in result.ranking for seat in place) == list(range(start.seats))
    assert len(result.points) == start.seats


def _result(start: Start) -> Result:
    *_, over = deals(start)
    result = start.game.result(over)
    assert result is not None
    return result


@law
def test_better_points_rank_higher(start: Start) -> None:
    result = _result(start)
    ranked = [result.points[seat] for place in result.ranking for seat in place]
    assert ranked == sorted(ranked, reverse=not start.game.fewest_wins)


@law
def test_check_agrees_with_moves(start: Start) -> None:
    game = start.game
    for deal in deals(start):
        legal = [move for move in start.subject.moves(deal) if game.check(deal, move) is None]
        listed = game.moves(deal)
        assert sorted(map(str, legal)) == sorted(map(str, listed))
        assert len(set(map(str, listed))) == len(listed)


@law
def test_play_leaves_the_old_deal_untouched(start: Start) -> None:
    game = start.game
    for step in played_moves(start):
        before = game.to_wire(step.deal)
        assert game.play(step.deal, step.move, shuffle) == (step.following, step.events)
        assert game.to_wire(step.deal) == before


@law
def test_the_seed_decides_every_shuffle(start: Start) -> None:
    assert list(deals(start)) == list(deals(start))
    assert all(deal.seed == start.seed for deal in deals(start))


# --- worked positions

POSITIONS = [pytest.param(position, id=f"{game}-{position.id}") for game in GAMES for position in positions(game)]


@pytest.mark.parametrize("position", POSITIONS)
async def test_position(position: Position) -> None:
    await verify(position, ask)


@every_game
def test_position_ids_are_unique(game: str) -> None:
    ids = [position.id for position in positions(game)]
    assert len(ids) == len(set(ids))


# --- golden play-throughs: a release changes no deal under way

KEPT = [(game, variant) for game in GAMES for variant in stored(game)]


@pytest.mark.parametrize(("game", "kept"), KEPT, ids=[f"{game}-{kept.seats}-{kept.options}" for game, kept in KEPT])
def test_deals_end_as_they_always_did(game: str, kept: Variant) -> None:
    assert played(GAMES[game], kept) == kept


@every_game
def test_every_main_variant_is_kept(game: str) -> None:
    assert [(kept.options, kept.seats) for kept in stored(game)] == [(v.options, v.seats) for v in variants(game)]


# --- refusals


@pytest.mark.slow
@every_game
def test_every_declared_refusal_occurs_and_no_other_does(game: str) -> None:
    """In the worked positions, or for any conceivable move of a play-through of the main variants."""
    in_positions = {code for position in positions(game) for _, code in position.expect.refused}
    in_play = {refusal.code for variant in variants(game) for refusal in _refusals(game, variant)}
    declared = refusals_of(WIRE_TYPES[game]).keys()
    assert (in_positions | in_play) - {"deal_over", "impossible"} == declared


def _refusals(name: str, variant: Variant) -> Iterator[Refusal]:
    """Play one deal at random and yield every refusal of a conceivable move on the way."""
    game, rng = GAMES[name], Random(1)
    options, previous = msgspec.convert(variant.options, game.options), tuple((seat,) for seat in range(variant.seats))
    deal = game.deal(options, variant.seats, 0, bytes(32), shuffle, previous)
    while deal.turn is not None:
        refusals = (game.check(deal, move) for move in SUBJECTS[name].moves(deal))
        yield from (refusal for refusal in refusals if refusal is not None)
        deal, _ = game.play(deal, rng.choice(game.moves(deal)), shuffle)
