"""Guarantees of computer players of every game and level, for any options and number of players."""

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any

import pytest

from locanda.games import players
from locanda.games.base import Result
from locanda.games.choosing import PLAYERS, choose
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.registry import GAME_NAMES, has_part, part
from locanda.games.rules import GAMES
from locanda.messages import ComputerLevel
from locanda.texts.table import reasons_of
from services.engine.table.fairness import shuffle
from tests.bench.opponents import OPPONENTS
from tests.games.moments import LEVELS, any_moment, moments, play_by_levels
from tests.games.reason_claims import claims_of, false_reasons
from tests.games.subjects import AnyStart, law
from tests.sampling import WHOLE


@pytest.mark.slow
@law
def test_every_deal_comes_to_its_end_by_legal_moves(start: AnyStart) -> None:
    assert play_by_levels(start, iterations=1) > 0


@law
def test_what_is_drawn_for_hidden_cards_looks_like_what_was_seen(start: AnyStart) -> None:
    moment = any_moment(start)
    seen = moment.situation
    for history in (seen.history, None):
        drawn = PLAYERS[start.name].sample(Situation(seen.view, history), Random(start.seed))
        assert start.game.view(drawn, drawn.turn) == seen.view
        assert start.game.moves(drawn) == moment.moves
        assert start.subject.lost(drawn) == []


@law
def test_a_choice_depends_on_nothing_hidden(start: AnyStart) -> None:
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
def test_a_choice_gives_a_declared_reason_whose_sentence_has_its_facts(start: AnyStart) -> None:
    moment = any_moment(start)
    declared = reasons_of(start.name)
    for level in LEVELS:
        reason = choose(start.game, moment.situation, level, Random(2), Budget(iterations=2)).reason
        assert declared[reason.code].facts.keys() == reason.facts.keys()


@law
def test_without_the_history_every_level_still_plays(start: AnyStart) -> None:
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


def test_a_simulation_within_which_the_time_is_up_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(players, "thread_time", lambda: clock[0])

    def simulate(running: Sequence[int]) -> Iterator[float]:
        for candidate in running:
            clock[0] += 0.015
            yield float(candidate)

    analysis = players.race(["a", "b"], simulate, Budget(cpu_milliseconds=40))
    assert (analysis.simulations, analysis.best, clock) == (1, "b", [0.045])


@law
def test_the_opponents_of_measurements_play_by_the_rules(start: AnyStart) -> None:
    if start.name not in OPPONENTS:  # the game has no players of its own
        return
    moment = any_moment(start)
    for history in (moment.situation.history, None):
        assert OPPONENTS[start.name](Situation(moment.situation.view, history), moment.moves) in moment.moves


# --- beginners


@pytest.mark.slow
@pytest.mark.parametrize(("name", "deals"), [("ramino", 100), ("diavoletto", 40)])
def test_nine_of_ten_deals_between_beginners_are_won_by_somebody(name: str, deals: int) -> None:
    """The share may be lower by one standard error. Once, all of Diavoletto and two thirds of Ramino ended blocked."""
    ends = [_between_beginners(GAMES[name], seed).reason for seed in range(deals)]
    assert sum(end in ("blocked", "deadlock") for end in ends) <= 0.1 * deals + sqrt(0.1 * 0.9 * deals)


def _between_beginners(game: AnyGame, seed: int) -> Result:
    """Play a deal between two beginners, without a history or reasons."""
    rng = Random(seed)
    deal = game.deal(game.options(), 2, seed % 2, rng.randbytes(32), shuffle, None)
    while deal.turn is not None:
        seen: AnySituation = Situation(game.view(deal, deal.turn), None)
        moves = game.moves(deal)
        move = PLAYERS[game.name].easy(seen, moves, rng) if len(moves) > 1 else moves[0]
        deal, _ = game.play(deal, move, shuffle)
    return game.score(deal)


# --- games without players of their own


@law
def test_a_policy_chooses_a_legal_move_by_what_its_seat_may_see(start: AnyStart) -> None:
    if not has_part(start.name, "policy"):
        return
    moment, choose_by_policy = any_moment(start), part(start.name, "policy").policy
    lookalike = PLAYERS[start.name].sample(moment.situation, Random(start.seed))
    move = choose_by_policy(moment.deal, moment.deal.turn, moment.moves)
    assert move in moment.moves
    assert move == choose_by_policy(lookalike, lookalike.turn, moment.moves)


@law
def test_an_ending_of_two_who_know_all_cards_is_played_as_well_as_can_be(start: AnyStart) -> None:
    if has_part(start.name, "player") or start.seats != 2:
        return
    endings = [moment for moment in moments(start) if 0 < sum(moment.situation.view.counts) <= 4]
    for moment in endings:
        if moment.deal.stock or len(moment.moves) == 1:
            continue
        best = choose(start.game, moment.situation, "hard", Random(1), Budget(iterations=1)).move
        reached = {move: _reached(start.game, moment.deal, move, moment.deal.turn) for move in moment.moves}
        assert reached[best] == max(reached.values())


def _reached(game: AnyGame, deal: Any, move: Any, seat: int) -> float:
    """Return the share of the win after a move if both players play perfectly."""
    after, _ = game.play(deal, move, shuffle)
    if after.turn is None:
        best = game.score(after).ranking[0]
        return 1 / len(best) if seat in best else 0.0
    values = [_reached(game, after, reply, seat) for reply in game.moves(after)]
    return max(values) if after.turn == seat else min(values)


# --- reasons of computer players


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", GAME_NAMES)
def test_no_reason_says_what_is_not_so(name: str, level: ComputerLevel) -> None:
    counts, false = false_reasons(GAMES[name], level, 150 if WHOLE else 50, seed=3)
    assert len(counts) > 1
    assert [(code, case.move, case.facts) for code, case in false] == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_reason_has_a_claim_that_is_checked(name: str) -> None:
    assert claims_of(name).keys() == reasons_of(name).keys()
