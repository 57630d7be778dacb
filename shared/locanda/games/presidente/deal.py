"""Presidente's cards and combinations, the start of a deal, views, and checks of submitted deals.

A card is ``rank * 4 + suit``, Ace low, hearts first, the joker last, so that the cards of one rank are neighbours in a
bit set. Hands and other sets of cards are bit sets. With the joker there are 2,314 combinations, and each can be played
by one canonical move. A joker counts as the card that it stands for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations as subsets
from random import Random
from typing import Any

from msgspec import structs

from locanda.cards import CODES_BY_RANK, RANKS, mask
from locanda.games.conversions import Held, Shown, filled, restored, unseen_cards
from locanda.games.dealing import deal_out
from locanda.games.game import MalformedDealError, Ranking, Shuffle
from locanda.games.presidente.types import (
    BITS,
    CARD_SET,
    CARDS,
    JOKER,
    KINDS,
    KNOWLEDGE,
    SINGLE,
    STRAIGHT,
    WILD,
    DealState,
    Due,
    Known,
    Options,
    Phase,
    Play,
    RankedCombination,
    View,
)

# --- cards

CODES = CODES_BY_RANK
NATURAL = (1 << JOKER) - 1
"""Bit set of all cards except the joker."""


@lru_cache(maxsize=64)
def cards_in_play(options: Options, _players: int = 0) -> range:
    """Return the cards in play: 52, or 53 with the joker."""
    return range(JOKER + 1 if options.joker else JOKER)


codes, decoded = CARD_SET.to_wire, CARD_SET.from_wire
"""Convert a bit set to card codes by rank and suit, joker last, and back."""


# --- combinations

SHORTEST = 3
"""Number of cards of the shortest straight."""


def _all() -> Iterator[RankedCombination]:
    for rank in range(len(RANKS)):
        yield from _sets(rank)
    yield RankedCombination(SINGLE, 1, WILD, 1 << JOKER)
    for size in range(SHORTEST, len(RANKS) + 1):
        for low in range(len(RANKS) - size + 1):
            for suit in range(BITS):
                yield from _straights(suit, low, size)


def _sets(rank: int) -> Iterator[RankedCombination]:
    """Yield the single cards and the sets of a rank, including sets in which the joker is one of the cards."""
    cards = range(rank * BITS, (rank + 1) * BITS)
    for size in range(1, BITS + 1):
        for chosen in subsets(cards, size):
            yield RankedCombination(KINDS[size - 1], size, rank, mask(chosen))
        for chosen in subsets(cards, size - 1) if size > 1 else ():
            yield RankedCombination(KINDS[size - 1], size, rank, mask(chosen) | 1 << JOKER)


def _straights(suit: int, low: int, size: int) -> Iterator[RankedCombination]:
    """Yield a straight, then the same straight with the joker in each place."""
    high = low + size - 1
    places = [rank * BITS + suit for rank in range(low, high + 1)]
    cards = mask(places)
    yield RankedCombination(STRAIGHT, size, high, cards)
    for place in places:
        yield RankedCombination(STRAIGHT, size, high, cards & ~(1 << place) | 1 << JOKER, place)


ALL: tuple[RankedCombination, ...] = tuple(_all())

PLAYS: dict[RankedCombination, Play] = {combination: combination.play for combination in ALL}

_BY_PLAY: dict[Play, RankedCombination] = {play: combination for combination, play in PLAYS.items()}


def _by_cards() -> dict[int, tuple[RankedCombination, ...]]:
    readings: dict[int, tuple[RankedCombination, ...]] = {}
    for combination in ALL:
        readings[combination.cards] = (*readings.get(combination.cards, ()), combination)
    return readings


READINGS: dict[int, tuple[RankedCombination, ...]] = _by_cards()
"""Combinations by their set of cards. A set has several combinations if a joker fits at either end of a straight."""


def combination(play: Play) -> RankedCombination | None:
    """Return the combination of a move's cards, in any order; None if they are no combination."""
    known = _BY_PLAY.get(play)
    if known is not None or len(set(play.cards)) < len(play.cards):
        return known
    joker = None if play.joker is None else CARDS[play.joker]
    readings = READINGS.get(decoded(play.cards), ())
    return next((reading for reading in readings if reading.joker == joker), None)


# --- the start of a deal

PLAYERS = range(2, 6)
SUGGESTED = range(3, 6)


def hand_size(players: int) -> int:
    """Return how many cards each player gets."""
    return 10 if players == 5 else 13


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, previous: Ranking | None
) -> DealState:
    """Deal one card at a time from the seat after the dealer. A seat that chooses cards for a tax acts first."""
    stock = shuffle(seed, 0, cards_in_play(options))
    hands = deal_out(stock, players, dealer, hand_size(players))
    owed = dues([seat for place in previous or () for seat in place], players) if options.tax else ()
    return DealState(
        options=options,
        dealer=dealer,
        turn=owed[0][0] if owed else (dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(map(mask, hands)),
        shown=mask(stock),
        dues=owed,
    )


def dues(places: Sequence[int], players: int) -> tuple[Due, ...]:
    """Return the taxes due after a deal with these places; none if the number of players changed (rulings P14, P15)."""
    if len(places) != players:
        return ()
    second = ((places[1], places[-2], 1),) if players > 3 else ()
    return ((places[0], places[-1], 2), *second)


# --- views: each seat sees only the tax that concerns it (ruling P25)


def phase(deal: DealState) -> Phase:
    """Return the phase of the deal: `tax` until all taxes are paid, then `play`."""
    return "tax" if deal.dues else "play"


def _leftovers(deal: DealState) -> tuple[str, ...]:
    return codes(deal.shown) if deal.options.leftovers == "shown" or deal.turn is None else ()


def _known_to(deal: DealState, seat: int | None) -> tuple[Known, ...]:
    return tuple([KNOWLEDGE.to_wire(fact) for fact in deal.known if seat in fact[:2]])


SHOWN: Shown = {
    "stock_count": lambda deal, _: deal.shown.bit_count(),
    "shown": lambda deal, _: _leftovers(deal),
    "phase": lambda deal, _: phase(deal),
    "known": _known_to,
}


def known_cards(view: View) -> Held:
    """Return the known cards of each hand: the viewer's own, and others' cards that the viewer knows from the tax."""
    hands: list[tuple[str, ...]] = [()] * len(view.counts)
    for fact in view.known:
        hands[fact.seat] += fact.cards
    if view.seat is not None and view.hand is not None:
        hands[view.seat] = view.hand
    return hands


def determinize(view: View, rng: Random) -> DealState:
    """Return a complete deal that agrees with the view; unseen cards are placed at random."""
    held = known_cards(view)
    unseen = unseen_cards(DealState, view, cards_in_play(view.options), held)
    rng.shuffle(unseen)
    seed, hands = rng.randbytes(32), filled(DealState, view, unseen, held)
    shown = decoded(view.shown) | mask(unseen[: view.stock_count - len(view.shown)])
    return restored(DealState, view, seed=seed, hands=hands, shown=shown)


# --- submitted deals


def checked(deal: DealState, wire_deal: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a submitted deal with `last`, the seat that played last. If missing, `last` is counted back from `turn`.

    Raises `MalformedDealError` if the deal contradicts itself.
    """
    _require(deal.options.pass_lock or not deal.sitting_out, "sitting_out: only with pass_lock")
    _check_table(deal)
    _check_out(deal)
    _check_tax(deal, wire_deal.phase)
    _check_known(deal)
    if deal.last is not None or deal.table is None or deal.turn is None:
        return deal
    players = len(deal.hands)
    before = [(deal.turn - step) % players for step in range(1, players + 1)]
    holding = [seat for seat in before if deal.hands[seat]]
    return structs.replace(deal, last=holding[deal.passes % len(holding)])


def _require(condition: bool, message: str) -> None:  # noqa: FBT001  (used like `assert`)
    if not condition:
        raise MalformedDealError(message)


def _check_table(deal: DealState) -> None:
    if deal.table is not None:
        readable = deal.table in READINGS.get(deal.table.cards, ())
        _require(readable, "table: not a combination, or the joker stands for no card that makes it one")


def _check_out(deal: DealState) -> None:
    _require(len(set(deal.out)) == len(deal.out), "out: a seat goes out but once")
    _require(not any(deal.hands[seat] for seat in deal.out), "out: who is out holds no cards")
    if deal.turn is None:
        _require(bool(deal.out), "out: a deal is over when somebody has gone out")
    else:
        _require(bool(deal.hands[deal.turn]), "turn: who is on turn holds cards")


def _check_tax(deal: DealState, posted_phase: Phase | None) -> None:
    if posted_phase is not None:
        _require(posted_phase == phase(deal), "phase: `tax` as long as there are dues, then `play`")
    if not deal.dues:
        return
    _require(deal.turn == deal.dues[0][0], "turn: the first giver of the dues is on turn")
    _require(deal.table is None, "table: nothing is played before the tax is paid")
    for giver, partner, count in deal.dues:
        paying = {giver, partner}
        _require(len(paying) == 2 and max(paying) < len(deal.hands), "dues: each between two seats")
        _require(all(deal.hands[seat].bit_count() >= count for seat in paying), "dues: not enough cards to give")


def _check_known(deal: DealState) -> None:
    for seat, by, cards in deal.known:
        _require(seat != by and max(seat, by) < len(deal.hands), "known: between two seats")
        _require(bool(cards) and not cards & ~deal.hands[seat], "known: cards of the seat's hand")
