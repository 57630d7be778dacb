"""Diavoletto: legal moves that the worked positions do not cover."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import CODES
from locanda.games.diavoletto.types import Build, DealState, Discard, End, Options
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.subject import greedy, posted, run


def test_moves_are_ordered_from_hand_mazzetto_and_columns_then_the_discards() -> None:
    deal = posted(
        hands=[["9d", "3h", "*"], []], columns=[[["7c"], [], ["3s"]], []], builds=[["Ah", "2h"], ["Ad", "2d", "3d"]]
    )
    assert GAME.moves(deal)[:5] == [
        Build("hand", "3h", None, 0),
        Build("hand", "*", None, 0),
        Build("hand", "*", None, 1),
        Build("mazzetto", "4s", None, 1),
        Build("column", "3s", 2, 0),
    ]
    assert GAME.moves(deal)[5:] == [Discard(card, column) for card in ("3h", "9d", "*") for column in (0, 1, 2)]


def test_d1_there_may_be_eight_builds_at_once() -> None:
    builds = [[f"A{suit}"] for suit in "hdcshdc"]
    deal, _ = run(posted(hands=[["As", "9d"], []], builds=builds), Build("hand", "As", None, None))
    assert len(deal.builds) == 8
    assert GAME.check(deal, Discard("9d", 0)) is None


def test_d13_both_players_build_on_the_same_builds() -> None:
    deal = posted(hands=[["Ah", "9d"], ["2d", "9c"]])
    deal, _ = run(deal, Build("hand", "Ah", None, None), Discard("9d", 0), Build("hand", "2d", None, 0))
    assert GAME.to_wire(deal).builds == (("Ah", "2d"),)


def _spellings(deal: DealState) -> Iterator[wire.Move]:
    """Return every possible form of every move with cards of the hand on turn and with top cards."""
    seat = deal.turn or 0
    goals = [*range(len(deal.builds)), None]
    for code in {CODES[card] for card in deal.hands[seat]}:
        yield from (Build("hand", code, None, goal) for goal in goals)
        yield from (Discard(code, column) for column in range(4))
    for code in (CODES[card] for card in deal.mazzetti[seat][-1:]):
        yield from (Build("mazzetto", code, None, goal) for goal in goals)
    for number, column in enumerate(deal.columns[seat]):
        yield from (Build("column", CODES[card], number, goal) for card in column[-1:] for goal in goals)


def _choice(deal: DealState, move: wire.Move) -> tuple[object, ...]:
    """Return what distinguishes a move by the rules: rank and source, the rank that the build needs, a used column."""
    if isinstance(move, End):
        return ("end",)
    columns = deal.columns[deal.turn or 0]
    if isinstance(move, Discard):
        assert isinstance(move.column, int)
        return ("discard", move.card[0], columns[move.column] and move.column)
    need = len(deal.builds[move.build]) if isinstance(move.build, int) else None
    return ("build", move.source, move.card[0], move.column, need)


@pytest.mark.parametrize("options", [{}, {"discard_order": "descending", "joker_discard": False, "max_piles": 3}])
def test_any_spelling_of_a_listed_choice_is_accepted_and_no_other(options: dict[str, Any]) -> None:
    for number in range(4):
        rng = Random(number)
        deal = GAME.deal(msgspec.convert(options, Options), 2, 0, rng.randbytes(32), shuffle, None)
        while moves := GAME.moves(deal):
            listed = [_choice(deal, move) for move in moves if not isinstance(move, End)]
            accepted = {_choice(deal, move) for move in _spellings(deal) if GAME.check(deal, move) is None}
            assert len(set(listed)) == len(listed)
            assert set(listed) == accepted
            deal, _ = GAME.play(deal, greedy(rng, deal, moves), shuffle)
