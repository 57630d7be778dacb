"""The result of an evening."""

from hypothesis import given
from hypothesis import strategies as st

from services.telegram.evenings.summary import (
    Duel,
    NotableHand,
    PlayedDeal,
    PlayedMatch,
    Score,
    leaders,
    placed,
    scores,
    summary,
)
from services.telegram.play.history import places_among

ANNA, BRUNO, CARLA = 1, 2, 3
PLACES = st.dictionaries(st.integers(1, 9), st.integers(0, 9), min_size=1, max_size=6)


def match(ended: float, *order: int, deals: tuple[PlayedDeal, ...] = (), cards: tuple[str, ...] = ()) -> PlayedMatch:
    """Return a match with these people, best first."""
    return PlayedMatch(ended, {person: place for place, person in enumerate(order)}, deals, cards)


def test_points_are_those_of_the_place_among_people() -> None:
    assert scores([{ANNA: 1, BRUNO: 3}, {ANNA: 0, BRUNO: 0}]) == (Score(ANNA, 10, 2, 2), Score(BRUNO, 8, 1, 2))


def test_who_won_most_matches_in_a_row_is_named_over_evenings() -> None:
    tonight = [match(1, ANNA, BRUNO), match(2, ANNA, CARLA)]
    assert summary(tonight).streak is None
    assert summary(tonight, [{ANNA: 0, BRUNO: 1}]).streak == (ANNA, 3)
    assert summary(tonight, [{ANNA: 0, BRUNO: 1}, {ANNA: 1, CARLA: 0}]).streak is None


def test_a_duel_is_between_those_who_met_most() -> None:
    tonight = [match(1, ANNA, BRUNO, CARLA), match(2, BRUNO, ANNA), match(3, BRUNO, ANNA)]
    assert summary(tonight).duel == Duel(BRUNO, ANNA, 2, 1)


def test_the_best_hand_was_won_by_most_and_the_unluckiest_lost_by_least() -> None:
    deals = (
        PlayedDeal({ANNA: 0, BRUNO: 1, CARLA: 2}, {ANNA: 30, BRUNO: 10, CARLA: 0}),
        PlayedDeal({BRUNO: 0, CARLA: 1}, {BRUNO: 12, CARLA: 11}),
        PlayedDeal({ANNA: 0, CARLA: 0}, {ANNA: 12, CARLA: 12}),
    )
    summed_up = summary([match(1, ANNA, BRUNO, CARLA, deals=deals)])
    assert (summed_up.best, summed_up.unluckiest) == (NotableHand(ANNA, 20), NotableHand(CARLA, 1))
    assert summary([match(1, ANNA, BRUNO, deals=deals[:1])]).best is None


def test_the_picture_has_the_cards_of_the_winners_last_match() -> None:
    tonight = [match(3, BRUNO, ANNA, cards=("7h",)), match(1, ANNA, BRUNO, cards=("Ah",)), match(2, ANNA, BRUNO)]
    assert summary(tonight).cards == ("Ah",)


@given(st.lists(PLACES, max_size=8))
def test_nobody_is_lost_and_the_order_follows_from_the_points(matches: list[dict[int, int]]) -> None:
    all_scores = scores(matches)
    assert {score.person for score in all_scores} == {person for places in matches for person in places}
    assert sum(score.matches for score in all_scores) == sum(map(len, matches))
    assert sum(score.wins for score in all_scores) >= len(matches)
    assert placed(all_scores) == sorted(placed(all_scores))
    assert [score for score, place in zip(all_scores, placed(all_scores), strict=True) if place == 0] == (
        leaders(all_scores) if all_scores else []
    )


@given(PLACES, st.integers(1, 9))
def test_without_somebody_the_others_keep_their_order(places: dict[int, int], gone: int) -> None:
    left = {person: place for person, place in places.items() if person != gone}
    among = places_among(left)
    assert all((places[a] < places[b]) == (among[a] < among[b]) for a in left for b in left)
    assert not left or min(among.values()) == 0
