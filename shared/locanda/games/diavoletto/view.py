"""What a view shows of a mazzetto, random deals that agree with a view (ruling D21), and what a posted deal must be."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import structs

from locanda.games.conversions import Shown, restored
from locanda.games.diavoletto.deal import ACE, CODES, COLUMNS, JOKER, KING, WILD, cards, cards_in_play, rank
from locanda.games.diavoletto.types import Columns, DealState, Mazzetto, View
from locanda.games.game import MalformedDealError


def _mazzetti(deal: DealState, _seat: int | None) -> tuple[Mazzetto, ...]:
    return tuple([Mazzetto(CODES[pile[-1]] if pile else None, len(pile)) for pile in deal.mazzetti])


SHOWN: Shown = {"mazzetti": _mazzetti}


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    unseen = _unseen(view)
    rng.shuffle(unseen)
    first, second = _hidden_mazzetti(view, unseen)
    rng.shuffle(unseen)
    hands = tuple(cards(view.hand or ()) if seat == view.seat else _dealt(unseen, view.counts[seat]) for seat in (0, 1))
    stock = bytes(unseen[: view.stock_count])
    return restored(DealState, view, seed=rng.randbytes(32), hands=hands, mazzetti=(first, second), stock=stock)


def _tops(view: View) -> bytes:
    return cards(each.top for each in view.mazzetti if each.top)


def _unseen(view: View) -> list[int]:
    """Return the cards of both packs that the view does not show."""
    columns = [column for columns in view.columns for column in columns]
    seen = b"".join(map(cards, (view.hand or (), view.aside, *view.builds, *columns)))
    return list((Counter(cards_in_play(view.options, 2)) - Counter(seen + _tops(view))).elements())


def _hidden_mazzetti(view: View, unseen: list[int]) -> Iterator[bytes]:
    """Take the hidden cards of both mazzetti from the unseen: no joker, and no card twice, since they are one pack."""
    known = set(_tops(view))
    likely: list[int] = []
    unlikely: list[int] = []
    for card in unseen:
        (unlikely if card == JOKER or card in known else likely).append(card)
        known.add(card)
    unseen[:] = [*sorted(unlikely, reverse=True), *likely]
    for each in view.mazzetti:
        under = bytes([unseen.pop() for _ in range(each.count - (each.top is not None))])
        yield under + cards((each.top,) if each.top else ())


def _dealt(unseen: list[int], count: int) -> bytes:
    return bytes(sorted(unseen.pop() for _ in range(count)))


# --- posted deals


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal with hands in order and four columns each.

    Raises `MalformedDealError` for a build that no play can make: it goes up from an Ace without a gap, jokers stand
    in, no King yet.
    """
    for number, build in enumerate(deal.builds):
        ranks = list(map(rank, build))
        climbs = all(found in (needed, WILD) for needed, found in enumerate(ranks))
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
