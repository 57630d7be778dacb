"""Presidente: the candidates of the search of `hard`."""

from random import Random

from locanda.games.presidente.player.knowledge import knowledge_of
from locanda.games.presidente.player.search import MOST, combos, promising
from tests.games.presidente.game import GAME
from tests.games.presidente.situations import position


def test_of_many_moves_with_the_joker_few_are_compared() -> None:
    situation = position("2h 3h 4h 5h 6h 7h 9c 9d Tc Td Js Qs *", "Ks", options={"joker": True})
    legal = GAME.moves(GAME.determinize(situation.view, Random(1)))
    known = knowledge_of(situation.view)
    candidates = [combo for _, combo in promising(known, combos(known, legal))]
    assert len(legal) > 90
    assert len(candidates) == len(set(candidates)) <= MOST
