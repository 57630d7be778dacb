"""Tables in the middle of real deals, as the engine's own functions make them: for the screens of every game."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import msgspec

from services.engine.catalogue import details
from services.engine.fairness import shuffle
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import Screen
from services.telegram.screens.selecting import questions
from shared.messages import JsonObject, Seat, Table, Verdict
from tests.engine.games.subjects import SUBJECTS
from tests.telegram.scenes import NOW, REF, match, table

NAMES = ("Anna", "Bruno", "Carla", "Dora", "Elio", "Fabio", "Gina", "Hugo", "Irene", "Luca")


class Played:
    """A deal under way at a table."""

    def __init__(self, name: str, deal: Any, events: tuple[JsonObject, ...] = ()) -> None:
        self.game: AnyGame = GAMES[name]
        self.deal = deal
        self.events = events

    @property
    def turn(self) -> int | None:
        """The seat on turn."""
        turn: int | None = self.deal.turn
        return turn

    def table(self, you: int | None) -> Table:
        """The table as a seat sees it."""
        view = self.game.view(self.deal, you)
        moves = self.game.moves(self.deal) if you is not None and you == self.turn else []
        seats = len(view.counts)
        return table(
            game=self.game.name,
            you=you,
            seats=tuple(Seat(number, NAMES[number], "person", None, away=False) for number in range(seats)),
            match=match(points=(0,) * seats),
            deal=view,
            moves=msgspec.to_builtins(moves),
        )

    def scene(self, you: int | None, picked: Collection[int] = ()) -> Scene:
        """The scene of a seat that has taken cards up, with what the engine says of them."""
        seen, places = self.table(you), frozenset(picked)
        verdicts = tuple(self.check(move) for move in questions(seen, places))
        return Scene(
            ref=REF,
            game=details(self.game.name),
            table=seen,
            now=NOW,
            acts=self.events,
            picked=places,
            verdicts=verdicts,
        )

    def check(self, move: JsonObject) -> Verdict:
        """What the engine answers of a move."""
        refusal = self.game.check(self.deal, msgspec.convert(move, self.game.move_type))
        return (
            Verdict(legal=True) if refusal is None else Verdict(False, refusal.code, msgspec.to_builtins(refusal.facts))
        )


def posted(name: str, **fields: Any) -> Played:
    """A position; seat 0 is on turn unless another is named."""
    game = GAMES[name]
    return Played(name, game.read(msgspec.convert({"game": name, "turn": 0, **fields}, game.record_type)))


def labels(screen: Screen) -> list[str]:
    """What the buttons say."""
    return [button.label for row in screen.rows for button in row]


def moments(name: str, seed: int, most: int = 400) -> Iterator[Played]:
    """Yield a deal of each main variant of a game from its start to its end, or until it has lasted long enough."""
    for options, seats in SUBJECTS[name].variants:
        rng = Random(seed)
        game = GAMES[name]
        ranking = tuple((seat,) for seat in range(seats))
        deal = game.deal(msgspec.convert(options, game.options), seats, 0, rng.randbytes(32), shuffle, ranking)
        yield Played(name, deal)
        for _ in range(most):
            moves = game.moves(deal)
            if not moves:
                break
            deal, events = game.play(deal, rng.choice(moves), shuffle)
            yield Played(name, deal, tuple(msgspec.to_builtins(events)))
