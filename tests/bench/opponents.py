"""Simple players of each game, as opponents that the computer players were not tuned against.

They use the rules and their view, but none of the computer players' plans, weights and beliefs.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from locanda.cards import CARDS, CODES_BY_RANK, mask, members
from locanda.cards.cuccu import CARDS as DESIGN
from locanda.cards.cuccu import DESIGNS
from locanda.games.base import Pass
from locanda.games.diavoletto import types as diavoletto
from locanda.games.gatto_rosso import types as gatto_rosso
from locanda.games.gatto_rosso.rules import beaters, cards_in_play
from locanda.games.players import AnySituation
from locanda.games.presidente import types as presidente
from locanda.games.ramino import types as ramino
from locanda.games.ramino.moves import held

Opponent: TypeAlias = Callable[[AnySituation, Sequence[Any]], Any]
"""A function that chooses one of the legal moves from the knowledge of the seat on turn."""

# --- gatto rosso


def of_gatto_rosso(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Look two cards ahead: win tricks if that is likely, and keep a hand that can answer most cards."""
    view = situation.view
    beat, hand = beaters(view.options), mask(CARDS[code] for code in view.hand)
    gone = [
        code for event in situation.history or () if isinstance(event, gatto_rosso.TrickTaken) for code in event.cards
    ]
    unseen = mask(cards_in_play(view.options)) & ~hand & ~mask(CARDS[code] for code in (*view.table, *gone))
    others, left = sum(view.counts) - len(view.hand), max(1, unseen.bit_count())

    def worth(move: Any) -> float:
        if isinstance(move, Pass):
            return -1.0
        card, pile = CARDS[move.card], len(view.table) + 1
        rest, threats = hand ^ 1 << card, members(beat[card] & unseen)
        stands = (1 - len(threats) / left) ** others
        answered = sum(bool(rest & beat[threat]) for threat in threats) / max(1, len(threats))
        kept = sum(bool(rest & beat[other]) for other in members(unseen)) / left
        return float(pile * (stands + (1 - stands) * answered / 2) + 12 * kept)

    return max(moves, key=worth)


# --- presidente


RANK = {code: card // presidente.BITS for card, code in enumerate(CODES_BY_RANK)}


def of_presidente(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Count the turns that the hand needs; play to shorten it, low before high, and stop players with few cards."""
    view = situation.view
    before, turns = _turns(view.hand), {}
    for move in moves:
        if not isinstance(move, Pass):
            turns[move] = _turns(set(view.hand) - set(move.cards))
    fewest = min(count for seat, count in enumerate(view.counts) if count and seat != view.seat)

    def height(move: Any) -> int:
        highest = max(map(RANK.__getitem__, move.cards))
        return 12 - highest if view.inverted and highest < 13 else highest

    if view.dues or view.table is None:
        stops = fewest <= 2 and not view.dues
        last = -1 if before <= 2 else 1
        return min(turns, key=lambda move: (turns[move], stops and len(move.cards) <= fewest, last * height(move)))
    threat = view.counts[view.last] <= 5
    fitting = [move for move in turns if turns[move] < before and (threat or height(move) < 12 or before < 5)]
    if fitting:
        return min(fitting, key=height)
    return max(turns, key=height) if turns and threat else Pass()


def _turns(cards: Iterable[str]) -> int:
    """Return the number of turns that cards need: straights of cards without equals, and the other cards by rank."""
    ranks = {rank: [*same] for rank, same in groupby(sorted(cards, key=RANK.__getitem__), RANK.__getitem__)}
    alone = {(code[-1], rank) for rank, codes in ranks.items() if len(codes) == 1 for code in codes}
    saved = 0
    for suit in "hdcs":
        size = 0
        for rank in range(len(CODES_BY_RANK) // presidente.BITS + 1):
            if (suit, rank) in alone:
                size += 1
            else:
                saved, size = saved + (size - 1 if size >= 3 else 0), 0
    return len(ranks) - saved


# --- ramino


def of_ramino(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Lay everything at once, keep cards that fit together, and throw high cards that fit nothing."""
    view = situation.view
    if view.phase == "draw":
        hand, long = [DESIGN[code] for code in view.hand], view.options.long_scala
        top = DESIGN[view.discards[-1]] if view.discards else 0
        gains = len(held(ramino.packed([*hand, top]), long=long)) > len(held(ramino.packed(hand), long=long))
        return next((move for move in moves if gains and move.source == "discards"), moves[0])
    down = [move for move in moves if not isinstance(move, ramino.Discard)]
    size = len(view.hand)
    for move in sorted(down, key=lambda move: len(getattr(move, "cards", "1")), reverse=True):
        left = size - len(getattr(move, "cards", "1"))
        if left != 2 or view.melds or len(getattr(move, "cards", "")) == 3:
            return move

    def use(move: Any) -> float:
        card = DESIGN[move.card]
        rest = [DESIGN[code] for code in view.hand]
        rest.remove(card)
        together = sum(_go_together(card, other) for other in set(rest))
        return 6 * together - DESIGNS[card].points

    return min((move for move in moves if isinstance(move, ramino.Discard)), key=use, default=moves[0])


def _go_together(one: int, other: int) -> bool:
    """Return whether two designs may be in one combination."""
    if one == other:
        return False
    near = DESIGNS[one].value and DESIGNS[other].value and abs(one - other) <= 2
    return bool(near or (DESIGNS[one].figure and DESIGNS[other].figure))


# --- diavoletto


def of_diavoletto(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Play the mazzetto, cards that lead to it, and cards that do not help the opponent; keep columns in order."""
    view = situation.view
    own, other = (_rank(view.mazzetti[seat].top) for seat in (view.seat, 1 - view.seat))
    builds = [move for move in moves if isinstance(move, diavoletto.Build)]
    needs = [len(build) for build in view.builds]
    sources = [*view.hand, *(column[-1] for column in view.columns[view.seat] if column)]
    ranks, jokers = {_rank(code) for code in sources}, sources.count("*")

    def worth(move: Any) -> float:
        if move.source == "mazzetto":
            return 100.0
        need = 0 if move.build is None else needs[move.build]
        missing = sum(rank not in ranks for rank in range(need, own))
        leads = need < own and missing <= jokers
        near = need < other <= need + 3
        gain = leads * (50.0 + need - own) + 5.0 * (move.column is not None) + (need == 0)
        return float(gain - 20.0 * near - 30.0 * (move.card == "*"))

    best = max(builds, key=worth, default=None)
    others = [move for move in moves if not isinstance(move, diavoletto.Build)]
    if best is not None and (worth(best) >= 0 or not others):
        return best

    def order(move: Any) -> float:
        if not isinstance(move, diavoletto.Discard):
            return 0.0
        column, rank = view.columns[view.seat][move.column], _rank(move.card)
        gap = _rank(column[-1]) - rank if column else 0
        wait = (rank - own) % 13
        return wait + (8 if gap in (0, 1) else -4 - abs(gap) / 2) - 50 * (move.card == "*") + 4 * (not column)

    return max(others, key=order)


def _rank(code: str | None) -> int:
    """Return a rank, which is 0 for an ace. For a joker or no card, return a rank that no build needs."""
    return 20 if code is None or code == "*" else CARDS[code] % 13


# --- briscola, scopa, tressette: types are not imported from these packages, which may not be installed


def of_briscola(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Throw the lowest card. Take points with the card that adds most, and trump only for ten points or more."""
    view, order = situation.view, "24567JQK3A"
    trumps, points = view.trump[0][1], {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}

    def price(move: Any) -> tuple[int, int]:
        return points.get(move.card[0], 0) + 10 * (move.card[1] == trumps), order.index(move.card[0])

    if not view.table:
        return min(moves, key=price)

    def strength(code: str) -> tuple[bool, bool, int]:
        return code[1] == trumps, code[1] == view.table[0][1], order.index(code[0])

    best, lying = max(map(strength, view.table)), sum(points.get(code[0], 0) for code in view.table)
    taking = [move for move in moves if strength(move.card) > best]
    plain = [move for move in taking if move.card[1] != trumps and lying + points.get(move.card[0], 0)]
    if plain:
        return max(plain, key=lambda move: points.get(move.card[0], 0))
    dear = [move for move in taking if move.card[1] == trumps]
    return min(dear if dear and lying >= 10 else moves, key=price)


def of_scopa(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Take the most points, and leave no table that one card can take."""
    values = {code: value for value, code in enumerate("A234567JQK", 1)}

    def worth(move: Any) -> float:
        cards = (move.card, *move.takes)
        left = [code for code in situation.view.table if code not in cards] + ([] if move.takes else [move.card])
        swept = 0.5 * bool(left and sum(values[code[0]] for code in left) <= 10)
        held = sum(0.1 + 0.2 * (code[1] == "d") + 0.15 * (code[0] == "7") + (code == "7d") for code in cards)
        return float(held + (not left) if move.takes else -held) - swept

    return max(moves, key=worth)


def of_tressette(situation: AnySituation, moves: Sequence[Any]) -> Any:
    """Lead a three, otherwise the lowest card. Take points with the lowest card that can, aces first."""
    table, order, thirds = situation.view.table, "4567JQKA23", {"A": 3, "2": 1, "3": 1, "J": 1, "Q": 1, "K": 1}

    def price(move: Any) -> tuple[int, int]:
        return thirds.get(move.card[0], 0), order.index(move.card[0])

    if not table:
        return next((move for move in moves if move.card[0] == "3"), min(moves, key=price))
    best = max(order.index(code[0]) for code in table if code[1] == table[0][1])
    taking = [move for move in moves if move.card[1] == table[0][1] and order.index(move.card[0]) > best]
    lying = sum(thirds.get(code[0], 0) for code in table)
    if taking and lying + max(price(move)[0] for move in taking):
        return max(taking, key=lambda move: (move.card[0] == "A", -order.index(move.card[0])))
    return min(moves, key=price)


OPPONENTS: dict[str, Opponent] = {
    "gatto_rosso": of_gatto_rosso,
    "presidente": of_presidente,
    "ramino": of_ramino,
    "diavoletto": of_diavoletto,
    "briscola": of_briscola,
    "scopa": of_scopa,
    "tressette": of_tressette,
}
"""The opponent of each game."""
