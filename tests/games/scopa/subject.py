"""Scopa as a subject of the tests that all games share."""

from itertools import combinations

from locanda_scopa.rules import cards_in_play
from locanda_scopa.types import DealState, Move, Play

from locanda.cards import CODES, codes, members
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.testing.subject import GameSubject

GAME: AnyGame = GAMES["scopa"]


def conceivable(deal: DealState) -> list[Move]:
    """Return plays of every French card that take no card of the table, each single card, each pair, or all cards."""
    table = codes(members(deal.table))
    can = [move.takes for move in GAME.moves(deal)]
    taken = [(), *((code,) for code in table), *combinations(table, 2), table, ("7d", "7d"), *can]
    return [Play(code, takes) for code in CODES for takes in dict.fromkeys(taken)]


def lost_cards(deal: DealState) -> list[str]:
    """Return an error for each card of the pack that is not in exactly one place."""
    piles = [members(cards) for cards in (*deal.hands, *deal.captured, deal.table)]
    cards = sorted([*deal.stock, *(card for pile in piles for card in pile)])
    return [] if cards == sorted(cards_in_play(deal.options, len(deal.hands))) else [f"not the pack: {cards}"]


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=lambda _deal: 36,
    players={},
    variants=[
        ({}, 2),
        ({"ace_takes_all": True, "napola": True, "king": True}, 3),
        ({"target": 21}, 4),
        ({"scopone": True}, 4),
    ],
)
