"""One thought of a computer player, as bytes that go to a process of its own and come back.

Only what the seat may know goes in: its view and the public events. This module imports the rules and the players
alone, so that a process that thinks loads nothing else.
"""

from functools import cache
from random import Random
from types import GenericAlias
from typing import Any

import msgspec
from msgspec import Raw, Struct

from locanda.reasons import Reason
from services.engine.games.base import AnyGame
from services.engine.games.registry import GAMES
from services.engine.players import choosing
from services.engine.players.base import AnySituation, Budget, Level, Situation


class ThoughtBudget(Struct, frozen=True, array_like=True):
    """How long a search may take: iterations, milliseconds of processor, or whatever is used up first."""

    iterations: int | None = None
    cpu_ms: float | None = None


class Question(Struct, frozen=True, array_like=True):
    """What a computer player is asked."""

    game: str
    level: Level
    view: Raw
    history: Raw
    """The game's events; nil where they are not known."""
    seed: bytes
    """Of the player's chance."""
    budget: ThoughtBudget


class Answer(Struct, frozen=True, array_like=True):
    """A move as plain data, why it was chosen, and how many simulations it took."""

    move: dict[str, Any]
    reason: Reason
    simulations: int


_encoder = msgspec.msgpack.Encoder()
_questions = msgspec.msgpack.Decoder(Question)


def question(game: AnyGame, situation: AnySituation, level: Level, seed: bytes, budget: ThoughtBudget) -> Question:
    """Return the question for a situation."""
    view, history = Raw(_encoder.encode(situation.view)), Raw(_encoder.encode(situation.history))
    return Question(game.name, level, view, history, seed, budget)


def encoded(asked: Question) -> bytes:
    """Return a question as bytes."""
    return _encoder.encode(asked)


def rng_of(seed: bytes) -> Random:
    """Return the generator of a player's chance."""
    return Random(seed)  # noqa: S311  (chooses among moves; it deals no cards)


def read_situation(game: AnyGame, asked: Question) -> AnySituation:
    """Return the situation of a question."""
    view = msgspec.msgpack.decode(asked.view, type=game.view_type)
    return Situation(view, msgspec.msgpack.decode(asked.history, type=_history_type(game.name)))


@cache
def _history_type(game: str) -> Any:  # noqa: ANN401  (mypy has no type for a union)
    return GenericAlias(tuple, (GAMES[game].event_type, ...)) | None


def answer(data: bytes) -> bytes:
    """Return the encoded answer to an encoded question."""
    asked = _questions.decode(data)
    game = GAMES[asked.game]
    budget = Budget(asked.budget.iterations, asked.budget.cpu_ms)
    chosen = choosing.choose(game, read_situation(game, asked), asked.level, rng_of(asked.seed), budget)
    return _encoder.encode(Answer(msgspec.to_builtins(chosen.move), chosen.reason, chosen.simulations))
