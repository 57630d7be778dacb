"""What the seat on turn may do: every distinct choice once."""

from services.engine.games.diavoletto.cards import ACE, JOKER, rank
from services.engine.games.diavoletto.choices import DISCARDS, END, FROM_HAND, FROM_PILES
from services.engine.games.diavoletto.state import Deal
from services.engine.games.diavoletto.targets import Targets, descending_room, goals, room
from shared.games.diavoletto import Build, Move


def moves(deal: Deal) -> list[Move]:
    """Return every legal move: from hand, mazzetto and columns to the builds, then what ends the turn."""
    seat = deal.turn
    if seat is None:
        return []
    hand = _distinct(deal.hands[seat])
    builds = _builds(deal, seat, hand)
    return [*builds] if builds and _aces(builds) else [*builds, *_endings(deal, seat, hand)]


def owed_aces(deal: Deal, seat: int) -> list[Build]:
    """Return the plays of Aces without which the turn may not end (rulings D2 and D3); none while there is no room."""
    hand = deal.hands[seat]
    builds = _builds(deal, seat, [hand[0]] if hand and rank(hand[0]) == ACE else [])
    return _aces(builds) if builds else []


def _aces(builds: list[Build]) -> list[Build]:
    """Return the plays that open a new build, which only an Ace does."""
    return [play for play in builds if play.build is None]


def _builds(deal: Deal, seat: int, hand: list[int]) -> list[Build]:
    targets = goals(tuple(map(len, deal.builds)), deal.options.max_piles)
    builds: list[Build] = []
    for card in hand:
        if goal := targets[card >> 2]:
            builds += FROM_HAND[card][goal]
    for moves, pile in zip(FROM_PILES, (deal.mazzetti[seat], *deal.columns[seat]), strict=True):
        if pile:
            card = pile[-1]
            if goal := targets[card >> 2]:
                builds += moves[card][goal]
    return builds


def _endings(deal: Deal, seat: int, hand: list[int]) -> list[Move]:
    if not hand:
        return [END]
    columns = columns_for(deal, seat)
    endings: list[Move] = []
    for card in hand:
        endings += DISCARDS[card][columns[card >> 2]]
    return endings


def columns_for(deal: Deal, seat: int) -> Targets:
    """Return the columns to which the seat may discard each rank, jokers under `joker_discard` included."""
    options, columns = deal.options, deal.columns[seat]
    free = options.discard_order == "free"
    targets = room(tuple(map(bool, columns))) if free else descending_room(columns)
    if options.joker_discard or deal.hands[seat][0] == JOKER:
        return targets
    return (*targets[:-1], 0)


def _distinct(hand: bytes) -> list[int]:
    """Return the first card of each rank in hand."""
    first, last = [], -1
    for card in hand:
        if card >> 2 != last:
            first.append(card)
            last = card >> 2
    return first
