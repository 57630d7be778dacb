"""The checks of a deal that somebody posts: is it one that this game could have (rules 9.2)?"""

from services.engine.games.game import MalformedDealError
from services.engine.games.presidente.cards import CODES, pack
from services.engine.games.presidente.combinations import combination
from shared.games.presidente import Deal, Play


def verify(deal: Deal) -> None:
    """Refuse a deal that contradicts itself. Raises `MalformedDealError`, which names the field."""
    _check_seats(deal)
    _check_cards(deal)
    _check_table(deal)
    _check_out(deal)
    _check_tax(deal)
    _check_known(deal)


def _demand(condition: bool, message: str) -> None:  # noqa: FBT001  (it reads like an assertion)
    if not condition:
        raise MalformedDealError(message)


def _check_seats(deal: Deal) -> None:
    players = len(deal.hands)
    for name in ("dealer", "turn", "last"):
        _demand((getattr(deal, name) or 0) < players, f"{name}: no such seat")
    for name in ("out", "sitting_out"):
        _demand(all(seat < players for seat in getattr(deal, name)), f"{name}: no such seat")
    _demand(deal.options.pass_lock or not deal.sitting_out, "sitting_out: only with pass_lock")


def _check_cards(deal: Deal) -> None:
    """Refuse a card that the pack does not hold, or holds but once."""
    left = {CODES[card] for card in pack(joker=deal.options.joker)}
    piles = {f"hands[{seat}]": hand for seat, hand in enumerate(deal.hands)}
    piles |= {"shown": deal.shown, "table": deal.table.cards if deal.table else (), "gone": deal.gone}
    for place, pile in piles.items():
        for code in pile:
            _demand(code in left, f"{place}: {code} is not in the pack, or is there twice")
            left.remove(code)


def _check_table(deal: Deal) -> None:
    if deal.table is not None:
        found = combination(Play(deal.table.cards, deal.table.joker))
        _demand(found is not None, "table: not a combination, or the joker stands for no card that makes it one")


def _check_out(deal: Deal) -> None:
    _demand(len(set(deal.out)) == len(deal.out), "out: a seat goes out but once")
    _demand(not any(deal.hands[seat] for seat in deal.out), "out: who is out holds no cards")
    if deal.turn is None:
        _demand(bool(deal.out), "out: a deal is over when somebody has gone out")
    else:
        _demand(bool(deal.hands[deal.turn]), "turn: who is on turn holds cards")


def _check_tax(deal: Deal) -> None:
    if deal.phase is not None:
        _demand((deal.phase == "tax") == bool(deal.dues), "phase: `tax` as long as there are dues, then `play`")
    if not deal.dues:
        return
    _demand(deal.turn == deal.dues[0][0], "turn: the first giver of the dues is on turn")
    _demand(deal.table is None, "table: nothing is played before the tax is paid")
    for giver, partner, count in deal.dues:
        paying = {giver, partner}
        _demand(len(paying) == 2 and max(paying) < len(deal.hands), "dues: each between two seats")
        _demand(all(len(deal.hands[seat]) >= count for seat in paying), "dues: not enough cards to give")


def _check_known(deal: Deal) -> None:
    for fact in deal.known:
        _demand(fact.seat != fact.by and max(fact.seat, fact.by) < len(deal.hands), "known: between two seats")
        _demand(bool(fact.cards) and set(fact.cards) <= set(deal.hands[fact.seat]), "known: cards of the seat's hand")
