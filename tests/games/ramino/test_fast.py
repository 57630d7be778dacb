"""Ramino: the simulation follows the rules."""

from hypothesis import given

from locanda.cards.cuccu import CARDS
from locanda.games.ramino.fast import Simulation
from locanda.games.ramino.moves import STOCK
from locanda.games.ramino.types import (
    Attach,
    Discard,
    Draw,
    Meld,
    Move,
    packed,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME
from tests.games.subjects import AnyStart, played_moves, starts


@given(start=starts("ramino"))
def test_a_simulation_goes_as_the_rules_do(start: AnyStart) -> None:
    shuffles = 1

    def shuffled(cards: list[int]) -> list[int]:
        nonlocal shuffles
        shuffles += 1
        return shuffle(start.seed, shuffles - 1, cards)

    simulation, last = Simulation(start.deal(), shuffled), start.deal()
    for step in played_moves(start):
        _make(simulation, step.move)
        last = step.following
        assert simulation.turn == (-1 if last.turn is None else last.turn)
        assert (tuple(simulation.hands), tuple(simulation.melds)) == (last.hands, last.melds)
        assert (bytes(simulation.stock), bytes(simulation.discards)) == (last.stock, last.discards)
    assert tuple(simulation.points()) == GAME.score(last).points


def _make(simulation: Simulation, move: Move) -> None:
    match move:
        case Draw():
            if move == STOCK:
                simulation.draw()
            else:
                simulation.take()
        case Meld(cards):
            simulation.lay(packed(CARDS[code] for code in cards))
        case Attach(card, number):
            simulation.attach(packed([CARDS[card]]), simulation.melds[number])
        case Discard(card):
            simulation.throw(CARDS[card])
