"""Checks by the rules and random deals that computer players' reasons for moves in Presidente are true."""

from collections.abc import Sequence

from locanda.cards import mask
from locanda.games.base import Pass
from locanda.games.choosing import PLAYERS
from locanda.games.presidente.deal import cards_in_play, decoded
from locanda.games.presidente.fast import BY_CARDS, BY_MOVE, Combo
from locanda.games.presidente.moves import beats
from locanda.games.presidente.player.endings import RANKED
from locanda.games.presidente.player.planning import USUAL, is_strong, plan
from locanda.games.presidente.types import BITS, CARDS, JOKER, Play, RankedCombination
from services.engine.table.fairness import shuffle
from tests.games.presidente.game import GAME
from tests.games.reason_claims import Claims, Explained, drawn


def _hand(case: Explained) -> int:
    return decoded(case.view.hand)


def _rest(case: Explained) -> int:
    return _hand(case) & ~decoded(case.move.cards)


def _others(case: Explained) -> list[int]:
    return [count for seat, count in enumerate(case.view.counts) if count and seat != case.view.seat]


def _inverted_after(case: Explained) -> bool:
    turned = BY_MOVE[case.move].is_four and case.view.options.revolution
    return bool(case.view.inverted ^ turned)


def _plays(case: Explained) -> list[Combo]:
    return [BY_MOVE[move] for move in case.moves if isinstance(move, Play)]


def _ranked(combo: Combo) -> RankedCombination:
    return RANKED[combo]


def _height(case: Explained, combo: Combo) -> int:
    if combo.has_joker:
        return 100
    return int(-combo.rank if case.view.inverted else combo.rank)


def _lower_ones(case: Explained) -> list[str]:
    """Return the cards that stay in the hand and are lower than the played cards."""
    sign = -1 if case.view.inverted else 1
    played = min(sign * (CARDS[code] // BITS) for code in case.move.cards)
    kept = [code for code in case.view.hand if code not in case.move.cards and CARDS[code] != JOKER]
    return [code for code in kept if sign * (CARDS[code] // BITS) < played]


def _nothing_beats(case: Explained) -> bool:
    """Return whether, in random deals, nobody can answer before the trick ends."""
    for deal in drawn(case, PLAYERS["presidente"], 5):
        after, _ = GAME.play(deal, case.move, shuffle)
        while after.turn is not None and after.table is not None and after.last == case.view.seat:
            if any(isinstance(move, Play) for move in GAME.moves(after)):
                return False
            after, _ = GAME.play(after, Pass(), shuffle)
    return True


def _lowest_answer(case: Explained) -> bool:
    own, groups = BY_MOVE[case.move], plan(_hand(case), case.view.inverted)
    fitting = [group for group in _plays(case) if group in groups]
    return own in fitting and all(_height(case, own) <= _height(case, group) for group in fitting)


def _unseen(case: Explained) -> int:
    view = case.view
    table = () if view.table is None else view.table.cards
    seen = decoded((*view.hand, *view.shown, *view.gone, *table))
    return mask(cards_in_play(view.options)) & ~seen


def _split(case: Explained) -> bool:
    own = _ranked(BY_MOVE[case.move])
    singles = [card for card in range(JOKER) if _unseen(case) >> card & 1]
    beating = [card for card in singles if beats(_ranked(BY_CARDS[1 << card][0]), own, inverted=case.view.inverted)]
    held = [code for code in case.view.hand if CARDS[code] // BITS == own.rank]
    return sorted(held) == sorted(case.facts["cards"]) and len(held) > 1 and case.facts["count"] == len(beating)


def _only_dear_answers(case: Explained) -> bool:
    """Return whether each answer is strong, the joker, or breaks up a combination."""
    groups = plan(_hand(case), case.view.inverted)
    cheap = [combo for combo in _plays(case) if combo in groups and not _dear(case, combo)]
    return isinstance(case.move, Pass) and not cheap


def _dear(case: Explained, combo: Combo) -> bool:
    return combo.has_joker or is_strong(combo, inverted=case.view.inverted)


def _breaks(case: Explained, cards: Sequence[str]) -> bool:
    """Return whether every answer breaks up a combination, and these cards are such a combination."""
    groups = plan(_hand(case), case.view.inverted)
    broken = decoded(cards)
    whole = any(combo in groups for combo in _plays(case))
    return not whole and any(combo.cards & broken for combo in _plays(case)) and len(cards) > 1


def _needed_least(case: Explained) -> bool:
    left = USUAL[False].cost(_rest(case))
    return all(left <= USUAL[False].cost(_hand(case) & ~decoded(move.cards)) + 1e-9 for move in case.moves)


CLAIMS: Claims = {
    "almost_out": lambda case: _rest(case) == decoded(case.facts["rest"]) and _rest(case) in BY_CARDS,
    "cheapest_answer": _lowest_answer,
    "goes_out": lambda case: not _rest(case),
    "keeps_strong": lambda case: _only_dear_answers(case) and case.view.counts[case.view.last] > 2,
    "keeps_whole": lambda case: _breaks(case, case.facts["cards"]),
    "leaves": lambda case: (
        case.facts["count"]
        == len(plan(_rest(case), _inverted_after(case)))
        < case.facts["before"]
        == len(plan(_hand(case), case.view.inverted))
    ),
    "longer_than_hands": lambda case: case.facts["count"] == min(_others(case)) < len(case.move.cards),
    "needed_least": _needed_least,
    "nothing_beats": _nothing_beats,
    "plays_low": lambda case: (
        sum(_height(case, play) < _height(case, BY_MOVE[case.move]) - 2 for play in _plays(case)) == 0
        and any(_height(case, play) > _height(case, BY_MOVE[case.move]) for play in _plays(case))
    ),
    "saves_strength": lambda case: _only_dear_answers(case) and case.view.counts[case.view.last] > 2,
    "splits_set": _split,
    "stops": lambda case: case.facts["count"] == case.view.counts[case.view.last] <= 2,
    "turns_order": lambda case: (
        case.view.options.revolution
        and BY_MOVE[case.move].is_four
        and USUAL[_inverted_after(case)].cost(_rest(case)) < USUAL[case.view.inverted].cost(_rest(case))
    ),
    "waits_to_win": lambda case: len(_others(case)) == 1 and _others(case)[0] == _unseen(case).bit_count(),
    "weakest_first": lambda case: not _lower_ones(case),
    "wins_ending": lambda case: len(_others(case)) == 1 and _others(case)[0] == _unseen(case).bit_count(),
}
