"""Diavoletto's cards: the start of a deal, refills of the stock, views, and checks of submitted deals.

Cards are numbered by rank, then suit. A pile is a byte string, bottom card first. A hand is a byte string in ascending
order, jokers last.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, TypeVar

from msgspec import structs

from locanda.cards import CODES_BY_RANK
from locanda.games.conversions import Shown, restored
from locanda.games.diavoletto.types import Columns, DealState, Drew, Event, Mazzetto, Options, Recycled, Redealt, View
from locanda.games.forms import FRENCH_BY_RANK
from locanda.games.game import MalformedDealError, Ranking, Shuffle

# --- cards

CODES = CODES_BY_RANK
CARDS = FRENCH_BY_RANK.numbers
JOKER = CARDS["*"]

PACK = bytes(range(JOKER))
"""A French pack of 52 cards, from the Aces to the Kings."""

ACE, KING, WILD = 0, 12, 13
"""Ranks; jokers have the rank `WILD`."""

SINGLE: tuple[bytes, ...] = tuple(bytes((card,)) for card in range(len(CODES)))
"""Each card as a pile of one card."""


def rank(card: int) -> int:
    """Return the rank of a card: 0 for an Ace to 12 for a King, 13 for a joker."""
    return card >> 2


codes, cards = FRENCH_BY_RANK.pile.to_wire, FRENCH_BY_RANK.pile.from_wire
"""Convert a pile to the codes of its cards, in the same order, and back."""

# --- piles

HAND = 5
COLUMNS = 4
MOST_BUILDS = 8
"""Maximum number of builds: an Ace opens a build, and there are eight Aces."""

T = TypeVar("T")


def with_seat(both: tuple[T, T], seat: int, new: T) -> tuple[T, T]:
    """Return a pair of values by seat, with one seat's value replaced."""
    return (both[0], new) if seat else (new, both[1])


# --- the start of a deal

PLAYERS = range(2, 3)

SECOND_PACK = PACK + bytes((JOKER, JOKER))


def cards_in_play(_options: Options, _players: int) -> bytes:
    """Return two packs with two jokers in all."""
    return PACK + SECOND_PACK


def deal(
    options: Options, _players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal the cards.

    Shuffle 0 is the pack of the mazzetti, shuffle 1 the stock. Later shuffles decide who starts if the mazzetti tie.
    """
    size, pack = options.mazzetto_size, bytes(shuffle(seed, 0, PACK))
    stock = bytes(shuffle(seed, 1, SECOND_PACK + pack[2 * size :]))
    mazzetti, starter, shuffles = _open((pack[:size], pack[size : 2 * size]), options, seed, shuffle)
    dealt = DealState(
        options=options,
        dealer=dealer,
        turn=starter,
        seed=seed,
        shuffles=shuffles,
        hands=(b"", b""),
        mazzetti=mazzetti,
        columns=((b"",) * COLUMNS, (b"",) * COLUMNS),
        stock=stock,
    )
    return draw(dealt, starter, [], shuffle)


def _open(
    mazzetti: tuple[bytes, bytes], options: Options, seed: bytes, shuffle: Shuffle
) -> tuple[tuple[bytes, bytes], int, int]:
    """Return the mazzetti, the seat that starts, and the number of shuffles so far. A tie is broken (ruling D4)."""
    shuffles = 2
    while (first := starter(*mazzetti)) is None:
        if options.start_tie == "random":
            return mazzetti, shuffle(seed, shuffles, (0, 1))[0], shuffles + 1
        mazzetti = (bytes(shuffle(seed, shuffles, mazzetti[0])), bytes(shuffle(seed, shuffles + 1, mazzetti[1])))
        shuffles += 2
    return mazzetti, first, shuffles


def starter(first: bytes, second: bytes) -> int | None:
    """Return the seat whose mazzetto has the higher top card, Ace low (ruling D19); None if the ranks are equal."""
    ours, theirs = rank(first[-1]), rank(second[-1])
    return None if ours == theirs else int(theirs > ours)


# --- the stock


def draw(deal: DealState, seat: int, events: list[Event], shuffle: Shuffle) -> DealState:
    """Start a seat's turn: draw up to five cards. If the stock is too short, first recycle the cards set aside."""
    hand = deal.hands[seat]
    wanted = HAND - len(hand)
    if len(deal.stock) < wanted and deal.aside:
        deal = _recycle(deal, events, shuffle)
    left = max(len(deal.stock) - wanted, 0)
    drawn = deal.stock[left:]
    if not drawn:
        return structs.replace(deal, turn=seat)
    events.append(Drew(seat, len(drawn), left))
    filled = bytes(sorted(hand + drawn))
    return structs.replace(deal, turn=seat, hands=with_seat(deal.hands, seat, filled), stock=deal.stock[:left])


def _recycle(deal: DealState, events: list[Event], shuffle: Shuffle) -> DealState:
    """Shuffle the cards set aside, sorted first so that their order reveals nothing, under the stock."""
    stock = bytes(shuffle(deal.seed, deal.shuffles, sorted(deal.aside))) + deal.stock
    events.append(Recycled(len(stock)))
    return structs.replace(deal, stock=stock, aside=b"", shuffles=deal.shuffles + 1)


def redeal(deal: DealState, events: list[Event], shuffle: Shuffle) -> DealState:
    """Shuffle all cards except the mazzetti into a new stock, and reset all counters (option `deadlock: redeal`)."""
    columns = deal.columns[0] + deal.columns[1]
    cards = sorted(b"".join((deal.stock, deal.aside, *deal.hands, *columns, *deal.builds)))
    events.append(Redealt(len(cards)))
    return structs.replace(
        deal,
        stock=bytes(shuffle(deal.seed, deal.shuffles, cards)),
        aside=b"",
        hands=(b"", b""),
        columns=((b"",) * COLUMNS, (b"",) * COLUMNS),
        builds=(),
        shuffles=deal.shuffles + 1,
        redeals=deal.redeals + 1,
        stalled=0,
        barren=0,
        moved=False,
        advanced=False,
        refills=0,
    )


# --- views, and random deals that agree with a view (ruling D21)


def _mazzetti(deal: DealState, _seat: int | None) -> tuple[Mazzetto, ...]:
    return tuple([Mazzetto(CODES[pile[-1]] if pile else None, len(pile)) for pile in deal.mazzetti])


SHOWN: Shown = {"mazzetti": _mazzetti}


def determinize(view: View, rng: Random) -> DealState:
    """Return a complete deal that agrees with the view; unseen cards are placed at random."""
    unseen = _unseen(view)
    rng.shuffle(unseen)
    first, second = _hidden_mazzetti(view, unseen)
    rng.shuffle(unseen)
    hands = tuple(cards(view.hand or ()) if seat == view.seat else _dealt(unseen, view.counts[seat]) for seat in (0, 1))
    stock = bytes(unseen[: view.stock_count])
    return restored(DealState, view, seed=rng.randbytes(32), hands=hands, mazzetti=(first, second), stock=stock)


def _tops(view: View) -> bytes:
    return cards(mazzetto.top for mazzetto in view.mazzetti if mazzetto.top)


def _unseen(view: View) -> list[int]:
    """Return the cards of both packs that the view does not show."""
    columns = [column for columns in view.columns for column in columns]
    seen = b"".join(map(cards, (view.hand or (), view.aside, *view.builds, *columns)))
    return list((Counter(cards_in_play(view.options, 2)) - Counter(seen + _tops(view))).elements())


def _hidden_mazzetti(view: View, unseen: list[int]) -> Iterator[bytes]:
    """Take the hidden cards of the mazzetti from the unseen cards.

    These cards come from one pack, so they include no joker, and no card twice.
    """
    known = set(_tops(view))
    likely: list[int] = []
    unlikely: list[int] = []
    for card in unseen:
        (unlikely if card == JOKER or card in known else likely).append(card)
        known.add(card)
    unseen[:] = [*sorted(unlikely, reverse=True), *likely]
    for mazzetto in view.mazzetti:
        under = bytes([unseen.pop() for _ in range(mazzetto.count - (mazzetto.top is not None))])
        yield under + cards((mazzetto.top,) if mazzetto.top else ())


def _dealt(unseen: list[int], count: int) -> bytes:
    return bytes(sorted(unseen.pop() for _ in range(count)))


# --- submitted deals


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a submitted deal with sorted hands and with four columns for each seat.

    Raises `MalformedDealError` for an impossible build. A build has one card of each rank from the Ace upwards, or a
    joker instead, and no King, because the King completes it.
    """
    for number, build in enumerate(deal.builds):
        ranks = list(map(rank, build))
        climbs = all(rank in (needed, WILD) for needed, rank in enumerate(ranks))
        if not climbs or ranks[:1] != [ACE] or len(ranks) > KING:
            raise MalformedDealError(f"builds[{number}]: a build goes from the Ace up, and leaves with the King")
    first, second = deal.hands
    return structs.replace(
        deal,
        hands=(bytes(sorted(first)), bytes(sorted(second))),
        columns=(_filled_up(deal.columns[0]), _filled_up(deal.columns[1])),
    )


def _filled_up(columns: Columns) -> Columns:
    return (*columns, *(b"",) * (COLUMNS - len(columns)))
