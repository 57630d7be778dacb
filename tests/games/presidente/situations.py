"""Situations of Presidente for tests: hands as their players see them, and computer players' choices."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from locanda.cards import mask
from locanda.games.choosing import choose
from locanda.games.players import Budget, Situation
from locanda.games.presidente.deal import CODES
from locanda.games.presidente.types import JOKER, Event, View
from locanda.messages import ComputerLevel
from tests.games.presidente.game import GAME
from tests.games.presidente.subject import read

HANDS = st.sets(st.integers(0, JOKER), min_size=1, max_size=13).map(mask)


def position(*hands: str, **fields: Any) -> Situation[View, Event]:
    """Return the knowledge of the seat on turn (default: seat 0) when all other cards are gone."""
    held = [hand.split() for hand in hands]
    table = fields.get("table", {}).get("cards", [])
    options = {"play_on": True, "leftovers": "hidden", **fields.pop("options", {})}
    pack = CODES if options.get("joker") else CODES[:-1]
    seen = {code for pile in (*held, table) for code in pile}
    gone = [code for code in pack if code not in seen]
    deal = read(hands=held, gone=gone, options=options, **fields)
    assert deal.turn is not None
    return Situation(GAME.view(deal, deal.turn), None)


def choice(situation: Situation[View, Event], level: ComputerLevel) -> Any:
    return choose(GAME, situation, level, Random(1), Budget(iterations=200)).move
