"""Deals cards as described by the `dealing` of a proof, of `GET /v1/games/{game}`, or of a file.

A description has `steps`, each carried out by one of the verbs below; `piles`, the piles in the start of a deal;
`turn`, the rule for who begins; `fields`, the initial values of other fields; and `tax`, a condition for the exchange
of cards after the first deal. docs/fairness.md describes the format for authors of verifiers.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from .sentences import UnreadableError, say
from .shuffling import shuffled

Dealing: TypeAlias = dict[str, Any]
"""The description of how a game's cards are dealt, as JSON."""
Start: TypeAlias = dict[str, Any]
"""A deal before its first move; needs `options`, `dealer`, one entry in `hands` for each player, and with a tax
`dues`."""

MOST_SHUFFLES = 1000
"""Limit on the shuffles to break a tie; a real table never needs so many."""
MOST_CARDS = 1000
"""Limit of the cards in a pack."""
GAME = re.compile("[a-z][a-z0-9_]{0,39}")
"""Pattern of game names."""
KNOWN: dict[str, Dealing] = {
    file.parent.name: json.loads(file.read_text("utf-8"))
    for file in Path(__file__).parents[1].glob("games/*/dealing.json")
}
"""How the games of this package are dealt, by name; empty if the verifier runs stand-alone."""


def known_dealing(game: str) -> Dealing | None:
    """Return how a game of this package is dealt; None for other games, or if the verifier runs stand-alone."""
    return KNOWN.get(game)


def dealt(dealing: Dealing, seed: bytes, start: Start) -> dict[str, Any]:
    """Return the fields of a deal's start except `options`, `dealer` and `dues`.

    An invalid description raises `ValueError`, `LookupError` or `TypeError`.
    """
    table = _Table(seed, start)
    for step in dealing["steps"]:
        VERBS[next(iter(step))](table, step)
    fields = {name: table.value(value) for name, value in dealing["fields"].items()}
    fields |= {pile: table.piles[pile] for pile in dealing["piles"]}
    turn = BEGINNERS[dealing["turn"]](table)
    return fields | {"hands": [table.sorted(hand) for hand in table.hands], "turn": turn, "shuffles": table.shuffles}


def is_taxed(dealing: Dealing, start: Start) -> bool:
    """Return whether the options include a tax after the first deal."""
    return "tax" in dealing and _Table(b"", start).value(dealing["tax"]) is True


class _Table:
    """Piles and hands while the cards are dealt. Piles are bottom first."""

    def __init__(self, seed: bytes, start: Start) -> None:
        self.seed = seed
        self.start = start
        self.players = len(start["hands"])
        self.shuffles = 0
        self.pack: list[str] = []
        """The pack of the last shuffle, in order before it."""
        self.piles: dict[str, Any] = {}
        self.hands: list[list[str]] = [[] for _ in start["hands"]]
        self.turn: int | None = None

    def value(self, value: Any) -> Any:  # noqa: ANN401, PLR0911  (any JSON value; a return for each form)
        """Return a value of the description, which may depend on options, on the number of players, or on a tax."""
        match value:
            case {"if": condition, "then": then, "default": default}:
                return then if self.value(condition) else default
            case {"option": name, "is": wanted}:
                setting = self.start["options"].get(name)
                return type(setting) is type(wanted) and setting == wanted
            case {"option": name}:
                return self.start["options"].get(name, value.get("default"))
            case {"players": by_number, "default": default}:
                return by_number.get(str(self.players), default)
            case {"due": owed, "default": default}:
                return owed if self.start["dues"] else default
            case {"each_seat": by_seat}:
                return [by_seat for _ in self.hands]
        return value

    def number(self, value: Any, most: int) -> int:  # noqa: ANN401  (any JSON value)
        """Return a number of cards from 1 to `most`. Raises `UnreadableError` for any other value."""
        number = self.value(value)
        if type(number) is not int or not 1 <= number <= most:
            raise UnreadableError(say("{found} is no number of cards from 1 to {most}", found=repr(number), most=most))
        return number

    def sorted(self, cards: list[str]) -> list[str]:
        """Return cards in the order of the pack."""
        return sorted(cards, key=self.pack.index)

    def shuffle(self, cards: list[str]) -> list[str]:
        """Return the cards in the order of the next shuffle."""
        self.shuffles += 1
        return shuffled(self.seed, self.shuffles - 1, cards)


def _shuffle(table: _Table, step: Mapping[str, Any]) -> None:
    """Put a pack of several parts together, shuffle it, and make it a pile."""
    table.pack = [card for part in step["shuffle"] for card in _part(table, part)]
    if not 1 <= len(table.pack) <= MOST_CARDS:
        raise UnreadableError(say("`dealing` has a pack without cards, or of too many"))
    table.piles[step["to"]] = table.shuffle(table.pack)


def _part(table: _Table, part: Mapping[str, Any]) -> list[str]:
    """Return the cards of one part of a pack."""
    if "if" in part and not table.value(part["if"]):
        return []
    if "ranks" not in part:
        return list(part["cards"] if "cards" in part else table.piles[part["pile"]])
    ranks, suits = part["ranks"], part["suits"]
    if len(ranks) * len(suits) > MOST_CARDS:
        raise UnreadableError(say("`dealing` has a pack without cards, or of too many"))
    if part["by"] == "suit":
        cards = [rank + suit for suit in suits for rank in ranks]
    else:
        cards = [rank + suit for rank in ranks for suit in suits]
    without = table.value(part.get("without")) or "nothing"
    return [card for card in cards if not card.endswith(without)]


def _hands(table: _Table, step: Mapping[str, Any]) -> None:
    """Deal cards to all seats from the top of a pile, one at a time from the seat after the dealer."""
    pile = table.piles[step["from"]]
    for number in range(table.number(step["hands"], len(pile) // table.players) * table.players):
        table.hands[(table.start["dealer"] + 1 + number) % table.players].append(pile.pop())


def _take(table: _Table, step: Mapping[str, Any]) -> None:
    """Turn cards from the top of a pile, one at a time, onto a new pile."""
    pile = table.piles[step["from"]]
    table.piles[step["to"]] = [pile.pop() for _ in range(table.number(step["take"], len(pile)))]


def _share(table: _Table, step: Mapping[str, Any]) -> None:
    """Give each seat, from seat 0, cards from the bottom of a pile as its own pile."""
    pile = table.piles[step["from"]]
    size = table.number(step["share"], len(pile) // table.players)
    table.piles[step["to"]] = [pile[seat * size : (seat + 1) * size] for seat in range(table.players)]
    del pile[: size * table.players]


def _higher_top(table: _Table, step: Mapping[str, Any]) -> None:
    """The seat whose pile has the higher top card begins. In a tie, draw the seat, or shuffle both piles again."""
    while table.turn is None:
        first, second = (step["ranks"].index(pile[-1][0]) for pile in table.piles[step["higher_top"]])
        if first != second:
            table.turn = 0 if first > second else 1
        elif table.value(step["draw"]):
            table.turn = int(table.shuffle(["0", "1"])[0])
        elif table.shuffles > MOST_SHUFFLES:
            raise UnreadableError(say("no shuffle breaks the tie for the first turn"))
        else:
            table.piles[step["higher_top"]] = [table.shuffle(pile) for pile in table.piles[step["higher_top"]]]


def _hand_of_turn(table: _Table, step: Mapping[str, Any]) -> None:
    """Deal cards from the top of a pile to the seat that begins."""
    pile = table.piles[step["from"]]
    turn = 0 if table.turn is None else table.turn
    table.hands[turn] += [pile.pop() for _ in range(table.number(step["hand_of_turn"], len(pile)))]


def _sort(table: _Table, step: Mapping[str, Any]) -> None:
    """Make a new pile from a pile, in the order of the pack."""
    table.piles[step["to"]] = table.sorted(table.piles[step["sort"]])


VERBS: dict[str, Callable[[_Table, Mapping[str, Any]], None]] = {
    "shuffle": _shuffle,
    "hands": _hands,
    "take": _take,
    "share": _share,
    "higher_top": _higher_top,
    "hand_of_turn": _hand_of_turn,
    "sort": _sort,
}
"""The function for each step, by the step's first key."""


def _after_dealer(table: _Table) -> int:
    turn: int = (table.start["dealer"] + 1) % table.players
    return turn


def _first_due(table: _Table) -> int:
    """Return the seat that pays the first tax; without a tax, the seat after the dealer."""
    dues = table.start["dues"]
    turn: int = dues[0][0] if dues else _after_dealer(table)
    return turn


BEGINNERS: dict[str, Callable[[_Table], int | None]] = {
    "after_dealer": _after_dealer,
    "first_due": _first_due,
    "higher_top": lambda table: table.turn,
}
"""Functions that return the seat that begins, by the name in `turn`."""
