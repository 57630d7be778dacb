"""Diavoletto: plans for whole turns in which the best play is obvious."""

from random import Random

import pytest
from msgspec import structs

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.player.knowledge import MAZZETTO_SOURCE, Step, step_of
from locanda.games.diavoletto.types import DealState, Event
from locanda.games.players import Situation
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.random_play import choice, position


def chosen(level: str, deal: DealState) -> Step:
    """Return the choice of a level in a position without the events before it."""
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    return step_of(choice(level, situation, GAME.moves(deal), Random(1), 40), situation.view)


THINKERS = pytest.mark.parametrize("level", ["medium", "hard"])


@THINKERS
def test_they_build_up_to_the_card_of_their_mazzetto(level: str) -> None:
    deal = position(hand="456KQ", own="7", other="2", builds=[3])
    assert chosen(level, deal)[1] == 3  # the 4, so that the 5, the 6 and the mazzetto's 7 can follow


@THINKERS
def test_they_use_a_column_instead_of_a_joker_for_a_chain(level: str) -> None:
    deal = position(hand="*5KQ9", own="6", other="Q", builds=[3], columns=["4"])
    source, played_rank, _ = chosen(level, deal)
    assert (source, played_rank) == (0, 3)


@THINKERS
def test_they_do_not_build_up_to_the_other_mazzettos_card(level: str) -> None:
    deal = position(hand="6KKQ9", own="J", other="7", builds=[5])
    assert chosen(level, deal)[1] != 5


@THINKERS
def test_they_do_not_play_a_joker_that_leads_to_nothing(level: str) -> None:
    deal = position(hand="*KK98", own="J", other="4", builds=[2])
    assert chosen(level, deal)[0] == 6


@THINKERS
def test_they_discard_in_order_when_nothing_else_is_at_stake(level: str) -> None:
    deal = position(hand="8KKKK", own="3", other="3", builds=[], columns=["9", "5", "4", "6"])
    kind, discarded, column = chosen(level, deal)
    assert (discarded, column) in ((7, 0), (12, 0), (12, 1), (12, 2), (12, 3))
    assert kind == 6


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_everybody_plays_the_last_card_of_the_mazzetto_when_it_fits(level: str) -> None:
    deal = position(hand="5KKQ9", own="5", other="5", builds=[4])
    deal = structs.replace(deal, mazzetti=(deal.mazzetti[0][-1:], deal.mazzetti[1]))
    assert chosen(level, deal)[0] == MAZZETTO_SOURCE


@THINKERS
def test_they_win_when_they_can(level: str) -> None:
    deal = position(hand="4KKQ9", own="5", other="5", builds=[3])
    deal = structs.replace(deal, mazzetti=(deal.mazzetti[0][-1:], deal.mazzetti[1]))
    assert chosen(level, deal)[1] == 3


@THINKERS
def test_they_play_the_mazzettos_card_when_it_fits(level: str) -> None:
    deal = position(hand="6KKQ9", own="6", other="J", builds=[5])
    assert chosen(level, deal)[0] == MAZZETTO_SOURCE
