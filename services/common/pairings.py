"""Seating plans: assigns people to tables for several rounds, by local search. The functions have no side effects.

A round is a list of tables, and a table lists its people in the order of seats. People are numbers chosen by the
caller. If the tables cannot all have the same size, some are smaller; every person has a seat in each round.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[Table, ...]
Place: TypeAlias = tuple[int, int]
"""Index of a table in a round, and of a seat at that table."""

WANTED = 4
"""The preferred number of people at a table."""
PATIENCE = 800
"""Number of swaps without an improvement after which the search ends. Most plans without repeated meetings take fewer
than 100.
"""
LOOKED_AT = 400
"""Approximate number of swaps compared at each step. For up to twenty people, all swaps are compared."""
MOST_COMPARED = 300_000
"""Approximate total number of compared swaps, about half a second of processor time. Swaps are counted rather than
time, so that the same seed gives the same rounds.
"""
REPEATED = 3
"""Cost of a repeated meeting, relative to the cost of a person sitting at a smaller table more often than others."""
SHORTEST_BAN, LONGEST_BAN = 4, 60
"""Minimum and maximum number of steps for which swapped people must not swap back."""


def table_sizes(people: int, fewest: int, most: int, wanted: int = WANTED) -> tuple[int, ...]:
    """Return the number of people at each table, larger tables first, for a game with `fewest` to `most` players.

    The result has the fewest seats left to computer players; among such results, it is the nearest to `wanted`.
    """

    def cost(sizes: tuple[int, ...]) -> tuple[int, int, int]:
        return sum(max(0, fewest - size) for size in sizes), sum((size - wanted) ** 2 for size in sizes), sizes[0]

    splits = (_split(people, tables) for tables in range(max(1, -(-people // most)), people + 1))
    return min(splits, key=cost, default=())


def _split(people: int, tables: int) -> tuple[int, ...]:
    return tuple(people // tables + (at < people % tables) for at in range(tables))


def meetings(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """Return how often each pair of people has sat at a table together. The smaller number comes first in a pair."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repetitions(rounds: Iterable[Round]) -> int:
    """Return the number of meetings that repeat an earlier meeting."""
    return sum(times - 1 for times in meetings(rounds).values())


def by_standing(standing: Sequence[int], sizes: Sequence[int]) -> Round:
    """Return a round in which the best players sit at the first table, the next best at the second, and so on."""
    people = iter(standing)
    return tuple(tuple(next(people) for _ in range(size)) for size in sizes)


def plan(people: Sequence[int], sizes: Sequence[int], rounds: int, before: Sequence[Round], seed: str) -> list[Round]:
    """Return the rounds that follow `before`, with as few repeated meetings as a local search finds.

    `sizes` are the tables of each round, which together seat everybody. `before` may include people who have left. The
    same `seed` gives the same rounds.
    """
    chance = Random(seed)  # noqa: S311  (not used for secrets)
    had: Counter[tuple[int, int]] = Counter()
    for tables in before:
        had.update(_seats(tables))
    planned: list[Round] = []
    for tables in _Search(people, sizes, rounds, before, chance).best():
        planned.append(tuple(_ordered(list(table), had) for table in tables))
        had.update(_seats(planned[-1]))
    return planned


def _seats(tables: Round) -> Iterator[tuple[int, int]]:
    return ((person, seat) for table in tables for seat, person in enumerate(table))


def _ordered(table: list[int], had: Counter[tuple[int, int]]) -> Table:
    """Return the people of a table on seats that they have had less often: no swap of two would improve it."""
    better = True
    while better:
        better = False
        for one, other in combinations(range(len(table)), 2):
            first, second = table[one], table[other]
            now = had[first, one] ** 2 + had[second, other] ** 2
            if had[first, other] ** 2 + had[second, one] ** 2 < now:
                table[one], table[other], better = second, first, True
    return tuple(table)


class _Search:
    """A tabu search: swaps a person with a repeated meeting for the best partner, even if the plan gets worse."""

    def __init__(
        self, people: Sequence[int], sizes: Sequence[int], rounds: int, before: Sequence[Round], chance: Random
    ) -> None:
        if sum(sizes) != len(people) or len({*people}) != len(people):
            raise ValueError("the tables do not seat everybody once")
        self._chance = chance
        self._people = people
        self._met = [[0] * len(people) for _ in people]
        """How often each pair of people meets, by their indexes in `people`."""
        self._small = [0] * len(people)
        """How often each person sits at a table that is smaller than others of the round."""
        self._largest = max([*sizes, *(len(table) for tables in before for table in tables)], default=0)
        self._rounds: list[list[list[int]]] = []
        places = {person: place for place, person in enumerate(people)}
        for tables in before:
            self._count([[places[person] for person in table if person in places] for table in tables], tables)
        self._known = self._repeated()
        for _ in range(rounds):
            order = iter(chance.sample(range(len(people)), len(people)))
            self._rounds.append([[next(order) for _ in range(size)] for size in sizes])
            self._count(self._rounds[-1], self._rounds[-1])

    def _count(self, present: Sequence[Sequence[int]], tables: Sequence[Sequence[int]]) -> None:
        """Count the meetings of the people of `present` at the tables of a round."""
        for people, table in zip(present, tables, strict=True):
            for one, other in combinations(people, 2):
                self._meet(one, other, 1)
            for person in people:
                self._small[person] += len(table) < self._largest

    def _meet(self, one: int, other: int, times: int) -> None:
        self._met[one][other] += times
        self._met[other][one] += times

    def _repeated(self) -> int:
        """Return the cost of repeated meetings. Each repetition of a pair costs more than the one before."""
        return sum(times * (times - 1) // 2 for met in self._met for times in met) // 2

    def best(self) -> list[Round]:
        """Return the best rounds found."""
        times, more = divmod(sum(self._small), len(self._small) or 1)
        even = (len(self._small) - more) * times**2 + more * (times + 1) ** 2
        goal = REPEATED * self._known + even
        cost = least = REPEATED * self._repeated() + sum(times**2 for times in self._small)
        best, banned = self._planned(), dict[tuple[int, frozenset[int]], int]()
        step = found_at = compared = 0
        while least > goal and step < found_at + PATIENCE and compared < MOST_COMPARED and self._rounds:
            step += 1
            number = step % len(self._rounds)
            possible = list(self._exchanges(number))
            compared += len(possible)
            exchanges = [
                (change, self._chance.random(), place, other)
                for change, place, other in possible
                if cost + change < least or banned.get((number, self._pair(number, place, other)), 0) <= step
            ]
            if not exchanges:
                continue
            change, _, place, other = min(exchanges)
            banned[number, self._pair(number, place, other)] = step + self._chance.randint(SHORTEST_BAN, LONGEST_BAN)
            self._exchange(number, place, other)
            cost += change
            if cost < least:
                best, least, found_at = self._planned(), cost, step
        return best

    def _planned(self) -> list[Round]:
        return [tuple(tuple(self._people[place] for place in table) for table in tables) for tables in self._rounds]

    def _pair(self, number: int, place: Place, other: Place) -> frozenset[int]:
        tables = self._rounds[number]
        return frozenset((tables[place[0]][place[1]], tables[other[0]][other[1]]))

    def _exchanges(self, number: int) -> Iterator[tuple[int, Place, Place]]:
        """Yield swaps of a person with somebody at another table, with the change of the cost that each swap makes."""
        tables = self._rounds[number]
        places = [(at, seat) for at, table in enumerate(tables) for seat in range(len(table))]
        meeting_again = [place for place in places if self._meets_again(tables[place[0]], place[1])] or places
        for place in self._chance.sample(meeting_again, min(len(meeting_again), max(1, LOOKED_AT // len(places)))):
            for other in places:
                if other[0] != place[0]:
                    yield self._change(tables[place[0]], place[1], tables[other[0]], other[1]), place, other

    def _meets_again(self, table: Sequence[int], seat: int) -> bool:
        met = self._met[table[seat]]
        return any(met[person] > 1 for person in table)

    def _change(self, table: Sequence[int], seat: int, other: Sequence[int], place: int) -> int:
        one, two = table[seat], other[place]
        met_one, met_two = self._met[one], self._met[two]
        again = sum(met_two[person] - met_one[person] + 1 for person in table if person != one)
        again += sum(met_one[person] - met_two[person] + 1 for person in other if person != two)
        smaller = (len(other) < self._largest) - (len(table) < self._largest)
        # (small + smaller)² - small² for one person; for the other person, the sign of `smaller` is opposite
        return REPEATED * again + smaller * 2 * (self._small[one] - self._small[two]) + 2 * smaller**2

    def _exchange(self, number: int, place: Place, other: Place) -> None:
        table, across = self._rounds[number][place[0]], self._rounds[number][other[0]]
        one, two = table[place[1]], across[other[1]]
        for person in table:
            if person != one:
                self._meet(one, person, -1)
                self._meet(two, person, 1)
        for person in across:
            if person != two:
                self._meet(two, person, -1)
                self._meet(one, person, 1)
        smaller = (len(across) < self._largest) - (len(table) < self._largest)
        self._small[one] += smaller
        self._small[two] -= smaller
        table[place[1]], across[other[1]] = two, one
