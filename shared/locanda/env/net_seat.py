"""Lets a trained net play at a table: converts an engine's views and legal moves to numbers, and actions to moves."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from locanda.env.actions import Actions, Choice, action_number
from locanda.env.encoding import Encoding, Observation, converted, encoding
from locanda.messages import AnyGameName, AnyOptions

M = TypeVar("M")


class NetSeat:
    """A seat that a net plays at any number of tables, with observations and actions of `env`."""

    def __init__(
        self,
        game: AnyGameName,
        players: int | None = None,
        options: AnyOptions | None = None,
        *,
        padded: bool = False,
        normalised: bool = False,
    ) -> None:
        """Raise `ValueError` for an unknown game, invalid options or an impossible number of players."""
        self._encoding: Final[Encoding] = encoding(game, players, options, padded=padded, normalised=normalised)

    @property
    def actions(self) -> Actions:
        """All actions; their `names` say what each number means."""
        return self._encoding.actions

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the numbers in `observation`, by index."""
        return self._encoding.names

    @property
    def layout(self) -> Mapping[str, slice]:
        """The slice of each view field in `observation`."""
        return self._encoding.layout

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change if actions or observations change. Save them with a trained net."""
        return self._encoding.digest

    def turn(self, view: object, moves: Sequence[M]) -> "NetTurn[M]":
        """Begin a turn from a table's `deal` and `moves`, or from the `view` and `moves` of an engine's request.

        Raises `ValueError` if they belong to another game, to another number of players unless `padded`, or if there is
        no move.
        """
        game = self._encoding.game
        seen: Any = view if isinstance(view, game.view_type) else _decoded(view, game.view_type, "view")
        if len(seen.counts) != self._encoding.players and not self._encoding.padded:
            raise ValueError(f"view: it is of {len(seen.counts)} players, the seat of {self._encoding.players}")
        if not moves:
            raise ValueError("moves: there is none")
        return NetTurn(self._encoding, seen, {_decoded(move, game.move_type, "moves"): move for move in moves})


def _decoded(value: object, kind: Any, what: str) -> Any:  # noqa: ANN401  (a type)
    return converted(msgspec.to_builtins(value), kind, what)


class NetTurn(Generic[M]):
    """One turn of a seat: take actions until `move` is set."""

    def __init__(self, encoding: Encoding, view: Struct, moves: Mapping[Struct, M]) -> None:
        """Use `NetSeat.turn` instead."""
        self._encoding = encoding
        self._view = view
        self._moves = moves
        self._choice = Choice(encoding.actions, [*moves])
        self.move: M | None = next(iter(moves.values())) if len(moves) == 1 else None
        """The chosen move, as it was in the list of legal moves; None until one move is left."""

    def observe(self) -> Observation:
        """Return the `observation` (`float32`) and the `action_mask` (`int8`) as NumPy arrays."""
        return self._encoding.observe(self._view, self._choice)

    def take(self, action: int) -> None:
        """Take an action. Raises `ValueError` for an action outside the mask."""
        move = self._choice.take(action_number(action))
        if move is not None:
            self.move = self._moves[move]
