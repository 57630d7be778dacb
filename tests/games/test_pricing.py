"""The value of a move, and its cost compared with a better one."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, cycle, islice, repeat
from random import Random

import pytest

from locanda.games import pricing
from locanda.games.choosing import PLAYERS, legal_moves
from locanda.games.players import Analysis, AnySituation, Budget, Race, RaceRules, Situation, WeighedMove
from locanda.games.pricing import TO_THE_END, compare, drawn, well_played, worths
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from tests.games.moments import any_moment
from tests.games.subjects import AnyStart, law


def _alternating(mean: float, spread: float) -> Iterator[float]:
    """Yield values around a mean."""
    return cycle((mean - spread, mean + spread))


def _dealt(name: str) -> AnySituation:
    game = GAMES[name]
    deal = game.deal(game.options(), 2, 0, bytes(32), lambda _seed, _index, cards: list(cards), None)
    return Situation(game.view(deal, deal.turn), ())


@law
def test_a_move_is_worth_a_share_of_the_win_the_same_for_the_same_seed(start: AnyStart) -> None:
    moment = any_moment(start)
    first, again = (
        next(worths(start.game, moment.situation, moment.moves[0], drawn(start.game, moment.situation, 4)))
        for _ in range(2)
    )
    assert first == again
    assert 0 <= first <= 1


@pytest.mark.parametrize("name", [name for name in GAME_NAMES if PLAYERS[name].standing is None])
def test_drawn_deals_and_errors_make_play_outs_differ(name: str) -> None:
    situation = _dealt(name)
    move = legal_moves(GAMES[name], situation)[0]
    deals = drawn(GAMES[name], situation, 4)
    assert len(set(islice(worths(GAMES[name], situation, move, deals), 12))) > 1


@pytest.mark.parametrize(
    ("differences", "cost"),
    [
        (repeat(0.3), 0.3),
        (repeat(TO_THE_END.least / 2), 0.0),
        (repeat(-0.3), 0.0),
        (_alternating(0.2, spread=0.1), 0.2),
        (_alternating(0.2, spread=3.0), 0.0),
        (chain(repeat(1.0, 50), repeat(0.0)), 0.0),
        (chain(repeat(1.0, 150), repeat(0.0)), 0.0),
        (chain(repeat(1.0, 150), repeat(0.3)), 0.3),
    ],
    ids=[
        "worse",
        "not felt",
        "better",
        "surely worse",
        "perhaps worse",
        "worse at the first look alone",
        "worse but for the last look",
        "priced by the last look alone",
    ],
)
def test_only_a_move_that_is_surely_and_noticeably_worse_costs_anything(
    monkeypatch: pytest.MonkeyPatch, differences: Iterator[float], cost: float
) -> None:
    game, situation = GAMES["gatto_rosso"], _dealt("gatto_rosso")
    best, played = legal_moves(game, situation)[:2]
    players = replace(PLAYERS[game.name], weigh=lambda *_: Analysis(best, (), 100))
    monkeypatch.setitem(PLAYERS, game.name, players)
    monkeypatch.setattr(
        pricing, "worths", lambda _game, _situation, move, _deals: differences if move == best else repeat(0.0)
    )
    compared = compare(game, situation, played, Random(1), Budget(iterations=100))
    assert (compared.best, round(compared.cost, 6)) == (best, cost)
    assert compare(game, situation, best, Random(1), Budget(iterations=100)).cost == 0


@pytest.mark.parametrize("cost", [0.3, 0.0])
def test_a_move_in_doubt_is_as_good_as_the_best_unless_play_outs_show_a_cost(
    monkeypatch: pytest.MonkeyPatch, cost: float
) -> None:
    game, situation = GAMES["gatto_rosso"], _dealt("gatto_rosso")
    best, doubtful = legal_moves(game, situation)[:2]
    weighed = (WeighedMove(best, 0.5, 9), WeighedMove(doubtful, 0.4, 9, 0.1, 0.2))
    monkeypatch.setitem(PLAYERS, game.name, replace(PLAYERS[game.name], weigh=lambda *_: Analysis(best, weighed, 9)))
    monkeypatch.setattr(
        pricing, "worths", lambda _game, _situation, move, _deals: repeat(cost if move == best else 0.0)
    )
    compared = compare(game, situation, doubtful, Random(1), Budget(iterations=100))
    assert (round(compared.cost, 6), compared.best) == (cost, best if cost else doubtful)


def test_a_move_that_the_search_found_equal_is_the_best_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game, situation = GAMES["gatto_rosso"], _dealt("gatto_rosso")
    best, equal, worse = legal_moves(game, situation)[:3]
    weighed = (WeighedMove(best, 0.5, 9), WeighedMove(equal, 0.499, 9, 0.001), WeighedMove(worse, 0.3, 9, 0.2))
    players = replace(PLAYERS[game.name], weigh=lambda *_: Analysis(best, weighed, 9))
    monkeypatch.setitem(PLAYERS, game.name, players)
    best_moves = [compare(game, situation, played, Random(1), Budget(iterations=2)).best for played in (equal, worse)]
    assert best_moves == [equal, best]


@pytest.mark.parametrize(
    ("chances", "same", "praised"),
    [
        ([0.5] * 8, 8, True),
        ([0.5] * 7, 7, False),
        ([0.1] * 20, 18, True),
        ([0.1] * 20, 17, False),
        ([0.7] * 10, 10, False),
        ([0.5] * 8 + [1.0] * 2, 10, True),
        ([0.5] * 4 + [1.0] * 6, 10, False),
    ],
)
def test_play_is_praised_if_nine_of_ten_choices_agree_and_random_moves_would_hardly_agree_so_often(
    chances: list[float], same: int, *, praised: bool
) -> None:
    assert well_played(chances, same) == praised


def test_a_move_that_a_search_does_not_show_to_be_worse_is_as_good_as_the_best_but_still_priced() -> None:
    racing = Race(["best", "close", "worse"], RaceRules(first=100))
    for number in range(20):
        luck = 0.5 if number % 2 else -0.5
        racing.add([0.6, 0.5 + luck, 0.3 + luck])
    analysis = racing.analysis()
    assert [analysis.is_equal(move) for move in ("best", "close", "worse")] == [True, True, False]
    assert [analysis.is_tied(move) for move in ("best", "close", "worse")] == [True, False, False]


@pytest.mark.parametrize("name", [name for name in GAME_NAMES if PLAYERS[name].standing])
def test_play_outs_that_do_not_reach_the_end_are_judged_as_the_same_seats_turn_begins(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    judged = list[AnySituation]()

    def standing(seen: AnySituation) -> float:
        judged.append(seen)
        return 0.5

    monkeypatch.setitem(PLAYERS, name, replace(PLAYERS[name], standing=standing))
    situation, game = _dealt(name), GAMES[name]
    for move in legal_moves(game, situation):
        deals = drawn(game, situation, 4)
        assert set(islice(worths(game, situation, move, deals), 3)) <= {0.0, 0.5, 1.0}
    assert {(seen.view.turn, seen.view.moved) for seen in judged} == {(situation.view.seat, False)}
