"""Briscola as a subject of the tests that all games share."""

from locanda_briscola.rules import cards_in_play
from locanda_briscola.types import DealState, Move, Play

from locanda.cards import CODES, members
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.testing.subject import GameSubject

GAME: AnyGame = GAMES["briscola"]

EVERY_MOVE: list[Move] = [Play(code) for code in CODES]


def conceivable(_deal: DealState) -> list[Move]:
    """Return a play of every French card, including cards that are not in Briscola's pack."""
    return EVERY_MOVE


def lost_cards(deal: DealState) -> list[str]:
    """Return an error for each card of the pack that is not in exactly one place."""
    lying = [deal.trump] if deal.drawer is None else []
    piles = [members(cards) for cards in (*deal.hands, *deal.captured)]
    cards = sorted([*deal.stock, *deal.table, *lying, *(card for pile in piles for card in pile)])
    return [] if cards == sorted(cards_in_play(deal.options, len(deal.hands))) else [f"not the pack: {cards}"]


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=lambda _deal: 40,
    players={},
    variants=[({}, players) for players in (2, 3, 4)],
)
