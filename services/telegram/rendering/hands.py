"""Renders hands in private chats, and decides for which turns people are notified by a new message."""

from collections.abc import Mapping

from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.messages import Table, Verdict
from locanda.translations import Language, translations_in
from services.telegram.ratings import RatingChange
from services.telegram.records import (
    NO_ID,
    ChatTable,
    DealSlot,
    Departure,
    HandGrid,
    HandSlot,
    MatchEndSlot,
    ShownMessage,
    TableSlot,
)
from services.telegram.repositories import Repositories
from services.telegram.screens.controls import grid_of, leads_on, selection_to_check
from services.telegram.screens.hand import content_while_waiting, hand_screen, left_screen
from services.telegram.screens.screen import Screen, looks_like
from services.telegram.screens.table import TableViewModel
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox
from services.telegram.settings import AppLinks
from services.telegram.tables.lookup import ActionRefusedError, TableLookup
from services.telegram.tables.turns import (
    When,
    next_reminder,
    reminders_due,
    reminders_of,
    turn_of,
    when_to_pass,
    with_reminders,
)


class SeatedPerson(Struct, frozen=True):
    """A person at a table, with the table as they see it."""

    user: int
    token: str
    table: Table
    language: Language
    reachable: bool
    photos: bool = False
    reminders: bool = True
    """Whether they want to be reminded of turns that wait."""
    passes: When = "never"
    """Whether the bot passes for them now."""


class HandRenderer:
    """Draws hands."""

    def __init__(
        self, engine: EngineClient, repositories: Repositories, lookup: TableLookup, outbox: Outbox, links: AppLinks
    ) -> None:
        self._engine = engine
        self._lookup = lookup
        self._people = repositories.people
        self._chats = repositories.chats
        self._seats = repositories.seats
        self._messages = repositories.messages
        self._leaderboards = repositories.leaderboards
        self._outbox = outbox
        self._links = links
        self._waiting: dict[HandSlot, tuple[tuple[object, ...] | None, Screen | None]] = {}
        """For each hand, what it was last drawn from if its owner waits, and the screen that the outbox got."""

    async def seated_people(self, chat_table: ChatTable, version: int) -> list[SeatedPerson]:
        """Return the people seated at a table, each with the table as they may see it, at a version or a later one."""
        seated = [await self._seated(chat_table, user, version) for user in await self._lookup.tokens(chat_table.ref)]
        return [person for person in seated if person is not None]

    async def _seated(self, chat_table: ChatTable, user: int, version: int) -> SeatedPerson | None:
        try:
            table, token = await self._lookup.view_for(chat_table, user, version=version)
        except ActionRefusedError:
            return None
        person = await self._people.person(user)
        if person is None:
            return SeatedPerson(user, token, table, "en", reachable=False)
        passes = when_to_pass(table, person.passing, alone=chat_table.alone)
        return SeatedPerson(
            user, token, table, person.language, person.reachable, person.photos, person.reminders, passes
        )

    async def draw(
        self, chat_table: ChatTable, model: TableViewModel, people: list[SeatedPerson], since: int
    ) -> float | None:
        """Draw the hand of each person as it is now; return when somebody is to be reminded (Unix seconds), if ever.

        `since` is the version at which the turn began. A person's hand is read from the engine just now, so it may be
        newer than `model`. A newer hand keeps the turn for which its person was notified, and a newer first hand is not
        sent: the event on its way would make both send another message at once. A person who has left meanwhile gets no
        hand.
        """
        chat = await self._chats.chat(chat_table.chat)
        place = "" if chat_table.alone else chat.title
        app = self._links.in_private(chat_table.ref)
        known = await self._messages.shown(chat_table.ref)
        link = "" if chat_table.alone else chat.link(_result_or_deal(known, model))
        ratings: dict[int, RatingChange] = {}
        if model.table.match.result is not None and not chat_table.alone:
            ratings = await self._leaderboards.changes(chat_table, model.table.match.number)
        alarm: float | None = None
        for person in people:
            if person.reachable:
                rating = ratings.get(person.user)
                seen = structs.replace(model, table=person.table, place=place, app=app, link=link, rating=rating)
                own = await self._own(chat_table, seen, person)
                slot = HandSlot(chat_table.ref, person.user)
                before = self._outbox.hand(slot) or known.get(slot, ShownMessage())
                newer = person.table.version > model.table.version
                if (before.ring or not newer) and await self._seats.token(chat_table.ref, person.user) is not None:
                    hand = before
                    if not newer and _is_notified(own, person):
                        hand, alarm = _turn_with_reminders(own, person, since, before)
                        own = structs.replace(own, reminders=reminders_of(hand.ring))
                    elif not newer:
                        hand = structs.replace(before, ring=_without_turn(own, before.ring))
                    if hand.ring != before.ring or not self._is_drawn(own, person, hand.ring):
                        hand = structs.replace(hand, grid=_grid(own, hand.ring, before.grid))
                        self._draw_hand(own, person, hand, known.get(slot), rings=hand.ring != before.ring)
        return alarm

    def _is_drawn(self, model: TableViewModel, person: SeatedPerson, turn: str) -> bool:
        """Return whether a person waits and the outbox has their hand as it is."""
        slot = HandSlot(model.ref, person.user)
        content, shown = self._waiting.get(slot, (None, None))
        return content is not None and (
            shown is self._outbox.screen(slot, person.user) and content == _content(model, person, turn)
        )

    def _draw_hand(
        self,
        model: TableViewModel,
        person: SeatedPerson,
        hand: ShownMessage,
        known: ShownMessage | None,
        *,
        rings: bool,
    ) -> None:
        grid = () if hand.grid is None else hand.grid.places
        screen = hand_screen(structs.replace(model, grid=grid), person.language, photo=person.photos)
        slot = HandSlot(model.ref, person.user)
        shown = self._outbox.screen(slot, person.user)
        if shown is None or not looks_like(shown, screen) or rings or model.turn == person.table.you:
            # While they wait and only the version has changed, nothing is shown: it matters on their next turn.
            self._outbox.show_hand(slot, screen, hand, known=known, create=person.table.status == "playing")
        self._waiting[slot] = _content(model, person, hand.ring), self._outbox.screen(slot, person.user)

    async def _own(self, chat_table: ChatTable, model: TableViewModel, person: SeatedPerson) -> TableViewModel:
        """Return the model with the cards that its viewer has selected, and whether the engine finds them playable."""
        table = person.table
        if table.you is None or model.turn != table.you:
            return model
        selected = await self._seats.selected(chat_table.ref, person.user, table.version)
        selection = selection_to_check(table, selected)
        if selection is None:
            return model
        verdict = Verdict(legal=True)
        if not leads_on(table, selection):  # otherwise there is nothing more to say
            verdict = await self._engine.check(table.id, person.token, selection)
        return structs.replace(model, selected=selected, verdict=verdict)

    async def draw_left(self, chat_table: ChatTable, user: int, why: Departure) -> None:
        """Draw the hand message of a person who no longer sits at the table."""
        person, chat = await self._people.person(user), await self._chats.chat(chat_table.chat)
        if person is None:
            return
        slot = HandSlot(chat_table.ref, user)
        known = (await self._messages.shown(chat_table.ref)).get(slot)
        screen = left_screen("" if chat_table.alone else chat.title, why, person.language, photo=person.photos)
        self._outbox.show(slot, Address(user), screen, known=known, priority=Priority.HAND, create=False, keep=True)

    def forget_table(self, ref: str) -> None:
        """Drop what is kept in memory for a table."""
        for slot in [slot for slot in self._waiting if slot.ref == ref]:
            del self._waiting[slot]


def _turn_with_reminders(
    model: TableViewModel, person: SeatedPerson, since: int, before: ShownMessage
) -> tuple[ShownMessage, float | None]:
    """Return the turn for which the person is to be notified, and when to remind them next.

    They are notified once for each of their turns, and again for each reminder.
    """
    table, now = person.table, model.now.timestamp()
    turn = f"{table.match.number}.{table.match.deal}@{since}"
    began = before.since if turn_of(before.ring) == turn else now
    due = reminders_due(table, began, now) if person.reminders else 0
    following = next_reminder(table, began, now) if person.reminders else None
    return structs.replace(before, ring=with_reminders(turn, before.ring, due), since=began), following


def _grid(model: TableViewModel, turn: str, before: HandGrid | None) -> HandGrid:
    """Return the places of a hand's cards: a card keeps its place within one message and deal."""
    message = f"{turn}/{model.table.match.deal}"
    kept = before.places if before is not None and before.message == message else ()
    return HandGrid(message, grid_of(model.table, kept))


def _result_or_deal(known: Mapping[TableSlot, ShownMessage], model: TableViewModel) -> int:
    """Return the id of the group's message with a match's result, or else of the one with its last deal; 0 for none."""
    ref, match = model.ref, model.table.match
    slots = MatchEndSlot(ref, match.number), DealSlot(ref, match.number, match.deal)
    return next((known[slot].id or NO_ID for slot in slots if slot in known and known[slot].id), NO_ID)


def _content(model: TableViewModel, person: SeatedPerson, turn: str) -> tuple[object, ...] | None:
    """Return all that decides the hand of a person who waits, and where it is shown; None if they do not wait."""
    content = content_while_waiting(model, translations_in(person.language))
    return None if content is None else (turn, person.language, person.photos, *content)


def _is_notified(model: TableViewModel, person: SeatedPerson) -> bool:
    """Return whether a person is notified of their turn.

    Not if they play alone, with the chat open before them, if they are away, or if the bot passes for them.
    """
    table = model.table
    if table.status != "playing" or model.alone or table.you is None or model.turn != table.you:
        return False
    return not table.seats[table.you].away and person.passes == "never"


def _without_turn(model: TableViewModel, before: str) -> str:
    """Return what is stored as the turn of a person who is not notified of turns: the deal."""
    table = model.table
    if table.status != "playing":
        return before
    deal = f"{table.match.number}" if model.alone else f"{table.match.number}.{table.match.deal}"
    return before if before.partition("@")[0] == deal else deal
