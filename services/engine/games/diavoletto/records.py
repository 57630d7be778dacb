"""A deal on the wire: codes for cards, and the checks of a deal that somebody posts (rules 9.2)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from services.engine.games.diavoletto.cards import ACE, CARDS, KING, WILD, cards, codes, rank
from services.engine.games.diavoletto.state import COLUMNS, Columns, Deal
from services.engine.games.game import MalformedDealError
from shared.games import diavoletto as wire

COPIES = 2
"""Two packs, two jokers."""


def record(deal: Deal) -> wire.Deal:
    """Return the deal as the wire shows it."""
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


def read(record: wire.Deal) -> Deal:
    """Return the deal of a record, which may be a cut-down position. Raises `MalformedDealError`."""
    for name in ("dealer", "turn"):
        if (getattr(record, name) or 0) >= len(record.hands):
            raise MalformedDealError(f"{name}: no such seat")
    _check_copies(record)
    _check_builds(record)
    hands, mazzetti, columns = record.hands, record.mazzetti, record.columns
    return Deal(
        options=record.options,
        dealer=record.dealer,
        turn=record.turn,
        seed=bytes.fromhex(record.seed),
        shuffles=record.shuffles,
        hands=(bytes(sorted(cards(hands[0]))), bytes(sorted(cards(hands[1])))),
        mazzetti=(cards(mazzetti[0]), cards(mazzetti[1])),
        columns=(_columns(columns[0]), _columns(columns[1])),
        builds=tuple(map(cards, record.builds)),
        aside=cards(record.aside),
        stock=cards(record.stock),
        stalled=record.stalled,
        barren=record.barren,
        moved=record.moved,
        advanced=record.advanced,
        refills=record.refills,
        redeals=record.redeals,
    )


def _columns(columns: Sequence[Sequence[str]]) -> Columns:
    return (*map(cards, columns), *(b"",) * (COLUMNS - len(columns)))


def _check_copies(record: wire.Deal) -> None:
    """Refuse a card that is there more often than the two packs hold it."""
    seen: Counter[str] = Counter()
    for place, pile in _places(record):
        seen.update(pile)
        for code in pile:
            if seen[code] > COPIES:
                raise MalformedDealError(f"{place}: {code} is there more than twice")


def _places(record: wire.Deal) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield every pile with its place."""
    for name in ("hands", "mazzetti", "builds"):
        yield from ((f"{name}[{number}]", pile) for number, pile in enumerate(getattr(record, name)))
    for seat, columns in enumerate(record.columns):
        yield from ((f"columns[{seat}][{number}]", column) for number, column in enumerate(columns))
    yield "aside", record.aside
    yield "stock", record.stock


def _check_builds(record: wire.Deal) -> None:
    """Refuse a build that no play could have made: from an Ace up without a gap, jokers elsewhere, no King yet."""
    for number, build in enumerate(record.builds):
        ranks = [rank(CARDS[code]) for code in build]
        climbs = all(found in (needed, WILD) for needed, found in enumerate(ranks))
        if not climbs or ranks[:1] != [ACE] or len(ranks) > KING:
            raise MalformedDealError(f"builds[{number}]: a build goes from the Ace up, and leaves with the King")
