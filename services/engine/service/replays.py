"""Deals replayed from their logs, in memory: a computer player replays only what came after its last move."""

from collections import OrderedDict
from dataclasses import dataclass

from services.engine.service import codec
from services.engine.table.history import Replay, dealt, replay
from services.engine.table.state import AnyTable, game_of

REMEMBERED = 256
"""Tables whose replay is kept, of some 30 KB each."""


@dataclass(frozen=True, slots=True)
class _Replayed:
    lines: list[bytes]
    """The lines of the log that were replayed."""
    found: Replay


class Replays:
    """Replays the deals under way. What is kept is a function of the log's bytes, and can be forgotten at any time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Replayed] = OrderedDict()

    def of(self, table: AnyTable, lines: list[bytes]) -> Replay:
        """Return the replay of a deal's log. Raises as `codec.decode_log` and the game do."""
        kept = self._kept.pop(table.id, None)
        game = game_of(table)
        if kept is not None and kept.lines == lines[: len(kept.lines)]:
            made = codec.decode_moves(lines[len(kept.lines) :])
            found = replay(game, kept.found, made)
        else:
            start, made = codec.decode_log(table.game, lines)
            found = replay(game, Replay(dealt(game, start)), made)
        self._kept[table.id] = _Replayed(lines, found)
        if len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return found
