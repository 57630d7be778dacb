"""Computations of computer players, run in worker processes; questions and answers are bytes.

A question contains only what the seat may know: its view and the public events. This module imports only the rules and
the computer players, so that a worker loads nothing else.
"""

from functools import cache
from random import Random
from time import monotonic
from types import GenericAlias
from typing import Any

import msgspec
from msgspec import Raw, Struct

from locanda.explanations import Reason
from locanda.games import choosing, pricing
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.rules import GAMES
from locanda.messages import ComputerLevel

ON_A_BUSY_MACHINE = 1.5
"""Wall-clock limit of a search as a multiple of its processor time, since other processes share the machine."""


class ThoughtBudget(Struct, frozen=True, array_like=True):
    """How long a search may take, in iterations, processor milliseconds and wall-clock time.

    The limit that is reached first ends the search.
    """

    iterations: int | None = None
    cpu_ms: float | None = None
    until: float | None = None
    """Wall-clock limit of the search, in seconds of `time.monotonic`. By default, the search may take
    `ON_A_BUSY_MACHINE` times its processor time.
    """


class Question(Struct, frozen=True, array_like=True):
    """A question to a computer player: which move to make in a situation."""

    game: str
    level: ComputerLevel
    view: Raw
    history: Raw
    """The game's events; nil if unknown."""
    seed: bytes
    """Seed of the player's random choices."""
    budget: ThoughtBudget


class Comparison(Question, frozen=True, array_like=True):
    """A question about a played move: what would `hard` have played, and how much did the played move cost?"""

    played: Raw


class Compared(Struct, frozen=True, array_like=True):
    """The move of `hard` with its reason and value, and how much less the played move was worth."""

    best: dict[str, Any]
    reason: Reason
    cost: float
    value: float | None = None
    chance: float = 1.0
    """The probability that a random move is as good as the one of `hard`."""


class Answer(Struct, frozen=True, array_like=True, tag=True):
    """A move as plain data, the reason for it, and the number of simulations."""

    move: dict[str, Any]
    reason: Reason
    simulations: int


class Rejected(Struct, frozen=True, array_like=True, tag=True):
    """A client's question is invalid. `field` names the invalid part, `detail` the reason."""

    field: str
    detail: str


_encoder = msgspec.msgpack.Encoder()
_questions = msgspec.msgpack.Decoder(Question)
_comparisons = msgspec.msgpack.Decoder(Comparison)
_compared = msgspec.msgpack.Decoder(Compared)
_answers = msgspec.msgpack.Decoder(Answer | Rejected)


def question(
    game: AnyGame, situation: AnySituation, level: ComputerLevel, seed: bytes, budget: ThoughtBudget
) -> Question:
    """Return the question for a situation."""
    view, history = Raw(_encoder.encode(situation.view)), Raw(_encoder.encode(situation.history))
    return Question(game.name, level, view, history, seed, budget)


def comparison(question: Question, played: Struct) -> Comparison:
    """Return the question about a move that was played in the situation of another question."""
    raw = Raw(_encoder.encode(played))
    return Comparison(
        question.game, question.level, question.view, question.history, question.seed, question.budget, raw
    )


def encoded(question: Question) -> bytes:
    """Return a question as bytes."""
    return _encoder.encode(question)


def rng_of(seed: bytes) -> Random:
    """Return a random generator with a seed."""
    return Random(seed)  # noqa: S311  (chooses moves, does not deal cards)


def read_situation(game: AnyGame, question: Question) -> AnySituation:
    """Return the situation of a question."""
    view = msgspec.msgpack.decode(question.view, type=game.view_type)
    return Situation(view, msgspec.msgpack.decode(question.history, type=_history_type(game.name)))


@cache
def _history_type(game: str) -> Any:  # noqa: ANN401  (mypy has no type for a union)
    return GenericAlias(tuple, (GAMES[game].event_type, ...)) | None


def answer(data: bytes) -> bytes:
    """Return the encoded answer to an encoded question."""
    question = _questions.decode(data)
    game = GAMES[question.game]
    return _encoder.encode(_answer(game, question, read_situation(game, question)))


def _answer(game: AnyGame, question: Question, situation: AnySituation) -> Answer:
    chosen = choosing.choose(game, situation, question.level, rng_of(question.seed), _budget(question))
    return Answer(msgspec.to_builtins(chosen.move), chosen.reason, chosen.simulations)


def _budget(question: Question) -> Budget:
    cpu_ms, until = question.budget.cpu_ms, question.budget.until
    if until is None and cpu_ms is not None:
        until = monotonic() + ON_A_BUSY_MACHINE * cpu_ms / 1000
    return Budget(question.budget.iterations, cpu_ms, until)


def answer_posted(data: bytes) -> bytes:
    """Return the encoded answer to a client's question, or the error in the question."""
    question = _questions.decode(data)
    game = GAMES[question.game]
    situation = read_situation(game, question)
    if not _is_possible(game, situation):
        return _encoder.encode(Rejected("view", "no deal of this game has this view"))
    try:
        chosen_answer = _answer(game, question, situation)
    except TimeoutError:
        raise
    except Exception:
        if situation.history is None:
            raise
        # raises the error again, unless the events were its cause
        _answer(game, question, Situation(situation.view, None))
        return _encoder.encode(Rejected("history", "these events do not lead to the view"))
    return _encoder.encode(chosen_answer)


def _is_possible(game: AnyGame, situation: AnySituation) -> bool:
    """Return whether a deal of the game can lead to this view, with a seat on turn."""
    view = situation.view
    try:
        deal = game.determinize(view, rng_of(b""))
        sound = game.from_wire(game.to_wire(deal)) == deal
        return sound and game.view(deal, view.seat) == view and bool(game.moves(deal))
    except TimeoutError:
        raise
    except Exception:  # noqa: BLE001 - its own game cannot read it
        return False


def compare(data: bytes) -> bytes:
    """Return the encoded answer to an encoded question about a played move."""
    question = _comparisons.decode(data)
    game = GAMES[question.game]
    situation, played = read_situation(game, question), msgspec.msgpack.decode(question.played, type=game.move_type)
    priced = pricing.compare(game, situation, played, rng_of(question.seed), _budget(question))
    return _encoder.encode(
        Compared(
            msgspec.to_builtins(priced.best),
            priced.reason,
            round(priced.cost, 6),
            round(priced.value, 6),
            priced.chance,
        )
    )


def read_comparison(data: bytes) -> Compared:
    """Return a worker's answer about a played move."""
    return _compared.decode(data)


def read_answer(data: bytes) -> Answer | Rejected:
    """Return a worker's answer."""
    answer: Answer | Rejected = _answers.decode(data)
    return answer
