"""Diavoletto: choices of computer players of all levels, and their reasons."""

from itertools import islice
from random import Random

import pytest

from locanda.games.diavoletto.types import Build, DealState, Discard, Event, Options, View
from locanda.games.players import Situation
from locanda.texts.table import reasons_of
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME, PLAYERS
from tests.games.diavoletto.random_play import ALL_OPTIONS, DEFAULTS, choice, moments, position


def played(options: Options, seed: int, levels: tuple[str, str], iterations: int = 1) -> tuple[DealState, int]:
    """Play a deal between these levels, and check that each move is legal; return its end and number of moves."""
    rng = Random(seed)
    deal = GAME.deal(options, 2, seed % 2, rng.randbytes(32), shuffle, None)
    history: list[Event] = []
    count = 0
    while deal.turn is not None:
        moves = GAME.moves(deal)
        situation = Situation(GAME.view(deal, deal.turn), tuple(history))
        move = choice(levels[deal.turn], situation, moves, rng, iterations) if len(moves) > 1 else moves[0]
        assert move in moves
        deal, events = GAME.play(deal, move, shuffle)
        history.extend(events)
        count += 1
    return deal, count


PAIRS = [("medium", "hard"), ("easy", "medium"), ("medium", "easy"), ("hard", "medium"), ("hard", "easy")]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "levels"), list(zip(ALL_OPTIONS, PAIRS, strict=True)))
def test_every_variant_is_played_to_its_end(options: Options, levels: tuple[str, str]) -> None:
    assert played(options, 1, levels)[1] > 0


@pytest.mark.slow
def test_two_of_medium_strength_do_not_get_stuck() -> None:
    ends = [GAME.score(played(DEFAULTS, seed, ("medium", "medium"))[0]).reason for seed in range(2)]
    assert ends == ["emptied"] * 2


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_choice_does_not_change_with_hidden_cards(level: str) -> None:
    for moment in list(moments(8, eager=0.6))[20:120:20]:
        moves = GAME.moves(moment.deal)
        other = PLAYERS.sample(moment.situation, Random(11))
        same = Situation(GAME.view(other, other.turn), moment.history)
        choices = [choice(level, situation, moves, Random(5), 3) for situation in (moment.situation, same)]
        assert choices[0] == choices[1]


def test_every_choice_has_a_declared_reason_with_its_facts() -> None:
    declared = reasons_of("diavoletto")
    codes = set()
    for seed in range(3):
        for moment in islice(moments(seed, eager=0.5), seed, None, 3):
            for move in GAME.moves(moment.deal)[::3]:
                reason = PLAYERS.explain(moment.situation, move, GAME.moves(moment.deal), "expert")
                if reason is not None:
                    assert declared[reason.code].facts.keys() == reason.facts.keys()
                    codes.add(reason.code)
    assert codes >= {
        "ace_owed",
        "chain",
        "frees_mazzetto",
        "from_mazzetto",
        "in_order",
        "on_equal",
        "empty_column",
        "withholds",
    }


@pytest.mark.parametrize(("builds", "withholds"), [([3], True), ([3, 5], False), ([3, 6], False)])
def test_only_a_card_that_brings_the_others_mazzetto_closer_is_withheld(builds: list[int], withholds: bool) -> None:
    deal = position(hand="49KQJ", own="2", other="7", builds=builds)
    situation: Situation[View, Event] = Situation(GAME.view(deal, 0), None)
    king = next(move for move in GAME.moves(deal) if isinstance(move, Discard) and move.card.startswith("K"))
    reason = PLAYERS.explain(situation, king, GAME.moves(deal), "expert")
    assert (reason is not None and reason.code == "withholds") == withholds


@pytest.mark.parametrize("builds", [[4], [4, 9]], ids=["alone", "beside a build that takes another card"])
def test_only_the_cards_that_lead_to_the_mazzettos_are_of_its_chain(builds: list[int]) -> None:
    deal = position(hand="A56TK", own="7", other="2", builds=builds)
    situation: Situation[View, Event] = Situation(GAME.view(deal, 0), None)
    moves = GAME.moves(deal)
    builds_on = {move.card: move for move in moves if isinstance(move, Build)}
    reasons = {card[0]: PLAYERS.explain(situation, move, moves, "expert") for card, move in builds_on.items()}
    counts = {card: reason.facts["count"] for card, reason in reasons.items() if reason and reason.code == "chain"}
    assert counts == {"5": 2}
    assert len(reasons) == 1 + len(builds)  # the additional reason: an Ace opens a build
