"""Laws of play: properties that the rules of every game must have, with any options and players."""

from locanda.games.base import Result
from locanda.games.shuffling import shuffle
from locanda.testing.starts import AnyStart, deals, law, played_moves


@law
def test_no_card_is_lost_or_doubled(start: AnyStart) -> None:
    for deal in deals(start):
        assert start.subject.lost(deal) == []


@law
def test_every_deal_ends_and_then_has_a_result(start: AnyStart) -> None:
    game, bound = start.game, start.subject.bound(start.deal())
    for count, step in enumerate(played_moves(start), 1):
        assert count <= bound
        assert game.result(step.deal) is None
    _assert_a_result(start)


def _assert_a_result(start: AnyStart) -> None:
    result = _result(start)
    assert sorted(seat for place in result.ranking for seat in place) == list(range(start.seats))
    assert len(result.points) == start.seats


def _result(start: AnyStart) -> Result:
    *_, over = deals(start)
    result = start.game.result(over)
    assert result is not None
    return result


@law
def test_better_points_rank_higher(start: AnyStart) -> None:
    result = _result(start)
    ranked = [result.points[seat] for place in result.ranking for seat in place]
    assert ranked == sorted(ranked, reverse=not start.game.fewest_wins)


@law
def test_check_agrees_with_moves(start: AnyStart) -> None:
    game = start.game
    for deal in deals(start):
        legal = [move for move in start.subject.moves(deal) if game.check(deal, move) is None]
        listed = game.moves(deal)
        assert sorted(map(str, legal)) == sorted(map(str, listed))
        assert len(set(map(str, listed))) == len(listed)


@law
def test_play_leaves_the_old_deal_untouched(start: AnyStart) -> None:
    game = start.game
    for step in played_moves(start):
        before = game.to_wire(step.deal)
        assert game.play(step.deal, step.move, shuffle) == (step.following, step.events)
        assert game.to_wire(step.deal) == before


@law
def test_the_seed_decides_every_shuffle(start: AnyStart) -> None:
    assert list(deals(start)) == list(deals(start))
    assert all(deal.seed == start.seed for deal in deals(start))
