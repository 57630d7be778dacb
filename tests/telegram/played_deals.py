"""Deals in play, made by the engine's functions, for tests of every game's screens."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import msgspec

from locanda.games.base import Refusal
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.messages import CheckMove, JsonObject, Seat, Table, Verdict
from locanda.texts.selection import takes_several
from services.engine.catalogue import details
from services.engine.service.checking import checked
from services.engine.table.fairness import shuffle
from services.telegram.play.cards import selection_to_check
from services.telegram.play.timeline import KEPT_TURNS, PlayedTurn
from services.telegram.screens.screen import Screen
from services.telegram.screens.table import TableViewModel
from tests.games.subjects import SUBJECTS
from tests.telegram.samples import NOW, REF, match, table

NAMES = ("Anna", "Bruno", "Carla", "Dora", "Elio", "Fabio", "Gina", "Hugo", "Irene", "Luca")


class PlayedDeal:
    """A deal under way at a table."""

    def __init__(self, name: str, deal: Any, turns: tuple[PlayedTurn, ...] = ()) -> None:
        self.game: AnyGame = GAMES[name]
        self.deal = deal
        self.turns = turns

    @property
    def turn(self) -> int | None:
        """The seat on turn."""
        turn: int | None = self.deal.turn
        return turn

    @property
    def events(self) -> tuple[JsonObject, ...]:
        """The events of the last move, and of earlier ones in the same turn."""
        return self.turns[-1].events if self.turns else ()

    def table(self, you: int | None) -> Table:
        """Return the table as the seat `you` sees it; None for a spectator."""
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

    def view_model(self, you: int | None, picked: Collection[int] = ()) -> TableViewModel:
        """Return the view model of a seat with selected cards, and the engine's verdict on them."""
        several = takes_several(self.game.name)
        seen, places = self.table(you), frozenset(picked if several else [*picked][:1])
        selection = selection_to_check(seen, places)
        verdict = None if selection is None else checked(self.game, CheckMove(selection=selection), self._refusal)
        return TableViewModel(
            ref=REF,
            game=details(self.game.name),
            table=seen,
            now=NOW,
            turns=self.turns,
            selected=places,
            verdict=verdict,
        )

    def check(self, move: JsonObject) -> Verdict:
        """Return the engine's verdict on a move."""
        check_move = CheckMove(move=msgspec.Raw(msgspec.json.encode(move)))
        return checked(self.game, check_move, self._refusal)

    def _refusal(self, move: Any) -> Refusal | None:
        return self.game.check(self.deal, move)


def position(name: str, **fields: Any) -> PlayedDeal:
    """Return a deal in this position; seat 0 is on turn unless `fields` name another seat."""
    game = GAMES[name]
    return PlayedDeal(name, game.from_wire(msgspec.convert({"game": name, "turn": 0, **fields}, game.wire_type)))


def labels(screen: Screen) -> list[str]:
    """Return the labels of a screen's buttons."""
    return [button.label for row in screen.rows for button in row]


def played_deals(name: str, seed: int, most: int = 400) -> Iterator[PlayedDeal]:
    """Yield every state of a random deal of each main variant of a game, until the deal ends or after `most` moves."""
    for options, seats in SUBJECTS[name].variants:
        rng = Random(seed)
        game = GAMES[name]
        ranking = tuple((seat,) for seat in range(seats))
        deal = game.deal(msgspec.convert(options, game.options), seats, 0, rng.randbytes(32), shuffle, ranking)
        yield PlayedDeal(name, deal)
        turns: tuple[PlayedTurn, ...] = ()
        for _ in range(most):
            moves = game.moves(deal)
            if not moves:
                break
            seat = deal.turn
            deal, events = game.play(deal, rng.choice(moves), shuffle)
            turns = (*turns, PlayedTurn(seat, tuple(msgspec.to_builtins(events))))[-KEPT_TURNS:]
            if len(turns) > 1 and turns[-2].seat == seat:
                turns = (*turns[:-2], PlayedTurn(seat, turns[-2].events + turns[-1].events))
            yield PlayedDeal(name, deal, turns)
