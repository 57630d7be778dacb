"""Paying the tax: cards of choice against cards drawn by chance from the hand as it was dealt (ruling P13)."""

from msgspec import structs

from services.engine.games.game import Shuffle
from services.engine.games.presidente.cards import decoded
from services.engine.games.presidente.state import Deal
from shared.cards import mask, members
from shared.games.presidente import Event, Give, Taxed


def give(deal: Deal, move: Give, shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Swap the chosen cards with as many from the top of the partner's shuffled hand; then the next tax is due.

    Raises `ValueError` where no tax is due.
    """
    if not deal.dues:
        raise ValueError("no tax is due")
    (giver, partner, count), *owed = deal.dues
    given = decoded(move.cards)
    drawn = mask(shuffle(deal.seed, deal.shuffles, tuple(members(deal.hands[partner])))[-count:])
    hands = list(deal.hands)
    hands[giver] ^= given | drawn
    hands[partner] ^= given | drawn
    paid = structs.replace(
        deal,
        hands=tuple(hands),
        turn=owed[0][0] if owed else (deal.dealer + 1) % len(hands),
        shuffles=deal.shuffles + 1,
        dues=tuple(owed),
        known=(*deal.known, (partner, giver, given), (giver, partner, drawn)),
    )
    return paid, [Taxed(giver, partner, count)]
