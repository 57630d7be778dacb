"""Checks by the rules that computer players' reasons for moves in Ramino are true."""

from itertools import combinations
from typing import Any

from locanda.cards.cuccu import CARDS, CODES, COPIES, DESIGNS
from locanda.games.ramino.deal import is_combination
from locanda.games.ramino.moves import DISCARDS
from locanda.games.ramino.player.planning import Plan, Position
from locanda.games.ramino.types import Attach, Discard, Draw, Meld, packed
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME
from tests.games.reason_claims import Claims, Explained


def begun_by(view: Any, candidate: Any) -> frozenset[Any]:
    """Return the possible first moves of a candidate plan for the turn."""
    return frozenset(Position.of(view).openings(candidate) if isinstance(candidate, Plan) else {candidate})


def _after(case: Explained) -> Any:
    return GAME.play(case.deal, case.move, shuffle)[0]


def _can_close(deal: Any, seat: int) -> bool:
    """Return whether the seat can close in this turn, or has already closed."""
    ahead, seen = [deal], set()
    while ahead:
        here = ahead.pop()
        if here.turn is None and here.closer == seat:
            return True
        if here.turn == seat and (key := (here.hands, here.melds)) not in seen:
            seen.add(key)
            ahead += [GAME.play(here, move, shuffle)[0] for move in GAME.moves(here)]
    return False


def _closes(case: Explained, *, ramino: bool) -> bool:
    return case.view.opened[case.view.seat] != ramino and _can_close(_after(case), case.view.seat)


def _points(*cards: str) -> int:
    return sum(DESIGNS[CARDS[card]].points for card in cards)


def _top(case: Explained) -> str:
    return str(case.view.discards[-1])


def _combines(card: str, *others: str) -> bool:
    """Return whether a card forms a combination of three with at least one of the others."""
    return any(_is_combination(card, other, third) for other in others for third in CODES)


def _is_combination(*cards: str) -> bool:
    return len(set(cards)) == len(cards) and is_combination(packed(CARDS[card] for card in cards))


def _moves_with(case: Explained, kind: type[Meld] | type[Attach]) -> list[Any]:
    """Return the moves of a kind that could use the top discard after it is taken."""
    taken, _ = GAME.play(case.deal, DISCARDS, shuffle)
    moves = [move for move in GAME.moves(taken) if isinstance(move, kind)]
    return [move for move in moves if _top(case) in (move.cards if isinstance(move, Meld) else [move.card])]


def _takes(case: Explained) -> bool:
    return bool(case.move == DISCARDS and case.facts["card"] == _top(case))


def _good_for_nothing(case: Explained) -> bool:
    taken, _ = GAME.play(case.deal, DISCARDS, shuffle)
    used = _moves_with(case, Meld) or _moves_with(case, Attach) or _can_close(taken, case.view.seat)
    return case.move != DISCARDS and not used and not _combines(_top(case), *case.view.hand)


def _keeps(case: Explained) -> bool:
    """Return whether the move keeps cards that could be laid."""
    down = any(isinstance(move, Meld | Attach) for move in case.moves)
    return isinstance(case.move, Discard) and down and case.level != "easy"


def _others_could_add(case: Explained) -> bool:
    """Return whether a combination that could be laid would let the others attach a card."""
    before, held = case.view.melds, _not_seen(case)
    for move in case.moves:
        if isinstance(move, Meld | Attach):
            after = GAME.view(GAME.play(case.deal, move, shuffle)[0], case.view.seat).melds
            if any(_is_combination(*meld, card) for meld in after if meld not in before for card in held):
                return True
    return False


def _not_seen(case: Explained) -> list[str]:
    """Return the cards that others may hold."""
    seen = [*case.view.hand, *case.view.discards, *(code for meld in case.view.melds for code in meld)]
    return [code for code in CODES if seen.count(code) < COPIES]


def _nobody_uses(case: Explained) -> bool:
    """Return whether the card fits no combination on the table, and none with cards that others may hold."""
    card = case.move.card
    if any(isinstance(move, Attach) and move.card == card for move in case.moves):
        return False
    left = [code for code in _not_seen(case) if code != card]
    return not any(_is_combination(card, *pair) for pair in combinations(left, 2))


def _rest(case: Explained) -> list[str]:
    rest = [*case.view.hand]
    rest.remove(case.move.card)
    return rest


CLAIMS: Claims = {
    "attaches": lambda case: isinstance(case.move, Attach) and case.facts["count"] == _points(case.move.card),
    "avoids_dead_end": lambda case: _keeps(case) and not _can_close(case.deal, case.view.seat),
    "closes": lambda case: _closes(case, ramino=False),
    "discards_least": lambda case: all(_combines(card, *_rest(case)) for card in case.facts["cards"]),
    "discards_lone_card": lambda case: (
        case.facts["count"] == _points(case.move.card) and not _combines(case.move.card, *_rest(case))
    ),
    "discards_points": lambda case: case.facts["count"] == _points(case.move.card),
    "discards_useless": _nobody_uses,
    "draws_unknown": _good_for_nothing,
    "keeps_back": lambda case: _keeps(case) and _others_could_add(case),
    "keeps_for_ramino": lambda case: _keeps(case) and not case.view.opened[case.view.seat] and not case.view.acted,
    "lays": lambda case: isinstance(case.move, Meld) and case.facts["count"] == _points(*case.move.cards),
    "makes_ramino": lambda case: _closes(case, ramino=True),
    "takes_to_attach": lambda case: _takes(case) and bool(_moves_with(case, Attach)),
    "takes_to_close": lambda case: (
        _takes(case) and isinstance(case.move, Draw) and _can_close(_after(case), case.view.seat)
    ),
    "takes_to_keep": lambda case: _takes(case) and all(_combines(_top(case), card) for card in case.facts["cards"]),
    "takes_to_lay": lambda case: (
        _takes(case) and any(sorted(move.cards) == sorted(case.facts["cards"]) for move in _moves_with(case, Meld))
    ),
}
