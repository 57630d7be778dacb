"""Gatto Rosso Gatto Grigio: choices of the computer players, and their reasons."""

from random import Random
from typing import Any

import pytest
from msgspec import structs

from locanda.games.choosing import Choice, choose
from locanda.games.gatto_rosso.player.sampling import sample
from locanda.games.gatto_rosso.types import DealState, Event, Play
from locanda.games.players import Budget, Situation
from locanda.messages import ComputerLevel
from locanda.texts.table import reasons_of
from services.engine.table.fairness import shuffle
from tests.games.gatto_rosso.game import GAME, PLAYERS
from tests.games.gatto_rosso.random_play import EVERY_TABLE, positions, read, start

LEVELS: list[ComputerLevel] = ["easy", "medium", "hard"]


def _choice(deal: DealState, history: tuple[Event, ...] | None, level: ComputerLevel, seed: int = 7) -> Choice:
    situation = Situation(GAME.view(deal, deal.turn), history)
    return choose(GAME, situation, level, Random(seed), Budget(iterations=30))


@EVERY_TABLE
def test_every_level_plays_by_the_rules_to_the_end(options: dict[str, Any], players: int) -> None:
    deal, history = start(options, players, 8), ()
    while deal.turn is not None:
        choice = _choice(deal, history, LEVELS[deal.turn % 3])
        assert GAME.check(deal, choice.move) is None
        deal, events = GAME.play(deal, choice.move, shuffle)
        history = (*history, *events)


@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_hidden_cards(level: ComputerLevel) -> None:
    for deal, history, _ in positions({}, 3, 9):
        hidden = structs.replace(sample(Situation(GAME.view(deal, deal.turn), history), Random(10)), seed=bytes(32))
        assert _choice(hidden, history, level) == _choice(deal, history, level)


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_it_plays_the_card_that_its_others_make_superfluous(level: ComputerLevel) -> None:
    """Both the 2h and the Kh beat the As. The Kh beats every card that the 2h beats, so the 2h is played."""
    deal = read(hands=[["2h", "Kh", "Kc", "Kd"], ["3d", "4c", "5h", "Ah"]], turn=0, table=["As"], last=1, stock=["Ac"])
    assert _choice(deal, None, level).move == Play("2h")


@pytest.mark.parametrize(("players", "card"), [(4, "Qh"), (5, "Ac")])
def test_with_many_players_medium_leads_what_the_next_one_can_beat(players: int, card: str) -> None:
    """The Kh beats all cards that the Qh beats; only the Ac beats diamonds; most cards beat the Ac."""
    others = [["Ad"], ["2d"], ["3d"], ["4d"]]
    deal = read(hands=[["Kh", "Qh", "Ac"], *others[: players - 1]], turn=0, stock=["5d", "5h", "5c", "5s", "Ks"])
    assert _choice(deal, (), "medium").move == Play(card)


@EVERY_TABLE
def test_every_reason_is_declared_with_just_its_facts(options: dict[str, Any], players: int) -> None:
    declared = {code: set(reason.facts) for code, reason in reasons_of("gatto_rosso").items()}
    for deal, history, move in positions(options, players, 13):
        situation = Situation(GAME.view(deal, deal.turn), history)
        if reason := PLAYERS.explain(situation, move, GAME.moves(deal), "expert"):
            assert set(reason.facts) == declared[reason.code]
