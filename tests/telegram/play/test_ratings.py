"""Ratings: people's strengths estimated from places, with margins."""

from collections.abc import Sequence
from random import Random
from statistics import mean

import pytest

from services.telegram.play.plackett_luce import Ranking
from services.telegram.play.ratings import INTERVAL, Rating, rated
from tests.sampling import sampled
from tests.seasons import SCENARIOS, Scenario, held, season


def ranking(*places: int | Sequence[int]) -> Ranking:
    """Return a ranking: each place is one person, or several who tie."""
    return tuple(tuple((user,) for user in ([place] if isinstance(place, int) else place)) for place in places)


def points(ratings: dict[int, Rating]) -> list[int]:
    """Return the points of each person, in the order of their ids."""
    return [ratings[user].points for user in sorted(ratings)]


def test_whoever_comes_before_others_gains_and_the_last_loses() -> None:
    first, second, third, last = points(rated([ranking(0, 1, 2, 3)]))
    assert first > second > third > last
    assert first > 1000 > last


def test_people_who_tie_have_one_rating_and_the_average_is_a_thousand() -> None:
    after = rated([ranking(0, [1, 2])])
    assert after[1].to_text() == after[2].to_text()
    assert mean(points(after)) == pytest.approx(1000, abs=1)


def test_beating_the_stronger_is_worth_more() -> None:
    before = [ranking(1, 2)] * 20
    over_strong, over_weak = (rated([*before, ranking(0, other)])[0].points for other in (1, 2))
    assert over_strong > over_weak


def test_the_order_in_which_matches_were_played_changes_nothing() -> None:
    matches = season(SCENARIOS["unequal friends, two to six at a table"], Random(1))
    backwards = rated(matches[::-1])
    assert [round(rating.estimate, 3) for _, rating in sorted(rated(matches).items())] == [
        round(rating.estimate, 3) for _, rating in sorted(backwards.items())
    ]


def test_partners_share_what_their_team_has_won() -> None:
    after = rated([(((0, 1),), ((2, 3),)), (((0, 2),), ((1, 3),))])
    assert after[0].points > 1000 > after[3].points
    assert (after[1].points, after[2].points) == (1000, 1000)


def test_somebody_who_always_wins_has_a_finite_rating_and_a_wide_margin() -> None:
    winner = rated([ranking(0, 1)] * 30)[0]
    assert 1300 < winner.points < 2000
    assert winner.margin > 200


def test_nobody_is_rated_alone() -> None:
    assert rated([ranking(0)]) == {}
    assert rated([]) == {}


def test_a_stored_rating_is_read_as_it_was() -> None:
    rating = rated([ranking(0, 1)])[0]
    stored = Rating.from_text(rating.to_text())
    assert (stored.points, stored.margin, stored.matches) == (rating.points, rating.margin, 1)


def test_a_rating_as_an_earlier_release_stored_it_is_read() -> None:
    rating = Rating.from_text("26.5 8.065901413 3")
    assert (rating.points, rating.matches) == (1030, 3)


# --- how sure ratings are


@pytest.mark.slow
@pytest.mark.parametrize("name", [*sampled(SCENARIOS, 3, 0)])
def test_the_intervals_hold_in_95_of_100_seasons(name: str) -> None:
    held_share = held(SCENARIOS[name], seasons=160, seed=1)
    assert 0.93 <= held_share.share <= 0.97
    assert held_share.fewest >= 0.91, "of no person much less often than of others"


def test_to_take_part_raises_no_rating() -> None:
    scenario = Scenario((0.0,) * 4, (4,), 100)
    assert mean(points(rated(season(scenario, Random(1))))) == pytest.approx(1000, abs=1)


def share_of_provisional(scenario: Scenario) -> float:
    ratings = [rating for seed in range(12) for rating in rated(season(scenario, Random(seed))).values()]
    return mean(rating.provisional for rating in ratings)


def test_a_rating_is_provisional_until_luck_alone_explains_it_no_more() -> None:
    skill, luck = (-1.5, -0.5, 0.5, 1.5), (-0.15, -0.05, 0.05, 0.15)
    assert share_of_provisional(Scenario(skill, (4,), 15)) < 0.1, "a game of skill shows soon who is strong"
    assert share_of_provisional(Scenario(luck, (4,), 15)) > 0.9, "a game of luck does not"
    assert share_of_provisional(Scenario(skill, (2,), 15)) > 0.4, "matches of two tell less than those of four"
    assert share_of_provisional(Scenario(luck, (4,), 150)) == 0, "many matches show that people are close together"


def test_the_margin_is_that_of_95_of_100_cases() -> None:
    assert Rating(1000.0, 50.0).margin == round(INTERVAL * 50)
