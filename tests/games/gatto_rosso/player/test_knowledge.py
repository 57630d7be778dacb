"""Gatto Rosso Gatto Grigio: facts that a pass proves about hidden cards."""

from random import Random

from locanda.cards import CARDS, members
from locanda.games.game import AnyGame
from locanda.games.gatto_rosso.player.sampling import sample
from locanda.games.gatto_rosso.rules import beaters
from locanda.games.gatto_rosso.types import View
from locanda.games.players import Situation
from tests.games.gatto_rosso.game import GAME
from tests.games.gatto_rosso.random_play import positions, read


def test_without_history_those_who_have_just_passed_cannot_beat_the_top_card() -> None:
    for deal, _, _ in positions({}, 4, 5):
        if deal.passes and deal.last is not None:
            drawn = sample(Situation(GAME.view(deal, deal.turn), None), Random(6))
            for step in range(1, deal.passes + 1):
                seat = (deal.last + step) % 4
                assert not drawn.hands[seat] & beaters(deal.options)[deal.table[-1]]


def test_a_pass_that_was_free_proves_nothing() -> None:
    free, forced = (
        {
            card
            for seed in range(60)
            for card in members(sample(Situation(_after_a_pass(GAME, free=free), None), Random(seed)).hands[1])
        }
        for free in (True, False)
    )
    assert CARDS["Kh"] in free
    assert CARDS["Kh"] not in forced


def _after_a_pass(game: AnyGame, *, free: bool) -> View:
    """Return the view of seat 2 after seat 0 has played the 2h, and seat 1 has passed."""
    hands = [["Ad", "2d", "3d"], ["Ah", "3s", "4s", "5s"], ["Ac", "2c", "3c", "4c"]]
    deal = read(hands=hands, table=["2h"], turn=2, last=0, passes=1, options={"voluntary_pass": free})
    view: View = game.view(deal, 2)
    return view
