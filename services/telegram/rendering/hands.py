"""Rendering of hands in private chats, and the turns for which people are notified by a new message."""

import asyncio
from collections.abc import Mapping

from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.errors import UnauthorizedError
from locanda.messages import Table
from locanda.translations import Language
from services.telegram.records import ChatTable, HandSlot, TableSlot
from services.telegram.repositories import Repositories
from services.telegram.screens.hand import Departure, hand_screen, left_screen, moves_to_check
from services.telegram.screens.screen import looks_like
from services.telegram.screens.table import TableViewModel
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox


class SeatedPerson(Struct, frozen=True):
    """A person at a table, with the table as they may see it."""

    user: int
    token: str
    table: Table
    language: Language
    reachable: bool


class HandRenderer:
    """Draws hands."""

    def __init__(self, engine: EngineClient, repositories: Repositories, outbox: Outbox) -> None:
        self._engine = engine
        self._people = repositories.people
        self._chats = repositories.chats
        self._seats = repositories.seats
        self._messages = repositories.messages
        self._outbox = outbox
        self._turns: dict[HandSlot, str] = {}
        """For each hand, the turn for which it was last sent as a new message."""

    async def seated_people(self, chat_table: ChatTable) -> list[SeatedPerson]:
        """Return the people seated at a table, each with the table as they may see it."""
        tokens = await self._seats.tokens(chat_table.ref)
        found = await asyncio.gather(*(self._seated(chat_table, user, token) for user, token in tokens.items()))
        return [person for person in found if person is not None]

    async def _seated(self, chat_table: ChatTable, user: int, token: str) -> SeatedPerson | None:
        try:
            table = await self._engine.table(chat_table.engine or "", token)
        except UnauthorizedError:
            await self._seats.forget(chat_table.ref, user)
            return None
        person = await self._people.person(user)
        if person is None:
            return SeatedPerson(user, token, table, "en", reachable=False)
        return SeatedPerson(user, token, table, person.language, person.reachable)

    async def draw(self, chat_table: ChatTable, model: TableViewModel, people: list[SeatedPerson], since: int) -> None:
        """Draw the hand of each person as it is now, which may be newer than the model; `since` is the turn's version.

        A newer hand keeps its notified turn, and a newer first hand is not sent: the event that is about to arrive
        decides on both, and a hand sent before it would be sent again at once. One who has left meanwhile gets none.
        """
        chat = await self._chats.chat(chat_table.chat)
        place = "" if chat_table.alone else chat.title
        turns = await self._messages.notified_turns(chat_table.ref)
        known = await self._messages.by_slot(chat_table.ref)
        for person in people:
            if person.reachable:
                own = await self._own(chat_table, structs.replace(model, table=person.table, place=place), person)
                before = self._turns.get(HandSlot(chat_table.ref, person.user), turns.get(person.user, ""))
                newer = person.table.version > model.table.version
                if (before or not newer) and await self._seats.token(chat_table.ref, person.user) is not None:
                    turn = before if newer else _turn_to_notify(own, since, before)
                    self._draw_hand(own, person, known, turn, replace=turn != before)

    def _draw_hand(
        self, model: TableViewModel, person: SeatedPerson, known: Mapping[TableSlot, int], turn: str, *, replace: bool
    ) -> None:
        slot, screen = HandSlot(model.ref, person.user), hand_screen(model, person.language)
        self._turns[slot] = turn
        shown = self._outbox.screen(slot, person.user)
        if shown is not None and looks_like(shown, screen) and not replace and model.turn != person.table.you:
            return  # of one who waits nothing has changed but the version, which only their next turn needs
        self._outbox.show(
            slot,
            Address(person.user),
            screen,
            message=known.get(slot),
            priority=Priority.HAND,
            replace=replace,
            create=person.table.status == "playing",
        )

    async def _own(self, chat_table: ChatTable, model: TableViewModel, person: SeatedPerson) -> TableViewModel:
        """Return the model with the cards that its viewer has selected, and the engine's verdicts on them."""
        table = person.table
        selected = await self._seats.selected(chat_table.ref, person.user, table.version)
        moves = moves_to_check(table, selected) if table.you is not None and model.turn == table.you else ()
        if not moves:
            return model
        verdicts = await asyncio.gather(*(self._engine.check(table.id, person.token, move) for move in moves))
        return structs.replace(model, selected=selected, verdicts=tuple(verdicts))

    async def draw_left(self, chat_table: ChatTable, user: int, why: Departure) -> None:
        """Draw the hand of a person who does not sit at the table any more."""
        person, chat = await self._people.person(user), await self._chats.chat(chat_table.chat)
        if person is None:
            return
        slot = HandSlot(chat_table.ref, user)
        message = (await self._messages.by_slot(chat_table.ref)).get(slot)
        screen = left_screen("" if chat_table.alone else chat.title, why, person.language)
        self._outbox.show(slot, Address(user), screen, message=message, priority=Priority.HAND, create=False)

    async def record_notified_turn(self, slot: HandSlot) -> None:
        """Store the turn of a hand whose new message has arrived."""
        turn = self._turns.get(slot)
        if turn is not None:
            await self._messages.record_notified_turn(slot.ref, slot.user, turn)

    def forget_table(self, ref: str) -> None:
        """Drop what is kept in memory for a table."""
        for slot in [slot for slot in self._turns if slot.ref == ref]:
            del self._turns[slot]


def _turn_to_notify(model: TableViewModel, since: int, before: str) -> str:
    """Return the turn for which the viewer is to be notified: once a deal, and once for each of their turns.

    Nobody is notified of a turn who plays alone, with the chat open before them, or who is away.
    """
    table = model.table
    deal = f"{table.match.number}" if model.alone else f"{table.match.number}.{table.match.deal}"
    if table.status != "playing":
        return before
    present = table.you is not None and not table.seats[table.you].away
    if model.turn == table.you and present and not model.alone:
        return f"{deal}@{since}"
    return before if before.partition("@")[0] == deal else deal
