"""Ratings: what places among people change."""

from random import Random
from statistics import mean

from services.telegram.ratings import Rating, rated


def points(ratings: dict[int, Rating]) -> list[int]:
    """The points of each person, in their order."""
    return [ratings[user].points for user in sorted(ratings)]


def test_whoever_comes_before_others_gains_and_the_last_loses() -> None:
    first, second, third, last = points(rated(dict.fromkeys(range(4), Rating()), {0: 0, 1: 1, 2: 2, 3: 3}))
    assert first > second > third > last
    assert first > 1000 > last


def test_people_who_tie_change_alike_and_only_the_order_of_places_counts() -> None:
    fresh = dict.fromkeys(range(3), Rating())
    after = rated(fresh, {0: 0, 1: 2, 2: 2})
    assert after[1] == after[2]
    assert rated(fresh, {0: 1, 1: 5, 2: 5}) == after


def test_beating_the_stronger_is_worth_more() -> None:
    strong, weak = Rating(35.0, 5.0, 20), Rating(15.0, 5.0, 20)
    even = Rating(25.0, 5.0, 20)
    over_strong, over_weak = (rated({0: even, 1: other}, {0: 0, 1: 1})[0] for other in (strong, weak))
    assert over_strong.points > over_weak.points


def test_a_rating_is_provisional_until_it_is_sure_and_everybody_begins_at_a_thousand() -> None:
    ratings = dict.fromkeys(range(2), Rating())
    assert points(ratings) == [1000, 1000]
    margins = [ratings[0].margin]
    while ratings[0].provisional:
        ratings = rated(ratings, {0: len(margins) % 2, 1: (len(margins) + 1) % 2})
        margins.append(ratings[0].margin)
    assert margins == sorted(margins, reverse=True)
    assert 10 < len(margins) < 60, "two people need some twenty matches"


def test_to_take_part_raises_no_rating_and_equal_friends_lie_within_their_intervals() -> None:
    held, all_points = 0, []
    for seed in range(25):
        dice, ratings = Random(seed), dict.fromkeys(range(4), Rating())
        for _ in range(100):
            ratings |= rated(ratings, dict(enumerate(dice.sample(range(4), 4))))
        all_points += points(ratings)
        held += sum(abs(rating.points - 1000) <= rating.margin for rating in ratings.values())
    assert abs(mean(all_points) - 1000) < 10
    assert held >= 93


def test_nobody_is_rated_alone() -> None:
    assert rated({0: Rating()}, {0: 0}) == {}


def test_a_stored_rating_is_read_as_it_was() -> None:
    rating = rated(dict.fromkeys(range(2), Rating()), {0: 0, 1: 1})[0]
    assert Rating.from_text(rating.to_text()) == rating
    assert Rating.from_text(None) == Rating()
