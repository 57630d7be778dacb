"""The computer players of Ramino: what they prove, how they simulate, and what they do where the best move is plain."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given

from locanda.cards.cuccu import CARDS, CODES, PACK
from locanda.games.choosing import choose
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.pricing import LEAST_COST, drawn, worths
from locanda.games.ramino.deal import unpacked
from locanda.games.ramino.fast import Simulation
from locanda.games.ramino.moves import STOCK
from locanda.games.ramino.player.heuristic import Planner
from locanda.games.ramino.player.judgement import judge_of_plans, judge_of_positions
from locanda.games.ramino.types import (
    Attach,
    Deal,
    DealState,
    Discard,
    Draw,
    Drew,
    Meld,
    Move,
    Options,
    Restocked,
    packed,
)
from services.engine.table.fairness import shuffle
from tests.bench.ramino_weights import POINTS_OF_A_WIN, gain
from tests.games.ramino.game import GAME, PLAYERS
from tests.games.subjects import AnyStart, played_moves, starts

# --- what is proved of hidden cards


@dataclass
class Moment:
    """A deal under way after its stock was made again."""

    deal: DealState
    history: tuple[Any, ...]
    stock: Counter[int]
    """What the stock was made of, as far as the events name it."""
    unnamed: bool
    """Whether the card that was turned up at the deal, which no event names, went into it as well."""
    drawn: list[int]
    """By seat, how often it has drawn from that stock."""

    @property
    def situation(self) -> Any:
        """What the seat on turn knows."""
        return Situation(GAME.view(self.deal, self.deal.turn), self.history)


def _restocked(options: dict[str, Any], seats: int, seed: int) -> Iterator[Moment]:
    """Yield the moments after the stock was made again, of a deal among players who lay nothing."""
    rng, history, stock, unnamed, drawn = Random(seed), list[Any](), Counter[int](), False, [0] * seats
    deal = GAME.deal(Options(**options), seats, 0, seed.to_bytes(32, "big"), shuffle, None)
    while deal.turn is not None:
        if stock:
            yield Moment(deal, tuple(history), stock, unnamed, drawn)
        moves = [move for move in GAME.moves(deal) if not isinstance(move, Meld)]
        move = STOCK if STOCK in moves and rng.random() < 0.8 else rng.choice(moves)
        following, events = GAME.play(deal, move, shuffle)
        if any(isinstance(event, Restocked) for event in events):
            unnamed = not stock and history[0].source == "stock"
            stock, drawn = Counter(deal.discards[unnamed:-1]), [0] * seats
        drawn = [count + (Drew(seat, "stock") in events) for seat, count in enumerate(drawn)]
        deal = following
        history.extend(events)


def _contradictions(moment: Moment, drawn: DealState) -> list[str]:
    """Say which cards of a drawn deal cannot be where they are."""
    wrong = []
    if GAME.view(drawn, moment.deal.turn) != moment.situation.view:
        wrong.append("the view differs")
    foreign = Counter(drawn.stock) - moment.stock
    if foreign.total() > moment.unnamed:
        wrong.append(f"never put into the stock: {foreign}")
    for seat, hand in enumerate(drawn.hands):
        unseen = Counter(unpacked(hand - moment.deal.known[seat]))
        from_stock = [card for card in unseen.elements() if moment.stock[card] == 2]
        if seat != moment.deal.turn and len(from_stock) > moment.drawn[seat]:
            wrong.append(f"drawn by seat {seat} in {moment.drawn[seat]} draws: {from_stock}")
    return wrong


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_drawn_deal_contradicts_where_the_cards_of_the_stock_came_from(seats: int) -> None:
    rng, seen = Random(1), 0
    for seed in range(4):
        for number, moment in enumerate(_restocked({"idle_rounds": 25}, seats, seed)):
            if number % 3 == 0:
                assert _contradictions(moment, PLAYERS.sample(moment.situation, rng)) == []
                seen += 1
    assert seen > 20


def test_the_order_of_a_stock_that_was_turned_over_is_known() -> None:
    rng, seen = Random(2), 0
    for moment in _restocked({"stock_end": "turn_over", "idle_rounds": 25}, 3, 5):
        assert PLAYERS.sample(moment.situation, rng).stock[-5:] == moment.deal.stock[-5:]
        seen += len(moment.deal.stock) > 5
    assert seen > 5


# --- the simulator


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


# --- positions with an evident move

HIDDEN = "II IIII VI VIII X"
"""What the other player holds where nothing depends on it."""


def _position(hand: str, *, top: str = "I", table: str = "", drawn: bool = True, other: str = HIDDEN) -> DealState:
    """A table of two: the first seat is on turn, and the stock is all that lies nowhere else."""
    cards, others, melds = tuple(hand.split()), tuple(other.split()), tuple(table.split())
    lying = Counter(CODES[card] for card in PACK) - Counter((*cards, *others, *melds, top))
    stock = list(lying.elements())
    Random(1).shuffle(stock)
    return GAME.from_wire(
        Deal(
            hands=(cards, others),
            turn=0,
            stock=tuple(stock),
            discards=(top,),
            melds=(melds,) if melds else (),
            phase="play" if drawn else "draw",
            opened=(len(cards) - drawn < 5, len(others) < 5),
        )
    )


def _choice(deal: DealState, level: Any) -> Move:
    situation: Any = Situation(GAME.view(deal, deal.turn), None)
    move: Move = choose(GAME, situation, level, Random(1), Budget(iterations=60)).move
    return move


experienced = pytest.mark.parametrize("level", ["medium", "hard"])


@experienced
def test_it_makes_a_ramino_of_six_figures(level: str) -> None:
    deal = _position("MATTO LEONE SECCHIA NULLA XII XV")
    while deal.turn == 0:
        deal, _ = GAME.play(deal, _choice(deal, level), shuffle)
    assert GAME.score(deal).reason == "ramino"


@experienced
def test_it_closes_by_attaching_one_card_and_throwing_the_other(level: str) -> None:
    deal = _position("VIIII III", table="VI VII VIII")
    assert _choice(deal, level) == Attach("VIIII", 0)


@experienced
def test_it_takes_the_discard_with_which_it_closes(level: str) -> None:
    assert _choice(_position("V VII", top="VI", drawn=False), level) == Draw("discards")


@experienced
def test_it_does_not_throw_the_card_that_the_table_takes_to_somebody_about_to_close(level: str) -> None:
    deal = _position("V I XV", table="VI VII VIII", other="MATTO")
    move = _choice(deal, level)
    assert move == Attach("V", 0)


@experienced
def test_it_keeps_two_figures_and_throws_the_numeral(level: str) -> None:
    assert _choice(_position("LEONE XII II", other="V VII"), level) == Discard("II")


def test_a_search_of_the_same_iterations_and_seed_finds_the_same() -> None:
    deal = _position("MATTO LEONE II VII VIII I", top="III")
    situation: Any = Situation(GAME.view(deal, 0), None)
    analyses = [PLAYERS.weigh(situation, GAME.moves(deal), Random(3), Budget(iterations=20)) for _ in range(2)]
    assert analyses[0] == analyses[1]
    assert {weighed.move for weighed in analyses[0].weighed} == set(GAME.moves(deal))


@pytest.mark.slow
@pytest.mark.parametrize(("table", "seats"), [("two", 2), ("many", 3), ("many", 4)])
def test_the_weights_of_hard_win_more_than_those_of_medium(table: str, seats: int) -> None:
    hard, medium = (Planner(judge(seats), long=Options().long_scala) for judge in (judge_of_plans, judge_of_positions))
    gains = [gain(seed, hard, medium, seats, POINTS_OF_A_WIN[table]) for seed in range(1000, 1100)]
    assert sum(gains) / len(gains) > 1 / seats + 0.1


def test_laying_three_figures_and_attaching_the_fourth_costs_nothing_beside_laying_four() -> None:
    deal = _position("MATTO NULLA SECCHIA XV I X")
    situation: AnySituation = Situation(GAME.view(deal, 0), None)
    four, three = Meld(("MATTO", "SECCHIA", "NULLA", "XV")), Meld(("MATTO", "SECCHIA", "NULLA"))
    assert {four, three} <= {*GAME.moves(deal)}
    one, other = (fmean(islice(worths(GAME, situation, move, drawn(GAME, situation, 4)), 60)) for move in (four, three))
    assert abs(one - other) < LEAST_COST
