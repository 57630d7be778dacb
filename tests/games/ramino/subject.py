"""Ramino as a subject of the tests that all games share."""

from collections import Counter
from itertools import combinations
from random import Random

from locanda.cards.cuccu import CARDS, CODES, COPIES, DESIGNS
from locanda.games.ramino.deal import codes, unpacked
from locanda.games.ramino.types import Attach, DealState, Discard, Draw, Meld, Move
from locanda.testing.subject import GameSubject
from tests.games.ramino.game import GAME

DRAWS: list[Move] = [Draw("stock"), Draw("discards")]
DISCARDS: list[Move] = [Discard(code) for code in CODES]
STRAY = [Meld(codes) for codes in (("MATTO", "LEONE", "XV"), ("I", "II", "III"), ("X", "X", "X"), ("V",) * 20)]
"""Melds of cards that are rarely together in a hand, including invalid melds."""


def conceivable(deal: DealState) -> list[Move]:
    """Return every draw and discard, every card attached to each combination and to a missing one, every selection.

    Each choice is included once: with cards in ascending order, and with the first of equal combinations.
    """
    numbers = [number for number, meld in enumerate(deal.melds) if deal.melds.index(meld) == number]
    attaches = [Attach(code, number) for number in (*numbers, len(deal.melds)) for code in CODES]
    hand = codes(deal.hands[deal.turn]) if deal.turn is not None else ()
    selections = {cards for length in range(len(hand) + 1) for cards in combinations(hand, length)}
    melds = [Meld(cards) for cards in sorted(selections)]
    return [*DRAWS, *melds, *(meld for meld in STRAY if meld not in melds), *attaches, *DISCARDS]


def lost_cards(deal: DealState) -> list[str]:
    """Return errors unless each card is in one place: a hand, the stock, the discards or a combination on the table."""
    lying = Counter([*deal.stock, *deal.discards])
    for counts in (*deal.hands, *deal.melds):
        lying.update(unpacked(counts))
    wrong = [f"{CODES[card]} {lying[card]} times" for card in range(len(DESIGNS)) if lying[card] != COPIES]
    wrong += [f"melds {meld}" for meld in map(codes, deal.melds) if len(meld) != 3]
    unheld = [
        Counter(unpacked(known)) - Counter(unpacked(hand)) for known, hand in zip(deal.known, deal.hands, strict=True)
    ]
    return wrong + [f"known {cards}" for cards in unheld if cards]


def most_moves(deal: DealState) -> int:
    """Return an upper limit of a deal's moves: hands are laid card by card, with idle rounds between (ruling B19)."""
    players = len(deal.hands)
    turns = (5 * players + 1) * deal.options.idle_rounds * players
    return 2 * turns + 5 * players


def greedy(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Lay cards whenever possible, as many as possible at once; discard the most expensive card."""
    return max(moves, key=_eagerness)


def hoarder(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Never lay a card; draw from the stock, and discard the cheapest card."""
    return min(moves, key=_eagerness)


def swapper(rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Only take from the discards and discard, without ever laying a card."""
    return rng.choice([move for move in moves if isinstance(move, Discard)] or moves[-1:])


def _eagerness(move: Move) -> int:
    match move:
        case Draw(source):
            return 1 if source == "discards" else 0
        case Meld(cards):
            return 100 * len(cards)
        case Attach():
            return 100
        case Discard(card):
            return DESIGNS[CARDS[card]].points


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=most_moves,
    players={"greedy": greedy, "hoarder": hoarder, "swapper": swapper},
    variants=[
        *(({}, seats) for seats in (2, 3, 4)),
        ({"return_taken": True}, 3),
        ({"stock_end": "turn_over"}, 3),
        ({"stock_end": "block"}, 2),
        ({"stock_end": "block", "blocked_score": "void"}, 4),
        ({"idle_rounds": 1}, 2),
        ({"idle_rounds": 3, "blocked_score": "void"}, 3),
        ({"ramino_double": False}, 4),
        ({"long_scala": False}, 2),
        ({"long_scala": False, "return_taken": True, "stock_end": "turn_over", "idle_rounds": 50}, 4),
    ],
)
