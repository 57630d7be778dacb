"""Checks by the rules that computer players' reasons for moves in Diavoletto are true."""

from typing import Any

from locanda.games.diavoletto.deal import CARDS, JOKER
from locanda.games.diavoletto.types import Build, Discard
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME
from tests.games.reason_claims import Claims, Explained

LONGEST = 4
"""The longest chain whose length is checked; longer ones have too many ways."""


def _rank(card: str) -> int:
    return CARDS[card] >> 2


def _mine(case: Explained) -> str | None:
    top: str | None = case.view.mazzetti[case.view.seat].top
    return top


def _theirs(case: Explained) -> str | None:
    top: str | None = case.view.mazzetti[1 - case.view.seat].top
    return top


def _builds(deal: Any) -> list[Build]:
    return [move for move in GAME.moves(deal) if isinstance(move, Build)]


def _frees(deal: Any, case: Explained, count: int) -> bool:
    """Return whether at most `count` cards that the seat can see lead to a play of its mazzetto card."""
    if deal.turn != case.view.seat:
        return False
    builds = _builds(deal)
    if any(move.source == "mazzetto" for move in builds):
        return True
    seen = [move for move in builds if move.source != "hand" or deal.refills == case.deal.refills]
    return count > 0 and any(_frees(GAME.play(deal, move, shuffle)[0], case, count - 1) for move in seen)


def _chain(case: Explained) -> bool:
    count = case.facts["count"]
    return bool(count > LONGEST or (_frees(_after(case), case, count - 1) and not _frees(case.deal, case, count - 1)))


def _after(case: Explained) -> Any:
    return GAME.play(case.deal, case.move, shuffle)[0]


def _empties(case: Explained) -> bool:
    """Return whether the seat can play its whole hand to builds, beginning with this card, and then gets a new hand."""
    seat = case.view.seat
    ahead, seen = [(case.deal, case.move)], set()
    while ahead:
        here, move = ahead.pop()
        after = GAME.play(here, move, shuffle)[0]
        if move.source == "hand" and len(here.hands[seat]) == 1:
            if after.hands[seat]:
                return True
            continue
        if (key := (after.hands, after.columns, after.builds)) not in seen:
            seen.add(key)
            ahead += [(after, further) for further in _builds(after) if further.source != "mazzetto"]
    return False


def _takes_the_place(case: Explained) -> bool:
    """Return whether the opponent's mazzetto card could go to only one build, which this move makes unavailable."""
    goal = _theirs(case)
    heights = [len(build) for build in case.view.builds]
    return bool(goal and heights.count(_rank(goal)) == 1 and heights[case.move.build] == _rank(goal))


def _brings_closer(case: Explained) -> bool:
    goal = _theirs(case)
    natural = [move for move in case.moves if isinstance(move, Build) and CARDS[move.card] != JOKER]
    if not (goal and natural and isinstance(case.move, Discard)):
        return False
    before = _cards_before(case.deal, goal)
    return all(_cards_before(GAME.play(case.deal, move, shuffle)[0], goal) < before for move in natural)


def _cards_before(deal: Any, goal: str) -> int:
    """Return the smallest number of cards that a build needs before it takes `goal`."""
    needs = [_rank(goal) - len(build) for build in (*deal.builds, ())]
    return min(need for need in needs if need >= 0)


def _column(case: Explained) -> tuple[str, ...]:
    """Return the column on which a card is discarded."""
    number = case.move.column
    return case.view.columns[case.view.seat][number] if isinstance(number, int) else ()


def _needed_before(case: Explained, goal: str) -> bool:
    """Return whether an existing or a new build needs the card before the goal."""
    card, waited = _rank(case.move.card), _rank(goal)
    for height in (*map(len, case.view.builds), 0):
        needs = [*range(height, 13), *range(13)]
        if needs.index(card) < needs.index(waited) and card in needs[: 13 - height]:
            return True
    return False


CLAIMS: Claims = {
    "ace_owed": lambda case: _rank(case.move.card) == 0 and case.move.build is None,
    "blocks": _takes_the_place,
    "chain": _chain,
    "comes_later": lambda case: case.facts["goal"] == _mine(case) and not _needed_before(case, case.facts["goal"]),
    "digs": lambda case: case.view.columns[case.view.seat][case.move.column][-2] == case.facts["below"],
    "empties_hand": _empties,
    "empty_column": lambda case: isinstance(case.move, Discard) and not _column(case),
    "frees_mazzetto": lambda case: case.facts["goal"] == _mine(case) and _frees(_after(case), case, 0),
    "from_mazzetto": lambda case: case.move.source == "mazzetto",
    "gets_moving": lambda case: case.move.source in ("hand", "column"),
    "in_order": lambda case: (
        _column(case)[-1] == case.facts["below"] and _rank(case.facts["below"]) == _rank(case.move.card) + 1
    ),
    "keeps_joker": lambda case: "*" in case.view.hand and case.move.card != "*",
    "last_card": lambda case: case.move.source == "mazzetto" and case.view.mazzetti[case.view.seat].count == 1,
    "nothing_left": lambda case: not case.view.hand,
    "on_equal": lambda case: (
        _column(case)[-1] == case.facts["below"] and _rank(case.facts["below"]) == _rank(case.move.card)
    ),
    "withholds": _brings_closer,
}
