"""Plans whole turns: searches the plays whose outcome is known in advance, and finds the best end of the turn.

A turn can be foreseen until a mazzetto card is turned up or an empty hand is refilled. Plans that continue after the
mazzetto's top card assume that the next one is unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

from locanda.games.diavoletto.deal import ACE, COLUMNS, KING, MOST_BUILDS, SINGLE, WILD
from locanda.games.diavoletto.moves import lies_on
from locanda.games.diavoletto.player.features import open_needs
from locanda.games.diavoletto.player.judgement import Judge, Weights
from locanda.games.diavoletto.player.knowledge import (
    DISCARD,
    END,
    ENDING,
    HAND_SOURCE,
    MAZZETTO_SOURCE,
    Outlook,
    Step,
    advanced,
    builds_in,
)
from locanda.games.diavoletto.types import Columns

WIN = 100.0
"""Value of playing the mazzetto's last card, higher than any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thoroughness:
    """Limits of the search of a turn."""

    nodes: int
    """Number of positions after which no further plays are searched."""
    endings: int
    """Number of best positions for which all discards are tried."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to play the turn."""

    value: float
    """Number of mazzetto cards played in the turn, plus the value of the final position in the same unit."""
    steps: tuple[Step, ...]
    """The steps that can be foreseen. After the mazzetto's top card is played, the next one is visible and plans
    change."""


@dataclass(slots=True)
class _Node:
    """A position within the turn."""

    hand: bytes
    needs: int
    columns: Columns
    played: bool
    """Whether the mazzetto's top card has been played, so that the next one is unknown."""
    parent: "_Node | None"
    step: Step | None

    def steps(self) -> tuple[Step, ...]:
        steps = []
        node: _Node | None = self
        while node is not None and node.step is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))


_Way: TypeAlias = tuple[float, _Node, Step | None]
"""The parts of a plan: its value, the position after its plays, and the step that ends the turn, if any."""
_VALUE = itemgetter(0)


def _without_aces(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps before the last step, without Aces from the hand that no other step builds on."""
    built_on = any(need == ACE + 1 for _, _, need in steps)
    return tuple([step for step in steps[:-1] if built_on or step[0] != HAND_SOURCE or step[2] != ACE])


def _plan(value: float, node: _Node, ending: Step | None) -> Plan:
    return Plan(value, node.steps() if ending is None else (*node.steps(), ending))


class Turn:
    """Searches the plans of one turn."""

    def __init__(self, outlook: Outlook, weights: Weights, thoroughness: Thoroughness) -> None:
        self._outlook, self._thoroughness = outlook, thoroughness
        self._judge = Judge(outlook, weights)

    def best(self) -> Plan:
        """Return the best plan."""
        return _plan(*max(self._ways(self._root()), key=_VALUE))

    def plans(self) -> list[Plan]:
        """Return all plans searched, including the best."""
        return [_plan(*way) for way in self._ways(self._root())]

    def chains(self) -> list[tuple[Step, ...]]:
        """Return the shortest sequences of steps after which the mazzetto's card can be played."""
        nodes = self._nodes(self._root())
        freed = [node for node in nodes if node.step is not None and node.step[0] == MAZZETTO_SOURCE]
        chains = [_without_aces(node.steps()) for node in freed]
        fewest = min(map(len, chains), default=0)
        return [chain for chain in chains if len(chain) == fewest]

    def worth(self, first: Step) -> float:
        """Return the value of the best plan with this legal first step, even if `plans` left it out.

        The step must not play the mazzetto's card: if that is possible, all plans begin with it.
        """
        root, (source, rank, need) = self._root(), first
        if source in (DISCARD, END):
            return max(value for value, _, ending in self._endings(root) if ending == first)
        begun = self._from_hand(root, rank, need) if source == HAND_SOURCE else self._from_column(root, *first)
        return max([value for value, _, _ in self._ways(begun)])

    def _root(self) -> _Node:
        outlook = self._outlook
        return _Node(outlook.hand, outlook.needs, outlook.own.columns, played=False, parent=None, step=None)

    def _ways(self, start: _Node) -> list[_Way]:
        """Return the plans from a position, in parts."""
        judge, outlook = self._judge, self._outlook
        ways: list[_Way] = []
        open_ended: list[_Way] = []
        for node in self._nodes(start):
            if node.step is not None and node.step[0] == MAZZETTO_SOURCE and outlook.own.left == 1:
                return [(WIN - len(node.steps()), node, None)]
            known = not node.played
            if self._refills(node):
                ways.append((judge.refilled(node.needs, node.columns, known=known) + node.played, node, None))
            elif not self._owes_ace(node):
                discards = 1 if node.hand else 0
                value = judge.ended(node.hand, node.needs, node.columns, known=known, discards=discards)
                open_ended.append((value + node.played, node, None))
        open_ended.sort(key=_VALUE, reverse=True)
        for _, node, _ in open_ended[: self._thoroughness.endings]:
            ways += self._endings(node)
        return ways

    # --- plays

    def _nodes(self, start: _Node) -> list[_Node]:
        """Return the start and the positions after plays. Those after the mazzetto's card are expanded first."""
        nodes, seen = [start], {(start.hand, start.needs, start.columns, False)}
        before, later = [start], list[_Node]()
        while (later or before) and len(nodes) < self._thoroughness.nodes:
            node = later.pop(0) if later else before.pop(0)
            for child in self._children(node):
                key = child.hand, child.needs, child.columns, child.played
                if key not in seen:
                    seen.add(key)
                    nodes.append(child)
                    (later if child.played else before).append(child)
        return nodes

    def _children(self, node: _Node) -> list[_Node]:
        """Return the positions after one play; if a play is forced, only the position after it."""
        if self._refills(node):
            return []
        forced = self._forced(node)
        return [forced] if forced else self._free(node)

    def _forced(self, node: _Node) -> _Node | None:
        """Return the position after a play that comes first: the mazzetto's card, then an Ace; None without one."""
        needs, top = node.needs, self._outlook.own.top
        room = self._room(needs)
        if not node.played and (needs >> 4 * top & 15 if top else room):
            step = MAZZETTO_SOURCE, top, top
            return _Node(node.hand, advanced(needs, top), node.columns, played=True, parent=node, step=step)
        if not room:
            return None
        if node.hand[:1] == SINGLE[ACE]:
            return self._from_hand(node, ACE, ACE)
        for number, pile in enumerate(node.columns):
            if pile[-1:] == SINGLE[ACE]:
                return self._from_column(node, number, ACE, ACE)
        return None

    def _room(self, needs: int) -> bool:
        """Return whether another build may be opened."""
        return self._outlook.room == MOST_BUILDS or builds_in(needs) < self._outlook.room

    def _free(self, node: _Node) -> list[_Node]:
        """Return the positions after the other plays from columns and hand."""
        needs = node.needs
        wanted = open_needs(needs, 0)
        children = []
        for number, pile in enumerate(node.columns):
            rank = pile[-1] if pile else ACE
            goals = wanted if rank == WILD else (rank,) if rank in wanted else ()
            children += [self._from_column(node, number, rank, need) for need in goals]
        for rank in sorted(set(node.hand)):
            goals = wanted if rank == WILD else (rank,) if rank in wanted else ()
            children += [self._from_hand(node, rank, need) for need in goals]
        return children

    @staticmethod
    def _from_hand(node: _Node, rank: int, need: int) -> _Node:
        hand = node.hand.replace(SINGLE[rank], b"", 1)
        return _Node(hand, advanced(node.needs, need), node.columns, node.played, node, (HAND_SOURCE, rank, need))

    @staticmethod
    def _from_column(node: _Node, number: int, rank: int, need: int) -> _Node:
        columns = node.columns
        left = (*columns[:number], columns[number][:-1], *columns[number + 1 :])
        return _Node(node.hand, advanced(node.needs, need), left, node.played, node, (number, rank, need))

    # --- endings

    def _refills(self, node: _Node) -> bool:
        """Return whether a play has just emptied the hand and there are cards to refill it."""
        if node.hand or node.step is None or node.step[0] != HAND_SOURCE:
            return False
        return self._outlook.drawable > 0 or any(need == KING for _, _, need in node.steps())

    def _owes_ace(self, node: _Node) -> bool:
        if not self._room(node.needs):
            return False
        held = node.hand[:1] == SINGLE[ACE] or (not node.played and self._outlook.own.top == ACE)
        return held or any(pile[-1:] == SINGLE[ACE] for pile in node.columns)

    def _endings(self, node: _Node) -> list[_Way]:
        known = not node.played
        if not node.hand:
            value = self._judge.ended(b"", node.needs, node.columns, known=known)
            return [(value + node.played, node, ENDING)]
        endings: list[_Way] = []
        for rank in sorted(set(node.hand)):
            if rank == WILD and not self._outlook.joker_discard and node.hand[0] != WILD:
                continue
            hand = node.hand.replace(SINGLE[rank], b"", 1)
            for number in self._columns_for(node, rank):
                columns = node.columns
                laid = (*columns[:number], columns[number] + SINGLE[rank], *columns[number + 1 :])
                value = self._judge.ended(hand, node.needs, laid, known=known)
                endings.append((value + node.played, node, (DISCARD, rank, number)))
        return endings

    def _columns_for(self, node: _Node, rank: int) -> list[int]:
        columns = node.columns
        used = [number for number in range(COLUMNS) if columns[number]]
        empty = [number for number in range(COLUMNS) if not columns[number]][:1]
        if not self._outlook.descending:
            return used + empty
        fitting = [number for number in used if lies_on(rank, columns[number][-1])] + empty
        return fitting or used
