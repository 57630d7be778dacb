"""A deal on the wire: codes for cards (rules 9.2)."""

from services.engine.games.presidente.cards import CODES, codes, decoded
from services.engine.games.presidente.combinations import Combination, combination
from services.engine.games.presidente.posted import verify
from services.engine.games.presidente.state import Deal, Knowledge
from shared.cards import mask, members
from shared.games import presidente as wire


def record(deal: Deal) -> wire.Deal:
    """Return the deal as the wire shows it."""
    return wire.Deal(
        hands=tuple(codes(hand) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        shown=codes(deal.shown),
        table=on_table(deal.table),
        last=deal.last,
        passes=deal.passes,
        inverted=deal.inverted,
        out=deal.out,
        phase=phase(deal),
        dues=deal.dues,
        known=tuple(known(fact) for fact in deal.known),
        gone=codes(deal.gone),
        sitting_out=tuple(members(deal.sitting_out)),
    )


def on_table(top: Combination | None) -> wire.Combination | None:
    """Return the combination on the table as the wire shows it."""
    if top is None:
        return None
    return wire.Combination(top.codes, None if top.joker is None else CODES[top.joker])


def off_table(top: wire.Combination | None) -> Combination | None:
    """Return the combination that the wire shows on the table."""
    return None if top is None else combination(wire.Play(top.cards, top.joker))


def known(fact: Knowledge) -> wire.Known:
    """Return a piece of knowledge as the wire shows it."""
    seat, by, cards = fact
    return wire.Known(seat, by, codes(cards))


def learnt(fact: wire.Known) -> Knowledge:
    """Return a piece of knowledge that the wire shows."""
    return fact.seat, fact.by, decoded(fact.cards)


def phase(deal: Deal) -> wire.Phase:
    """Tell whether a tax is still to be paid."""
    return "tax" if deal.dues else "play"


def read(record: wire.Deal) -> Deal:
    """Return the deal of a record, which may be a cut-down position. Raises `MalformedDealError`."""
    verify(record)
    return Deal(
        options=record.options,
        dealer=record.dealer,
        turn=record.turn,
        seed=bytes.fromhex(record.seed),
        shuffles=record.shuffles,
        hands=tuple(map(decoded, record.hands)),
        shown=decoded(record.shown),
        table=off_table(record.table),
        last=_last(record),
        passes=record.passes,
        inverted=record.inverted,
        out=record.out,
        dues=record.dues,
        known=tuple(map(learnt, record.known)),
        gone=decoded(record.gone),
        sitting_out=mask(record.sitting_out),
    )


def _last(record: wire.Deal) -> int | None:
    """Return who played last; where the record does not say, count the passes back from the turn."""
    if record.last is not None or record.table is None or record.turn is None:
        return record.last
    players = len(record.hands)
    before = [(record.turn - step) % players for step in range(1, players + 1)]
    holding = [seat for seat in before if record.hands[seat]]
    return holding[record.passes % len(holding)]
