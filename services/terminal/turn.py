"""A person's turn: the legal moves are listed, and what is typed becomes one of them."""

from datetime import UTC, datetime

from services.terminal.choosing import LISTED, Chosen, Refused, Several, choose
from services.terminal.desk import Desk
from services.terminal.failures import explained
from services.terminal.games.registry import DRAWINGS
from services.terminal.places import KeptSeat
from shared.errors import IllegalMoveError
from shared.games import ramino
from shared.messages import JsonObject, Table
from shared.words.phrases import duration


class Turn:
    """What is asked, and what is answered."""

    def __init__(self, desk: Desk, seat: KeptSeat, game: str) -> None:
        self._desk = desk
        self._seat = seat
        self._game = game
        self._listed: list[JsonObject] = []

    @property
    def example(self) -> str:
        """How cards are typed."""
        return "VII, leone" if self._game == ramino.NAME else "7h 10♠ *"

    def ask(self, table: Table) -> None:
        """Ask for a move, if it is the person's turn."""
        if not table.moves:
            return
        task = DRAWINGS[table.game].task(table.deal, table.moves, self._desk.words)
        self._desk.paper.say()
        self._desk.paper.say(f"{self._yours(table)} {task}", style="bold")
        self._list(table, table.moves)

    def _yours(self, table: Table) -> str:
        if not table.turn_seconds or table.deadline is None:
            return self._desk.gettext("Your turn.")
        left = max(1, round((table.deadline - datetime.now(UTC)).total_seconds()))
        return self._desk.gettext("Your turn, {time} left.", time=duration(left, self._desk.words))

    def _list(self, table: Table, moves: list[JsonObject]) -> None:
        drawing = DRAWINGS[table.game]
        self._listed = moves[:LISTED]
        self._desk.paper.choices([drawing.label(move, table.deal, self._desk.words) for move in self._listed])
        more = len(moves) - len(self._listed)
        if more:
            self._desk.say("… and {n} more: type the cards, as in {cards}.", n=more, cards=self.example)

    async def said(self, table: Table, text: str) -> Table | None:
        """Make the move that is meant and return the table after it, or say why not. Raises `EngineError`."""
        drawing, words = DRAWINGS[table.game], self._desk.words
        if table.deal is None:
            return None
        match choose(text, self._listed, table.moves, table.deal, drawing, words):
            case Chosen(move):
                return await self._play(table, move)
            case Several(moves):
                self._desk.say("Which one?")
                self._list(table, moves)
            case Refused(wish):
                return await self._explain(table, wish)
            case _:
                self._desk.say("I do not understand that. ? helps.")
        return None

    async def _play(self, table: Table, move: JsonObject) -> Table | None:
        try:
            return (await self._desk.engine.play(table.id, self._seat.token, move, version=table.version)).table
        except IllegalMoveError as error:
            self._refuse(table, error.code, error.problem.facts or {})
        return None

    async def _explain(self, table: Table, wish: JsonObject) -> Table | None:
        verdict = await self._desk.engine.check(table.id, self._seat.token, wish)
        if verdict.legal:
            return await self._play(table, wish)
        self._refuse(table, verdict.code or "", verdict.facts or {})
        return None

    def _refuse(self, table: Table, code: str, facts: JsonObject) -> None:
        told = explained(code, facts, table, self._desk.words)
        self._desk.paper.say(told or self._desk.gettext("That is not possible now."))
