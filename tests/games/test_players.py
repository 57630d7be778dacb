"""What computer players of every game and level keep, under any options and number of players."""

from random import Random

import pytest

from locanda.explanations import SHARED_REASONS
from locanda.games.choosing import PLAYERS, choose
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.registry import WIRE_TYPES
from tests.games.moments import LEVELS, any_moment, play_by_levels
from tests.games.subjects import Start, law


@pytest.mark.slow
@law
def test_every_deal_comes_to_its_end_by_legal_moves(start: Start) -> None:
    assert play_by_levels(start, iterations=1) > 0


@law
def test_what_is_drawn_for_hidden_cards_looks_like_what_was_seen(start: Start) -> None:
    moment = any_moment(start)
    seen = moment.situation
    for history in (seen.history, None):
        drawn = PLAYERS[start.name].sample(Situation(seen.view, history), Random(start.seed))
        assert start.game.view(drawn, drawn.turn) == seen.view
        assert start.game.moves(drawn) == moment.moves
        assert start.subject.lost(drawn) == []


@law
def test_a_choice_depends_on_nothing_hidden(start: Start) -> None:
    moment = any_moment(start)
    lookalike = PLAYERS[start.name].sample(moment.situation, Random(start.seed))
    same = Situation(start.game.view(lookalike, lookalike.turn), moment.situation.history)
    for level in LEVELS:
        choices = [
            choose(start.game, situation, level, Random(1), Budget(iterations=3))
            for situation in (moment.situation, same)
        ]
        assert choices[0] == choices[1]


@law
def test_a_choice_gives_a_declared_reason_whose_sentence_has_its_facts(start: Start) -> None:
    moment = any_moment(start)
    declared = {each.code: each for each in (*SHARED_REASONS, *getattr(WIRE_TYPES[start.name], "REASONS", ()))}
    for level in LEVELS:
        reason = choose(start.game, moment.situation, level, Random(2), Budget(iterations=2)).reason
        assert declared[reason.code].facts.keys() == reason.facts.keys()


@law
def test_without_the_history_every_level_still_plays(start: Start) -> None:
    moment = any_moment(start)
    unknown: AnySituation = Situation(moment.situation.view, None)
    for level in LEVELS:
        assert choose(start.game, unknown, level, Random(3), Budget(iterations=2)).move in moment.moves


def test_a_search_without_any_time_still_chooses() -> None:
    budget = Budget(cpu_milliseconds=0)
    assert not budget.take()


@pytest.mark.parametrize("iterations", [0, 1, 5])
def test_a_budget_counts_iterations(iterations: int) -> None:
    budget = Budget(iterations=iterations)
    assert [budget.take() for _ in range(7)] == [number < iterations for number in range(7)]
