"""What a view of a deal shows besides its fields, random deals that agree with one, and what a posted deal must be.

Of the tax, everybody sees only what concerns them (ruling P25).
"""

from random import Random
from typing import Any

from msgspec import structs

from locanda.cards import mask
from locanda.games.conversions import Held, Shown, filled, restored, unseen_cards
from locanda.games.game import MalformedDealError
from locanda.games.presidente.deal import READINGS, cards_in_play, codes, decoded
from locanda.games.presidente.types import KNOWLEDGE, DealState, Known, Phase, View


def phase(deal: DealState) -> Phase:
    """Return whether a tax is still to be paid."""
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
    """Return by seat the cards that the viewer knows: their own hand, and others' cards that they know by the tax."""
    hands: list[tuple[str, ...]] = [()] * len(view.counts)
    for fact in view.known:
        hands[fact.seat] += fact.cards
    if view.seat is not None and view.hand is not None:
        hands[view.seat] = view.hand
    return hands


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    held = known_cards(view)
    unseen = unseen_cards(DealState, view, cards_in_play(view.options), held)
    rng.shuffle(unseen)
    seed, hands = rng.randbytes(32), filled(DealState, view, unseen, held)
    shown = decoded(view.shown) | mask(unseen[: view.stock_count - len(view.shown)])
    return restored(DealState, view, seed=seed, hands=hands, shown=shown)


# --- posted deals


def checked(deal: DealState, posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal with who played last; if it leaves that out, count the passes back from the turn.

    Raises `MalformedDealError` where it contradicts itself.
    """
    _require(deal.options.pass_lock or not deal.sitting_out, "sitting_out: only with pass_lock")
    _check_table(deal)
    _check_out(deal)
    _check_tax(deal, posted.phase)
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
        found = deal.table in READINGS.get(deal.table.cards, ())
        _require(found, "table: not a combination, or the joker stands for no card that makes it one")


def _check_out(deal: DealState) -> None:
    _require(len(set(deal.out)) == len(deal.out), "out: a seat goes out but once")
    _require(not any(deal.hands[seat] for seat in deal.out), "out: who is out holds no cards")
    if deal.turn is None:
        _require(bool(deal.out), "out: a deal is over when somebody has gone out")
    else:
        _require(bool(deal.hands[deal.turn]), "turn: who is on turn holds cards")


def _check_tax(deal: DealState, posted: Phase | None) -> None:
    if posted is not None:
        _require(posted == phase(deal), "phase: `tax` as long as there are dues, then `play`")
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
