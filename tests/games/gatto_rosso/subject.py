"""Gatto Rosso Gatto Grigio as a subject of the tests that all games share."""

from random import Random

from locanda.cards import CODES, ITALIAN_RANKS, members
from locanda.games.base import Pass
from locanda.games.gatto_rosso.rules import cards_in_play
from locanda.games.gatto_rosso.types import DealState, Move, Play
from locanda.testing.subject import GameSubject
from tests.games.gatto_rosso.game import GAME

EVERY_MOVE: list[Move] = [Pass(), *(Play(code) for code in CODES)]


def conceivable(_deal: DealState) -> list[Move]:
    """Return a play of every French card, including cards that are not in this game's pack, and the pass."""
    return EVERY_MOVE


def lost_cards(deal: DealState) -> list[str]:
    """Return errors unless each card of the pack is in at most one place, and the remaining cards were captured."""
    cards = [*deal.stock, *deal.table, *(card for hand in deal.hands for card in members(hand))]
    pack = cards_in_play(deal.options)
    wrong = [f"{CODES[card]} twice" for card in set(cards) if cards.count(card) > 1]
    wrong += [f"{CODES[card]} not of the pack" for card in set(cards) - set(pack)]
    gone = len(pack) - len(cards) - sum(deal.captured)
    unclaimed = deal.options.last_trick == "nobody" and deal.turn is None
    return wrong if gone == 0 or (gone > 0 and unclaimed) else [*wrong, f"{gone} cards gone"]


def most_moves(deal: DealState) -> int:
    """Return an upper limit of a deal's moves: each card once, and between two cards all but one pass (ruling A15)."""
    players = len(deal.hands)
    return len(cards_in_play(deal.options)) * players


def greedy(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Play the highest card, and pass only if there is no other move."""
    return max(moves, key=_height)


def stingy(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Pass whenever that is allowed, otherwise play the lowest card."""
    return min(moves, key=_height)


def _height(move: Move) -> int:
    return ITALIAN_RANKS.index(move.card[0]) if isinstance(move, Play) else -1


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=most_moves,
    players={"greedy": greedy, "stingy": stingy},
    variants=[
        *(({}, seats) for seats in (2, 3, 4, 6, 9, 10)),
        ({"cats": True}, 2),
        ({"cats": True}, 4),
        ({"cats": True, "cats_strict": True}, 3),
        *(({"three_suits": suit, "cats": True}, 2) for suit in "shdc"),
        ({"voluntary_pass": True}, 4),
        ({"pass_lock": True}, 4),
        ({"pass_lock": True, "voluntary_pass": True, "last_trick": "play_out"}, 5),
        ({"last_trick": "play_out"}, 3),
        ({"last_trick": "nobody"}, 3),
        ({"last_deal": "equal_shares"}, 7),
    ],
)
