"""A deal in the wire's form, with codes for cards, and the validation of a posted deal (ruling R9)."""

from locanda.cards import mask, members
from locanda.games.game import MalformedDealError
from locanda.games.presidente import types as wire
from locanda.games.presidente.deal import (
    CODES,
    DealState,
    Knowledge,
    RankedCombination,
    codes,
    combination,
    decoded,
    pack,
)


def to_wire(deal: DealState) -> wire.Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return wire.Deal(
        hands=tuple(codes(hand) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        shown=codes(deal.shown),
        table=combination_to_wire(deal.table),
        last=deal.last,
        passes=deal.passes,
        inverted=deal.inverted,
        out=deal.out,
        phase=phase(deal),
        dues=deal.dues,
        known=tuple(knowledge_to_wire(fact) for fact in deal.known),
        gone=codes(deal.gone),
        sitting_out=tuple(members(deal.sitting_out)),
    )


def combination_to_wire(top: RankedCombination | None) -> wire.Combination | None:
    """Return the combination on the table as the wire shows it."""
    if top is None:
        return None
    return wire.Combination(top.codes, None if top.joker is None else CODES[top.joker])


def combination_from_wire(top: wire.Combination | None) -> RankedCombination | None:
    """Return the combination on the table from the wire."""
    return None if top is None else combination(wire.Play(top.cards, top.joker))


def knowledge_to_wire(fact: Knowledge) -> wire.Known:
    """Return known cards of the tax as the wire shows them."""
    seat, by, cards = fact
    return wire.Known(seat, by, codes(cards))


def knowledge_from_wire(fact: wire.Known) -> Knowledge:
    """Return known cards of the tax from the wire."""
    return fact.seat, fact.by, decoded(fact.cards)


def phase(deal: DealState) -> wire.Phase:
    """Return the wire's `phase`: whether a tax is still to be paid."""
    return "tax" if deal.dues else "play"


def from_wire(posted: wire.Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    _validate(posted)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(map(decoded, posted.hands)),
        shown=decoded(posted.shown),
        table=combination_from_wire(posted.table),
        last=_last(posted),
        passes=posted.passes,
        inverted=posted.inverted,
        out=posted.out,
        dues=posted.dues,
        known=tuple(map(knowledge_from_wire, posted.known)),
        gone=decoded(posted.gone),
        sitting_out=mask(posted.sitting_out),
    )


def _last(posted: wire.Deal) -> int | None:
    """Return who played last. If a posted deal leaves it out, count the passes back from the turn."""
    if posted.last is not None or posted.table is None or posted.turn is None:
        return posted.last
    players = len(posted.hands)
    before = [(posted.turn - step) % players for step in range(1, players + 1)]
    holding = [seat for seat in before if posted.hands[seat]]
    return holding[posted.passes % len(holding)]


# --- validation of a posted deal


def _validate(posted: wire.Deal) -> None:
    """Refuse a deal that contradicts itself. Raises `MalformedDealError`, which names the field."""
    _check_seats(posted)
    _check_cards(posted)
    _check_table(posted)
    _check_out(posted)
    _check_tax(posted)
    _check_known(posted)


def _require(condition: bool, message: str) -> None:  # noqa: FBT001  (used like `assert`)
    if not condition:
        raise MalformedDealError(message)


def _check_seats(posted: wire.Deal) -> None:
    players = len(posted.hands)
    for name in ("dealer", "turn", "last"):
        _require((getattr(posted, name) or 0) < players, f"{name}: no such seat")
    for name in ("out", "sitting_out"):
        _require(all(seat < players for seat in getattr(posted, name)), f"{name}: no such seat")
    _require(posted.options.pass_lock or not posted.sitting_out, "sitting_out: only with pass_lock")


def _check_cards(posted: wire.Deal) -> None:
    """Refuse a card that is not in the pack, or occurs twice."""
    left = {CODES[card] for card in pack(joker=posted.options.joker)}
    piles = {f"hands[{seat}]": hand for seat, hand in enumerate(posted.hands)}
    piles |= {"shown": posted.shown, "table": posted.table.cards if posted.table else (), "gone": posted.gone}
    for place, pile in piles.items():
        for code in pile:
            _require(code in left, f"{place}: {code} is not in the pack, or is there twice")
            left.remove(code)


def _check_table(posted: wire.Deal) -> None:
    if posted.table is not None:
        found = combination(wire.Play(posted.table.cards, posted.table.joker))
        _require(found is not None, "table: not a combination, or the joker stands for no card that makes it one")


def _check_out(posted: wire.Deal) -> None:
    _require(len(set(posted.out)) == len(posted.out), "out: a seat goes out but once")
    _require(not any(posted.hands[seat] for seat in posted.out), "out: who is out holds no cards")
    if posted.turn is None:
        _require(bool(posted.out), "out: a deal is over when somebody has gone out")
    else:
        _require(bool(posted.hands[posted.turn]), "turn: who is on turn holds cards")


def _check_tax(posted: wire.Deal) -> None:
    if posted.phase is not None:
        _require((posted.phase == "tax") == bool(posted.dues), "phase: `tax` as long as there are dues, then `play`")
    if not posted.dues:
        return
    _require(posted.turn == posted.dues[0][0], "turn: the first giver of the dues is on turn")
    _require(posted.table is None, "table: nothing is played before the tax is paid")
    for giver, partner, count in posted.dues:
        paying = {giver, partner}
        _require(len(paying) == 2 and max(paying) < len(posted.hands), "dues: each between two seats")
        _require(all(len(posted.hands[seat]) >= count for seat in paying), "dues: not enough cards to give")


def _check_known(posted: wire.Deal) -> None:
    for fact in posted.known:
        _require(fact.seat != fact.by and max(fact.seat, fact.by) < len(posted.hands), "known: between two seats")
        _require(
            bool(fact.cards) and set(fact.cards) <= set(posted.hands[fact.seat]), "known: cards of the seat's hand"
        )
