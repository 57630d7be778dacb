"""Background tasks that announce evenings, open their tables, end them, and draw their messages.

Each group with a plan and each current evening has its own task, so a slow group does not delay other groups.
"""

import asyncio
import time

import structlog
from msgspec import structs

from locanda.errors import EngineError
from services.common.fair_queue import Bounds
from services.common.places import Places
from services.common.processes import BackgroundTasks
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.accounts import act_for
from services.telegram.evenings.drawing import EveningFacts, wanted_of_evening
from services.telegram.evenings.evening import ENOUGH, Evening, announced, in_state
from services.telegram.evenings.facts import EveningReader
from services.telegram.evenings.next_evenings import NextEvenings
from services.telegram.play.dates import zones
from services.telegram.records import EveningSlot
from services.telegram.repositories.repositories import Repositories
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from services.telegram.tables.tables import Tables
from services.telegram.updates import clear_request_id

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0
SETTLE_SECONDS = 5.0
"""Seconds between checks whether all messages of an evening have arrived."""
READ_SECONDS, LONGEST_READ_SECONDS = 0.25, 20.0
"""Seconds between checks whether a round's messages have arrived, and the longest wait for them before the deal."""
LOOK_SECONDS = 600.0
"""Maximum seconds between checks of an evening, because somebody may set the system clock."""
BOUNDS = Bounds(places=8, asker_places=1)
"""Number of groups whose evenings are checked at the same time."""


class Evenings:
    """Runs the tasks of all groups' evenings."""

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
        self._followed: dict[int | str, asyncio.Event] = {}
        """The event that wakes each task, by chat id of a group with a plan and by reference of a current evening."""
        self._chats: dict[str, int] = {}
        """The group of each current evening."""
        self._evening_of: dict[str, str] = {}
        """The evening of each table: when its match ends, the evening may offer another round."""
        self._places = Places(BOUNDS)
        self._tasks = BackgroundTasks()

    def wake(self, kind: str, name: str) -> None:
        """Check the evenings that a change of a chat, an evening or a table may concern."""
        if kind == "chat":
            self._look_at(int(name))
            for ref in [ref for ref, chat in self._chats.items() if chat == int(name)]:
                self._look_at(ref)
        elif kind == "evening":
            self._look_at(name)
        elif name in self._evening_of:
            self._look_at(self._evening_of[name])

    def look_again(self) -> None:
        """Check all evenings."""
        for happened in self._followed.values():
            happened.set()

    def _look_at(self, key: int | str) -> None:
        if key not in self._followed:
            self._followed[key] = asyncio.Event()
            self._tasks.start(self._follow(key, self._followed[key]))
        self._followed[key].set()

    async def run(self) -> None:
        """Follow all stored plans and evenings, until cancelled."""
        async with self._tasks:
            for key in await self._stored():
                self._look_at(key)
            await asyncio.Event().wait()

    async def _stored(self) -> list[int | str]:
        """Return the groups and evenings to follow; retry until Redis answers."""
        while True:
            try:
                chats, refs = await self._evenings.chats(), await self._evenings.refs()
            except REDIS_ERRORS as error:
                log.warning("evenings_not_followed", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                if chats:
                    await asyncio.to_thread(zones)
                return [*chats, *refs]

    async def _follow(self, key: int | str, happened: asyncio.Event) -> None:
        """Follow a group's plan or an evening until nothing more can be due."""
        clear_request_id()
        at: float | None = time.time()
        while at is not None or happened.is_set():
            happened.clear()
            at = await self._look(key)
            if at is not None:
                try:
                    async with asyncio.timeout(min(LOOK_SECONDS, max(0.0, at - time.time()))):
                        await happened.wait()
                except TimeoutError:
                    continue
        del self._followed[key]

    async def _look(self, key: int | str) -> float | None:
        """Do the work that is due; return when to check again (Unix seconds), or None for never."""
        now = time.time()
        try:
            async with self._places.place(key if isinstance(key, int) else self._chats.get(key, key)):
                return await (self._announce(key, now) if isinstance(key, int) else self._go_on(key, now))
        except (EngineError, *REDIS_ERRORS) as error:
            log.warning("evening_not_followed", reason=type(error).__name__)
        except Exception:
            log.exception("evening_not_followed")
        return now + RETRY_SECONDS

    async def _announce(self, chat: int, now: float) -> float | None:
        """Announce a group's next evening if its announcement is due; return when the following announcement is due."""
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

    async def _go_on(self, ref: str, now: float) -> float | None:
        """Bring an evening up to date and draw it; return when to check it again."""
        evening = await self._evenings.find(ref)
        facts = None if evening is None else await self._reader.read(evening, now)
        if evening is None or facts is None or not await self._evenings.goes_on(ref):
            self._forget(ref)
            return None
        act_for(evening.chat)
        self._chats[ref] = evening.chat
        moved = await self._moved(evening, facts, now)
        if moved != evening:
            await self._evenings.save(moved)
            return now
        shown = await self._outbox.shown(ref)
        wanted = wanted_of_evening(facts, shown)
        self._outbox.show(Address(evening.chat, evening.thread), wanted, shown)
        if evening.state in {"gathering", "playing"}:
            self._evening_of |= {table.ref: ref for table in evening.tables[-1]} if evening.tables else {}
            deals = evening.state == "playing" and evening.begun < len(evening.tables)
            return now + READ_SECONDS if deals else evening.alarm(now, facts.last_end)
        if not self._outbox.is_settled(ref):
            return now + SETTLE_SECONDS
        await self._evenings.close(evening)
        self._outbox.forget_table(ref)
        self._forget(ref)
        return None

    def _forget(self, ref: str) -> None:
        """Remove an evening from this object's indices."""
        self._chats.pop(ref, None)
        self._evening_of = {table: evening for table, evening in self._evening_of.items() if evening != ref}

    def _is_read(self, evening: Evening, now: float) -> bool:
        """Return whether to deal: all pages with the fingerprints have arrived, or the longest wait is over."""
        shown = self._outbox.is_shown(EveningSlot(evening.ref), evening.ring(now))
        return (shown and self._outbox.is_settled(evening.ref)) or now >= evening.changed + LONGEST_READ_SECONDS

    async def _moved(self, evening: Evening, facts: EveningFacts, now: float) -> Evening:
        """Do the evening's next due step, such as seating its round; return the changed evening."""
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
