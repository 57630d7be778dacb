"""Reviews of finished deals: each of a person's moves, beside what `hard` would have played with what they saw then."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct

from locanda import messages
from locanda.messages import Language
from locanda.reasons import ONLY_MOVE
from locanda.texts.words import move_label
from services.engine.games.base import AnyGame
from services.engine.service import thought
from services.engine.service.advice import Advisor, translated
from services.engine.service.errors import LostLogError
from services.engine.service.queries import prove
from services.engine.service.thought import Compared, ThoughtBudget
from services.engine.service.unserved import UNEXPECTED_ERRORS
from services.engine.table.history import Decision, decisions
from services.engine.table.state import DealStart, MoveMade

FEWEST, MOST = 12, 200
"""Simulations for each move."""
WORST = 3
"""How many moves at most are shown with what the player saw."""
REMEMBERED = 256
"""Reviews in memory, of some 20 KB each."""

Key: TypeAlias = tuple[str, int, int, int]
"""Table, match, deal, seat."""


@dataclass(slots=True)
class _Review:
    """A review under way, or done: whoever asks again goes on where the last one stopped."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    compared: list[Compared] = field(default_factory=list)
    """By the seat's moves."""


class Reviews:
    """Reviews deals, and remembers its reviews: they depend on the deal's log alone."""

    def __init__(self, advisor: Advisor, iterations: int) -> None:
        self._advisor = advisor
        self._iterations = iterations
        self._found: OrderedDict[Key, _Review] = OrderedDict()

    async def review(
        self,
        game: AnyGame,
        log: tuple[DealStart[Struct], list[MoveMade]],
        seat: int,
        language: Language,
        *,
        words: bool = False,
    ) -> messages.Review:
        """Return the review of a seat's moves in a deal that is over. Raises `LostLogError`, `NoThoughtError`."""
        start, made = log
        try:
            prove(game, start, made)
            found = list(decisions(game, start, made, seat))
        except UNEXPECTED_ERRORS:
            raise LostLogError from None
        review = self._of((start.match.table, start.match.number, start.match.deal, seat))
        async with review.lock:
            for each in found[len(review.compared) :]:
                review.compared.append(await self._compare(game, start, each, self._budget(found)))
        return _shown(game, found, review.compared, language, words=words)

    def _of(self, key: Key) -> _Review:
        review = self._found.setdefault(key, _Review())
        self._found.move_to_end(key)
        if len(self._found) > REMEMBERED:
            self._found.popitem(last=False)
        return review

    def _budget(self, found: Sequence[Decision]) -> ThoughtBudget:
        """Return the simulations for each move, so that a review of many moves takes no longer than one of few."""
        free = sum(len(each.moves) > 1 for each in found)
        return ThoughtBudget(iterations=max(FEWEST, min(MOST, self._iterations // max(1, free))))

    async def _compare(
        self, game: AnyGame, start: DealStart[Struct], made: Decision, budget: ThoughtBudget
    ) -> Compared:
        """Return what `hard` would have played. The seed is public, so that all engines find the same."""
        if len(made.moves) == 1:
            return Compared(msgspec.to_builtins(made.played), ONLY_MOVE.because(), 0.0)
        public = start.match.deal_seed(start.match.deal).hex()
        seed = hashlib.sha256(f"review {public} {made.number}".encode()).digest()
        asked = thought.comparison(thought.question(game, made.situation, "hard", seed, budget), made.played)
        return thought.read_comparison(await self._advisor.think(asked, thought.compare))


def _shown(
    game: AnyGame, found: Sequence[Decision], compared: Sequence[Compared], language: Language, *, words: bool
) -> messages.Review:
    costly = sorted((at for at, each in enumerate(compared) if each.cost > 0), key=lambda at: -compared[at].cost)
    worst = [found[at].number for at in costly[:WORST]]
    moves = [
        messages.ReviewedMove(
            number=decision.number,
            played=msgspec.to_builtins(decision.played),
            best=each.best,
            cost=each.cost,
            reason=translated(game, each.reason, language),
            view=decision.situation.view if decision.number in worst else None,
            words=_words(game, decision, each, language) if words else UNSET,
        )
        for decision, each in zip(found, compared, strict=True)
    ]
    return messages.Review(moves, worst)


def _words(game: AnyGame, decision: Decision, compared: Compared, language: Language) -> messages.ReviewWords:
    """Return the labels of the move played and of the best one, as they were when the move was made."""
    played = msgspec.to_builtins(decision.played)
    labels = [move_label(game.name, move, decision.situation.view, language) for move in (played, compared.best)]
    return messages.ReviewWords(language, *labels)
