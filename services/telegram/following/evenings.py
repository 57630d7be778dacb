"""Evenings of groups: one task announces them when it is time, makes their tables, ends them, and draws them."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog
from msgspec import structs

from locanda.errors import EngineError
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.accounts import act_for
from services.telegram.drawing.evenings import EveningFacts, wanted_of_evening
from services.telegram.evenings.dates import zones
from services.telegram.evenings.evening import ENOUGH, Evening, announced, in_state
from services.telegram.following.evening_facts import EveningReader
from services.telegram.following.next_evenings import NextEvenings
from services.telegram.records import EveningSlot
from services.telegram.repositories import Repositories
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from services.telegram.tables import Tables
from services.telegram.updates import clear_request_id

log = structlog.get_logger(__name__)

Key = TypeVar("Key", int, str)

RETRY_SECONDS = 1.0
SETTLE_SECONDS = 5.0
"""After how long it is looked again whether all of an evening is shown."""
READ_SECONDS, LONGEST_READ_SECONDS = 0.25, 20.0
"""After how long it is looked again whether the tables can be read before cards are dealt; it is not waited longer."""
LOOK_SECONDS = 600.0
"""After how long evenings are looked at though nothing has happened: clocks may be set."""


class Evenings:
    """Follows all evenings."""

    def __init__(
        self,
        repositories: Repositories,
        tables: Tables,
        reader: EveningReader,
        outbox: Outbox,
        next_evenings: NextEvenings,
    ) -> None:
        self._repositories = repositories
        self._evenings = repositories.evenings
        self._tables = tables
        self._reader = reader
        self._outbox = outbox
        self.next_evenings = next_evenings
        self._awake = asyncio.Event()
        self._refs: set[str] = set()
        """The tables of evenings that go on: when one is over, there may be another round."""

    def wake(self, kind: str, name: str) -> None:
        """Look at all evenings, if a change may concern one."""
        if kind in {"evening", "chat"} or name in self._refs:
            self.look_again()

    def look_again(self) -> None:
        """Look at all evenings: something has happened."""
        self._awake.set()

    async def run(self) -> None:
        """Do what is due whenever it is, for ever."""
        clear_request_id()
        while True:
            self._awake.clear()
            at = await self.look()
            try:
                async with asyncio.timeout(min(LOOK_SECONDS, max(0.0, at - time.time()))):
                    await self._awake.wait()
            except TimeoutError:
                continue

    async def look(self) -> float:
        """Do what is due, and draw; return when something is due again (Unix seconds)."""
        now = time.time()
        try:
            chats = await self._evenings.chats()
            if chats:
                await asyncio.to_thread(zones)
            alarms = await asyncio.gather(*(self._guarded(self._announce, chat, now) for chat in chats))
            refs, self._refs = await self._evenings.refs(), set()
            alarms += await asyncio.gather(*(self._guarded(self._follow, ref, now) for ref in refs))
        except REDIS_ERRORS as error:
            log.warning("evenings_not_followed", reason=type(error).__name__)
            return now + RETRY_SECONDS
        return min((alarm for alarm in alarms if alarm is not None), default=now + LOOK_SECONDS)

    async def _guarded(
        self, work: Callable[[Key, float], Awaitable[float | None]], key: Key, now: float
    ) -> float | None:
        """Return the alarm of one group's evening, whatever happens to those of others."""
        try:
            return await work(key, now)
        except (EngineError, *REDIS_ERRORS) as error:
            log.warning("evening_not_followed", reason=type(error).__name__)
        except Exception:
            log.exception("evening_not_followed")
        return now + RETRY_SECONDS

    async def _announce(self, chat: int, now: float) -> float | None:
        """Announce a group's next evening, if it is due and was not announced."""
        act_for(chat)
        plan, group = await self._evenings.plan(chat), await self._repositories.chats.chat(chat)
        if plan is None or not group.present:
            await self.next_evenings.look(chat, None, now)
            return None
        due = plan.due(now)
        if due is not None and await self._evenings.find(plan.ref(due[0])) is None:
            await self._evenings.announce(announced(chat, plan, *due, now))
        await self.next_evenings.look(chat, plan, now)
        return plan.alarm(now)

    async def _follow(self, ref: str, now: float) -> float | None:
        """Bring an evening to where it is to be by now, and draw it."""
        evening = await self._evenings.find(ref)
        facts = None if evening is None else await self._reader.read(evening, now)
        if evening is None or facts is None:
            return None
        act_for(evening.chat)
        moved = await self._moved(evening, facts, now)
        if moved != evening:
            await self._evenings.save(moved)
            return now
        shown = await self._outbox.shown(ref)
        wanted = wanted_of_evening(facts, shown)
        self._outbox.show(Address(evening.chat, evening.thread), wanted, shown)
        if evening.state in {"gathering", "playing"}:
            self._refs |= {table.ref for table in evening.tables[-1]} if evening.tables else set()
            deals = evening.state == "playing" and evening.begun < len(evening.tables)
            return now + READ_SECONDS if deals else evening.alarm(now, facts.last_end)
        if not self._outbox.is_settled(ref):
            return now + SETTLE_SECONDS
        await self._evenings.close(evening)
        self._outbox.forget_table(ref)
        return None

    def _is_read(self, evening: Evening, now: float) -> bool:
        """Return whether the message with the tables is there, with the fingerprints from before the deal."""
        shown = self._outbox.is_shown(EveningSlot(evening.ref), evening.ring(now))
        return shown or now >= evening.changed + LONGEST_READ_SECONDS

    async def _moved(self, evening: Evening, facts: EveningFacts, now: float) -> Evening:
        """Return an evening as it is to be by now; the tables of its round are begun."""
        if evening.state == "gathering" and now >= evening.starts:
            coming = facts.view.coming
            if len(coming) < ENOUGH:
                return in_state(evening, "off", now)
            return await self._tables.evenings.with_round(evening, coming, now)
        rounds = len(evening.tables)
        if evening.state == "playing" and evening.seated < rounds:
            for table in evening.tables[-1]:
                await self._tables.evenings.seat(evening, table)
            return structs.replace(evening, seated=rounds)
        if evening.state == "playing" and evening.begun < rounds and self._is_read(evening, now):
            for table in evening.tables[-1]:
                await self._tables.evenings.deal(table)
            return structs.replace(evening, begun=rounds)
        if evening.state == "playing" and now >= evening.ends_by_itself(facts.last_end):
            return in_state(evening, "over", now)
        return evening
