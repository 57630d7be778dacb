"""The comparisons of players: opponents, tables and numbers of bouts."""

from typing import Any

import msgspec
from msgspec import Struct


class Comparison(Struct, frozen=True):
    """One player against others at a table. `bouts` deals are each played once from every seat."""

    game: str
    first: str
    second: str
    bouts: int
    seats: int = 2
    options: dict[str, Any] = {}

    @property
    def key(self) -> str:
        """The key under which the comparison's bouts are stored."""
        options = msgspec.json.encode(self.options, order="sorted").decode()
        return f"{self.game} {self.seats} {self.first} {self.second} {options}"


CLAIM = 400
"""The number of bouts of comparisons that support a level's claim."""
CHECK = 100
"""The number of bouts of other comparisons, or of slow players."""
TABLE = "hard:200ms"
"""The default budget at tables."""
LONG = "hard:1000ms"
"""Five times the default budget, to see whether more time helps."""
QUICK = "hard:40ms"
"""A fifth of the default budget, for tables where the only question is whether `hard` wins at least its share."""

SEATS = {"gatto_rosso": 2, "ramino": 2, "diavoletto": 2, "presidente": 3}
"""The number of players for which the levels make their claims."""
OTHER_TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("gatto_rosso", 3, {}),
    ("gatto_rosso", 4, {}),
    ("gatto_rosso", 5, {}),
    ("gatto_rosso", 6, {}),
    ("gatto_rosso", 8, {}),
    ("gatto_rosso", 2, {"cats": True}),
    ("gatto_rosso", 2, {"voluntary_pass": True, "last_trick": "play_out"}),
    ("gatto_rosso", 4, {"pass_lock": True, "cats": True}),
    ("ramino", 3, {}),
    ("ramino", 4, {}),
    ("ramino", 2, {"ramino_double": False, "return_taken": True}),
    ("ramino", 2, {"stock_end": "block"}),
    ("diavoletto", 2, {"max_piles": 4}),
    ("diavoletto", 2, {"discard_order": "descending", "joker_discard": False}),
    ("diavoletto", 2, {"mazzetto_size": 13}),
    ("presidente", 2, {}),
    ("presidente", 4, {}),
    ("presidente", 5, {}),
    ("presidente", 3, {"joker": True, "eight": True}),
    ("presidente", 2, {"leftovers": "hidden"}),
    ("presidente", 4, {"tax": True, "joker": True}),
)


def _claims(game: str, seats: int) -> tuple[Comparison, ...]:
    return (
        Comparison(game, "easy", "chance", CLAIM, seats),
        Comparison(game, "medium", "chance", CLAIM, seats),
        Comparison(game, "medium", "easy", CLAIM, seats),
        Comparison(game, LONG, "medium", CHECK, seats),
        Comparison(game, TABLE, "medium", CLAIM, seats),
        Comparison(game, QUICK, "medium", CLAIM, seats),
        Comparison(game, QUICK, "easy", CHECK, seats),
    )


BOUNDS = tuple(
    Comparison(game, bound, "medium", CHECK, SEATS[game], options)
    for game, options in (("gatto_rosso", {}), ("ramino", {"target": 1}), ("presidente", {}))
    for bound in ("peek:60", "cheat")
)
"""Comparisons that show how much a player gains by seeing every card. Ramino is played deal by deal, and Diavoletto is
left out: its deals have some hundred turns of a dozen moves each.
"""

TABLES_OF_STRANGERS = (
    *SEATS.items(),
    *(("gatto_rosso", seats) for seats in (3, 4, 5, 6)),
    ("ramino", 3),
    ("ramino", 4),
    ("presidente", 2),
)
STRANGERS = (
    *(Comparison(game, QUICK, "simple", CLAIM, seats) for game, seats in TABLES_OF_STRANGERS),
    *(Comparison(game, QUICK, "flat:40ms", CHECK, seats) for game, seats in TABLES_OF_STRANGERS),
    *(Comparison(game, TABLE, "simple", CHECK, seats) for game, seats in SEATS.items()),
    *(Comparison(game, TABLE, "flat:200ms", CHECK, seats) for game, seats in SEATS.items()),
)
"""Comparisons with players that were not used for tuning."""

COMPARISONS = (
    *BOUNDS,
    *STRANGERS,
    *(claim for game, seats in SEATS.items() for claim in _claims(game, seats)),
    *(Comparison(game, QUICK, "medium", CLAIM, seats, options) for game, seats, options in OTHER_TABLES),
)
