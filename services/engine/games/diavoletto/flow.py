"""How a deal goes on: what follows on a card, refills, the end of a turn, and the end of the deal."""

from msgspec import structs

from services.engine.games.diavoletto.cards import CODES
from services.engine.games.diavoletto.laying import build, discard
from services.engine.games.diavoletto.score import score
from services.engine.games.diavoletto.state import Deal
from services.engine.games.diavoletto.stock import draw, redeal
from services.engine.games.game import Shuffle
from shared.games.base import DealOver
from shared.games.diavoletto import Build, Discard, Ended, Event, Exposed, Move

STALLED = 2
"""So many turns in a row without a card moved, one of each seat, and the game is stuck."""

MOST_REDEALS = 2


def play(deal: Deal, move: Move, shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Return the next deal and what happened, after a move that `check` admits."""
    seat = deal.turn
    if seat is None:
        raise ValueError("the deal is over")
    if isinstance(move, Build):
        return _build(deal, seat, move, shuffle)
    if isinstance(move, Discard):
        discarded, events = discard(deal, seat, move)
        return _end_turn(discarded, seat, events, shuffle)
    return _end_turn(deal, seat, [Ended(seat)], shuffle)


def _build(deal: Deal, seat: int, move: Build, shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    built, events = build(deal, seat, move)
    if move.source == "mazzetto":
        return _expose(built, seat, events)
    if move.source == "hand" and not built.hands[seat] and (built.stock or built.aside):
        return _refill(built, seat, events, shuffle)
    return built, events


def _expose(deal: Deal, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Turn up the next card of a mazzetto, or end the deal with its last one."""
    mazzetto = deal.mazzetti[seat]
    if not mazzetto:
        return _over(deal, events)
    events.append(Exposed(seat, CODES[mazzetto[-1]]))
    return deal, events


def _refill(deal: Deal, seat: int, events: list[Event], shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Draw a new hand in mid-turn (ruling D9). It counts as a turn without progress, so that no turn is endless."""
    refilled = structs.replace(deal, refills=deal.refills + 1)
    if _idle(refilled) >= deal.options.no_progress_turns:
        return _deadlock(refilled, seat, events, shuffle)
    return draw(refilled, seat, events, shuffle), events


def _idle(deal: Deal) -> int:
    """Return the turns and refills since the last mazzetto card, without the turn under way."""
    return deal.refills + (0 if deal.advanced else deal.barren)


def _end_turn(deal: Deal, seat: int, events: list[Event], shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Give the turn to the other seat, unless too many turns have gone by without a card moved, or without progress."""
    ended = structs.replace(
        deal,
        stalled=0 if deal.moved else deal.stalled + 1,
        barren=_idle(deal) + (not deal.advanced),
        moved=False,
        advanced=False,
        refills=0,
    )
    if ended.stalled >= STALLED or ended.barren >= deal.options.no_progress_turns:
        return _deadlock(ended, seat, events, shuffle)
    return draw(ended, 1 - seat, events, shuffle), events


def _deadlock(deal: Deal, seat: int, events: list[Event], shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """End the deal, or bring new cards (ruling D12); a turn under way ends in either case."""
    if deal.options.deadlock == "redeal" and deal.redeals < MOST_REDEALS:
        return draw(redeal(deal, events, shuffle), 1 - seat, events, shuffle), events
    return _over(deal, events)


def _over(deal: Deal, events: list[Event]) -> tuple[Deal, list[Event]]:
    over = structs.replace(deal, turn=None)
    events.append(DealOver(score(over)))
    return over, events
