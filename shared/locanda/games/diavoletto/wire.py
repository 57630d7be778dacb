"""A deal in the wire's form, with codes for cards, and the validation of a posted deal (ruling R9)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import (
    ACE,
    CARDS,
    COLUMNS,
    KING,
    WILD,
    Columns,
    DealState,
    cards,
    codes,
    rank,
)
from locanda.games.game import MalformedDealError

COPIES = 2
"""Two packs, two jokers."""


def to_wire(deal: DealState) -> wire.Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return wire.Deal(
        hands=tuple(map(codes, deal.hands)),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        mazzetti=tuple(map(codes, deal.mazzetti)),
        columns=tuple([tuple(map(codes, columns)) for columns in deal.columns]),
        builds=tuple(map(codes, deal.builds)),
        aside=codes(deal.aside),
        stock=codes(deal.stock),
        stalled=deal.stalled,
        barren=deal.barren,
        moved=deal.moved,
        advanced=deal.advanced,
        refills=deal.refills,
        redeals=deal.redeals,
    )


def from_wire(posted: wire.Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    for name in ("dealer", "turn"):
        if (getattr(posted, name) or 0) >= len(posted.hands):
            raise MalformedDealError(f"{name}: no such seat")
    _check_copies(posted)
    _check_builds(posted)
    hands, mazzetti, columns = posted.hands, posted.mazzetti, posted.columns
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=(bytes(sorted(cards(hands[0]))), bytes(sorted(cards(hands[1])))),
        mazzetti=(cards(mazzetti[0]), cards(mazzetti[1])),
        columns=(_columns(columns[0]), _columns(columns[1])),
        builds=tuple(map(cards, posted.builds)),
        aside=cards(posted.aside),
        stock=cards(posted.stock),
        stalled=posted.stalled,
        barren=posted.barren,
        moved=posted.moved,
        advanced=posted.advanced,
        refills=posted.refills,
        redeals=posted.redeals,
    )


def _columns(columns: Sequence[Sequence[str]]) -> Columns:
    return (*map(cards, columns), *(b"",) * (COLUMNS - len(columns)))


# --- validation of a posted deal


def _check_copies(posted: wire.Deal) -> None:
    """Refuse a card that occurs more often than in the two packs."""
    seen: Counter[str] = Counter()
    for place, pile in _places(posted):
        seen.update(pile)
        for code in pile:
            if seen[code] > COPIES:
                raise MalformedDealError(f"{place}: {code} is there more than twice")


def _places(posted: wire.Deal) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield every pile with its place."""
    for name in ("hands", "mazzetti", "builds"):
        yield from ((f"{name}[{number}]", pile) for number, pile in enumerate(getattr(posted, name)))
    for seat, columns in enumerate(posted.columns):
        yield from ((f"columns[{seat}][{number}]", column) for number, column in enumerate(columns))
    yield "aside", posted.aside
    yield "stock", posted.stock


def _check_builds(posted: wire.Deal) -> None:
    """Refuse a build that no play can make: it goes up from an Ace without a gap, jokers stand in, no King yet."""
    for number, build in enumerate(posted.builds):
        ranks = [rank(CARDS[code]) for code in build]
        climbs = all(found in (needed, WILD) for needed, found in enumerate(ranks))
        if not climbs or ranks[:1] != [ACE] or len(ranks) > KING:
            raise MalformedDealError(f"builds[{number}]: a build goes from the Ace up, and leaves with the King")
