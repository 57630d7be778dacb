"""Describes Highest Card to the tests that are common to all games."""

from locanda.games.highest_card.rules import cards_in_play
from locanda.games.highest_card.types import DealState, Move, Play

from locanda.cards import CODES, members
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.testing.subject import GameSubject

GAME: AnyGame = GAMES["highest_card"]

EVERY_MOVE: list[Move] = [Play(code) for code in CODES]


def conceivable(_deal: DealState) -> list[Move]:
    """Every French card, including those that are not in the pack."""
    return EVERY_MOVE


def lost_cards(deal: DealState) -> list[str]:
    """Yield an error unless each card of the pack lies in at most one place, and all other cards were captured."""
    table = [] if deal.table is None else [deal.table]
    cards = [*deal.stock, *table, *(card for hand in deal.hands for card in members(hand))]
    gone = len(cards_in_play(deal.options)) - len(set(cards)) - sum(deal.captured)
    return [f"{gone} cards gone"] if gone or len(set(cards)) < len(cards) else []


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=lambda deal: 2 * deal.options.cards,
    players={},
    variants=[({}, 2), ({"cards": 10}, 2)],
)
