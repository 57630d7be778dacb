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


class Answer(Struct, frozen=True, array_like=True, tag=True):
    """A move as plain data, why it was chosen, and how many simulations it took."""

    move: dict[str, Any]
    reason: Reason
    simulations: int


class Rejected(Struct, frozen=True, array_like=True, tag=True):
    """A question that was posted makes no sense: `field` names the part, `detail` the reason."""

    field: str
    detail: str


_encoder = msgspec.msgpack.Encoder()
_questions = msgspec.msgpack.Decoder(Question)
_answers = msgspec.msgpack.Decoder(Answer | Rejected)


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
    return _encoder.encode(_answer(game, asked, read_situation(game, asked)))


def _answer(game: AnyGame, asked: Question, situation: AnySituation) -> Answer:
    budget = Budget(asked.budget.iterations, asked.budget.cpu_ms)
    chosen = choosing.choose(game, situation, asked.level, rng_of(asked.seed), budget)
    return Answer(msgspec.to_builtins(chosen.move), chosen.reason, chosen.simulations)


def answer_posted(data: bytes) -> bytes:
    """Return the encoded answer to a question that anybody may have made up, or why there is none."""
    asked = _questions.decode(data)
    game = GAMES[asked.game]
    situation = read_situation(game, asked)
    if not _is_possible(game, situation):
        return _encoder.encode(Rejected("view", "no deal of this game looks like that"))
    try:
        found = _answer(game, asked, situation)
    except TimeoutError:
        raise
    except Exception:
        if situation.history is None:
            raise
        return _encoder.encode(Rejected("history", "these events do not lead to the view"))
    return _encoder.encode(found)


def _is_possible(game: AnyGame, situation: AnySituation) -> bool:
    """Return whether a deal of the game can look like this, and somebody is to move in it."""
    view = situation.view
    try:
        deal = game.determinize(view, rng_of(b""))
        sound = game.from_wire(game.to_wire(deal)) == deal
        return sound and game.view(deal, view.seat) == view and bool(game.moves(deal))
    except TimeoutError:
        raise
    except Exception:  # noqa: BLE001 - a deal that its own game cannot read is none
        return False


def read_answer(data: bytes) -> Answer | Rejected:
    """Return a process's answer."""
    found: Answer | Rejected = _answers.decode(data)
    return found
