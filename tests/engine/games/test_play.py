"""Laws of play that every game keeps, under any options, with any number of players, however they play."""

from services.engine.fairness import shuffle
from services.engine.games.registry import GAMES
from shared.games.base import Result
from tests.engine.games.subjects import SUBJECTS, Start, deals, law, moments


def test_every_game_is_under_test() -> None:
    assert set(SUBJECTS) == set(GAMES)


@law
def test_no_card_is_lost_or_doubled(start: Start) -> None:
    for deal in deals(start):
        assert start.subject.lost(deal) == []


@law
def test_every_deal_ends_and_then_has_a_result(start: Start) -> None:
    game, bound = start.game, start.subject.bound(start.deal())
    for count, moment in enumerate(moments(start), 1):
        assert count <= bound
        assert game.result(moment.deal) is None
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
    for moment in moments(start):
        before = game.record(moment.deal)
        assert game.play(moment.deal, moment.move, shuffle) == (moment.following, moment.events)
        assert game.record(moment.deal) == before


@law
def test_the_seed_decides_every_shuffle(start: Start) -> None:
    assert list(deals(start)) == list(deals(start))
    assert all(deal.seed == start.seed for deal in deals(start))
