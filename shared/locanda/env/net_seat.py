"""From a trained net to a seat: the view and the moves that an own player or a client gets, as numbers, and back."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from locanda.env.actions import Actions, Choice, action_number
from locanda.env.encoding import Encoding, Observation, converted, encoding
from locanda.messages import AnyGameName, AnyOptions

M = TypeVar("M")


class NetSeat:
    """A seat that a net plays: its observations and actions are those of `env` with the same arguments.

    It stores nothing of a table, so one object can play at any number of them.
    """

    def __init__(
        self,
        game: AnyGameName,
        players: int | None = None,
        options: AnyOptions | None = None,
        *,
        padded: bool = False,
        normalised: bool = False,
    ) -> None:
        """Raise `ValueError` for an unknown game, impossible options or number of players."""
        self._encoding: Final[Encoding] = encoding(game, players, options, padded=padded, normalised=normalised)

    @property
    def actions(self) -> Actions:
        """The list of actions: `names` says what each number means."""
        return self._encoding.actions

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the numbers in `observation`, one each, in their order."""
        return self._encoding.names

    @property
    def layout(self) -> Mapping[str, slice]:
        """The place of each field of the view in `observation`."""
        return self._encoding.layout

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change with the actions and with the observation: save them with a net."""
        return self._encoding.digest

    def turn(self, view: object, moves: Sequence[M]) -> "NetTurn[M]":
        """Begin a turn: `view` and `moves` as an own player gets them, or `deal` and `moves` of a table.

        Raises `ValueError` if they are not of this game, or of another number of players and not `padded`.
        """
        game = self._encoding.game
        seen: Any = view if isinstance(view, game.view_type) else _decoded(view, game.view_type, "view")
        if len(seen.counts) != self._encoding.players and not self._encoding.padded:
            raise ValueError(f"view: it is of {len(seen.counts)} players, the seat of {self._encoding.players}")
        if not moves:
            raise ValueError("moves: there is none")
        return NetTurn(self._encoding, seen, {_decoded(move, game.move_type, "moves"): move for move in moves})


def _decoded(value: object, kind: Any, what: str) -> Any:  # noqa: ANN401  (types)
    return converted(msgspec.to_builtins(value), kind, what)


class NetTurn(Generic[M]):
    """A turn of a seat: actions are taken until one move is certain."""

    def __init__(self, encoding: Encoding, view: Struct, moves: Mapping[Struct, M]) -> None:
        """Use `NetSeat.turn`."""
        self._encoding = encoding
        self._view = view
        self._moves = moves
        self._choice = Choice(encoding.actions, [*moves])
        self.move: M | None = next(iter(moves.values())) if len(moves) == 1 else None
        """The move, as it was listed, once it is certain; of a single move it is from the beginning."""

    def observe(self) -> Observation:
        """Return `observation` and `action_mask`, NumPy arrays of `float32` and `int8`."""
        return self._encoding.observe(self._view, self._choice)

    def take(self, action: int) -> None:
        """Take an action. Raises `ValueError` for one that the mask does not have."""
        move = self._choice.take(action_number(action))
        if move is not None:
            self.move = self._moves[move]
