"""Encodes views and moves as arrays of numbers for learning players; a digest shows whether a saved net fits."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypedDict

import msgspec
import numpy as np
from msgspec import Struct, inspect
from numpy.typing import NDArray

from locanda.env.actions import Actions, Choice, values_of
from locanda.env.observations import Observations, copies, normalised, plain
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle

Mask: TypeAlias = NDArray[np.int8]


class Observation(TypedDict):
    """An agent's observation: its view and the actions of its current move as numbers, and the action mask."""

    observation: NDArray[np.float32]
    action_mask: Mask


class Encoding:
    """Encoding of a game's views and moves for a number of players. The function `encoding` caches it."""

    def __init__(self, game: AnyGame, players: int, options: Struct, *, padded: bool, normalised: bool) -> None:
        self.game: Final = game
        self.players: Final = players
        self.options: Final = options
        self.padded: Final = padded
        self.normalised: Final = normalised
        self.actions: Final = Actions(game)
        options, seats = _of_most_players(game) if padded else (options, players)
        fresh = game.deal(options, seats, 0, bytes(32), shuffle, None)
        self._scale: Final = _SCALES[normalised]
        self._views: Final = Observations(game, fresh, self._scale)
        size, chosen = len(self._views.names), self.actions.names if self.actions.have_lists else ()
        self.layout: Final[Mapping[str, slice]] = {**self._views.layout, "chosen": slice(size, size + len(chosen))}
        """Slice of each view field in an observation.

        The slice `chosen` counts the actions taken for the current move; it is empty if every move is one action.
        """
        self.names: Final = (*self._views.names, *[f"chosen {name}" for name in chosen])
        """Labels of an observation's numbers, by index."""
        self.digest: Final = _digest(self.actions.names, self.names, "normalised" if normalised else "plain")
        """16 hexadecimal digits that change if an action or a number of the observation changes."""

    def observe(self, view: Struct, choice: Choice | None) -> Observation:
        """Encode a seat's view and choice as an observation. Without a choice, the mask is all zero."""
        numbers, mask = bytearray(self._views.encode(view)), bytearray(len(self.actions))
        chosen = () if choice is None else choice.chosen
        if self.actions.have_lists:
            numbers += copies(chosen, len(mask), self._scale)[: 4 * len(mask)]
        for action in () if choice is None else choice.options:
            mask[action] = 1
        return Observation(observation=np.frombuffer(numbers, np.float32), action_mask=np.frombuffer(mask, np.int8))

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants)
        """Pickle only the arguments: the functions of a game cannot be pickled."""
        return _encoding, (self.game.name, self.players, self.options, self.padded, self.normalised)


_SCALES = {False: plain, True: normalised}


def encoding(game: str, players: int | None, options: object, *, padded: bool, normalised: bool) -> Encoding:
    """Return the encoding for arguments of `env`. Raises `ValueError` for unknown ones."""
    if game not in GAMES:
        raise ValueError(f"there is no game {game}: {', '.join(GAMES)}")
    chosen = converted(options or {}, GAMES[game].options, "options")
    admitted = GAMES[game].seats(chosen)
    players = min(admitted) if players is None else players
    if players not in admitted:
        raise ValueError(f"players: these options admit {min(admitted)} to {max(admitted)}")
    return _encoding(game, players, chosen, padded, normalised)


@lru_cache(maxsize=64)
def _encoding(game: str, players: int, options: Struct, padded: bool, normalised: bool) -> Encoding:  # noqa: FBT001
    return Encoding(GAMES[game], players, options, padded=padded, normalised=normalised)


def _of_most_players(game: AnyGame) -> tuple[Struct, int]:
    """Return options that allow the most players, and that number of players. At most one option is not the default."""
    kind, tried = inspect.type_info(game.options), [game.options()]
    assert isinstance(kind, inspect.StructType)  # noqa: S101
    for field in kind.fields:
        tried += [game.options(**{field.name: value}) for value in values_of(field.type, ()) or ()]
    options = max(tried, key=lambda options: max(game.seats(options)))
    return options, max(game.seats(options))


def _digest(*said: object) -> str:
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:16]


def converted(value: object, kind: Any, what: str) -> Any:  # noqa: ANN401  (a type)
    """Convert a value to a type. Raises `ValueError` for an invalid value; its message begins with `what`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{what}: {error}") from None
