"""Repository of evenings: a group's plan, the announced evenings, the answers, and the matches."""

import time

import msgspec
from msgspec import structs

from services.telegram.evenings.evening import Evening, EveningPlan
from services.telegram.evenings.shared_tables import SharedTable
from services.telegram.evenings.summary import PlayedMatch
from services.telegram.records import NO_ID, NOBODY, ShownMessage
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.remembered import RememberedRedis

SHARED = "shared:"
"""Begins the fields of the tables with people of the page, by their reference."""
PLAN, LATEST, SEEN, FACTS = "plan", "latest", "seen", "facts"
COMES, SEEN_IN, MATCH = "comes:", "seen:", "match:"
"""Beginnings of the fields of an evening: by person, by person, and by table and match."""


class EveningRepository:
    """The evenings of all groups."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._records = Records(redis)

    # --- plans

    async def chats(self) -> list[int]:
        """Return the groups that have fixed an evening, or had one."""
        return sorted(int(chat) for chat in await self._redis.smembers(keys.PLANNED))

    async def plan(self, chat: int) -> EveningPlan | None:
        """Return a group's plan."""
        return await self._records.find(keys.evenings_of(chat), PLAN, EveningPlan)

    async def save_plan(self, chat: int, plan: EveningPlan) -> None:
        """Store a group's plan."""
        await self._records.save(keys.evenings_of(chat), PLAN, plan)
        await self._redis.sadd(keys.PLANNED, str(chat))

    async def seen(self, chat: int) -> int:
        """Return the newest known message of a group, from its plan or from an earlier evening."""
        plan, seen = await self.plan(chat), await self._redis.hget(keys.evenings_of(chat), SEEN)
        return max(plan.seen if plan else NO_ID, int(seen or NO_ID))

    async def forget_plan(self, chat: int) -> None:
        """Delete a group's plan: there are no more evenings."""
        await self._redis.hdel(keys.evenings_of(chat), PLAN)

    # --- tables with people of the page

    async def shared(self, chat: int) -> dict[str, SharedTable]:
        """Return a group's tables at which people of the page have sat, by reference."""
        by_field = await self._records.all(keys.evenings_of(chat), SharedTable, SHARED)
        return {field.removeprefix(SHARED): table for field, table in by_field.items()}

    async def share(self, chat: int, ref: str, table: SharedTable) -> None:
        """Store such a table."""
        await self._records.save(keys.evenings_of(chat), f"{SHARED}{ref}", table)

    async def unshare(self, chat: int, ref: str) -> None:
        """Delete such a table."""
        await self._redis.hdel(keys.evenings_of(chat), f"{SHARED}{ref}")

    # --- evenings

    async def refs(self) -> list[str]:
        """Return the references of the evenings that still have something to show."""
        return sorted(await self._redis.smembers(keys.EVENINGS))

    async def goes_on(self, ref: str) -> bool:
        """Return whether an evening still has something to show."""
        return await self._redis.sismember(keys.EVENINGS, ref)

    async def find(self, ref: str) -> Evening | None:
        """Return an evening; None if it was not announced, or is forgotten."""
        return await self._records.find(keys.evening(ref), FACTS, Evening)

    async def latest(self, chat: int) -> Evening | None:
        """Return the evening of a group that was announced last."""
        ref = await self._redis.hget(keys.evenings_of(chat), LATEST)
        return None if ref is None else await self.find(ref)

    async def announce(self, evening: Evening) -> None:
        """Store an evening that is announced now; the one before is forgotten once all of it is shown."""
        before = await self.latest(evening.chat)
        await self._redis.sadd(keys.EVENINGS, evening.ref)
        await self.save(evening)
        await self._redis.hset(keys.evenings_of(evening.chat), {LATEST: evening.ref})
        if before is not None and before.ref not in {evening.ref, *await self.refs()}:
            await self._delete(before)

    async def save(self, evening: Evening) -> None:
        """Store an evening."""
        await self._records.save(keys.evening(evening.ref), FACTS, evening)

    async def close(self, evening: Evening) -> None:
        """Store that all of an evening is shown; it stays until the group's next one is announced."""
        await self._redis.srem(keys.EVENINGS, evening.ref)
        latest = await self.latest(evening.chat)
        if latest is None or latest.ref != evening.ref:
            await self._delete(evening)

    async def _delete(self, evening: Evening) -> None:
        """Delete an evening; later lost messages are still looked for after its message ids."""
        shown = await self._records.all(keys.messages(evening.ref), ShownMessage)
        newest = max((message.id or NO_ID for message in shown.values()), default=NO_ID)
        if newest > await self.seen(evening.chat):
            await self._redis.hset(keys.evenings_of(evening.chat), {SEEN: newest})
        await self._redis.delete(keys.evening(evening.ref))
        await self._redis.delete(keys.messages(evening.ref))

    # --- answers and matches

    async def answers(self, ref: str) -> dict[int, bool]:
        """Return by person whether they come, in the order of their answers."""
        fields = await self._redis.hgetall(keys.evening(ref))
        by_person = {name.removeprefix(COMES): value for name, value in fields.items() if name.startswith(COMES)}
        ordered = sorted(by_person.items(), key=lambda entry: float(entry[1].partition(" ")[2]))
        return {int(user): value.startswith("1 ") for user, value in ordered}

    async def answer(self, ref: str, user: int, *, comes: bool) -> None:
        """Store whether a person comes; an earlier answer keeps its place."""
        if (await self.answers(ref)).get(user) is not comes:
            await self._redis.hset(keys.evening(ref), {f"{COMES}{user}": f"{int(comes)} {time.time()}"})

    async def seen_in(self, ref: str, user: int) -> int:
        """Return in which round of an evening a person last said in the group that they are there; 0 for none."""
        return int(await self._redis.hget(keys.evening(ref), f"{SEEN_IN}{user}") or 0)

    async def note_seen(self, evening: Evening, user: int) -> None:
        """Store that a person has said in the group that they are there."""
        await self._redis.hset(keys.evening(evening.ref), {f"{SEEN_IN}{user}": len(evening.tables)})

    async def matches(self, ref: str) -> list[PlayedMatch]:
        """Return the matches of an evening that have ended, in order."""
        fields = await self._redis.hgetall(keys.evening(ref))
        texts = [value for name, value in fields.items() if name.startswith(MATCH)]
        return sorted((msgspec.json.decode(text, type=PlayedMatch) for text in texts), key=lambda match: match.ended)

    async def note_match(self, ref: str, table: str, match: int, played: PlayedMatch) -> None:
        """Store a match of an evening once, however often its end is reported."""
        if await self.find(ref) is not None:
            encoded = msgspec.json.encode(played).decode()
            await self._redis.hsetnx(keys.evening(ref), f"{MATCH}{table}:{match}", encoded)

    async def forget_chat(self, chat: int) -> None:
        """Delete a group's plan and its evenings."""
        for evening in [evening for evening in await self.known() if evening.chat == chat]:
            await self._redis.srem(keys.EVENINGS, evening.ref)
            await self._redis.delete(keys.evening(evening.ref))
            await self._redis.delete(keys.messages(evening.ref))
        await self._redis.srem(keys.PLANNED, str(chat))
        await self._redis.delete(keys.evenings_of(chat))

    # --- people who are forgotten, groups that become supergroups

    async def known(self) -> list[Evening]:
        """Return all evenings that are stored."""
        chats = await self.chats()
        evenings = [await self.find(ref) for ref in await self.refs()] + [await self.latest(chat) for chat in chats]
        return list({evening.ref: evening for evening in evenings if evening is not None}.values())

    async def of_person(self, user: int) -> list[tuple[Evening, bool]]:
        """Return the evenings for which a person has answered, and whether they come."""
        known = [(evening, (await self.answers(evening.ref)).get(user)) for evening in await self.known()]
        return [(evening, comes) for evening, comes in known if comes is not None]

    async def forget_person(self, user: int) -> None:
        """Delete the data on a person; the others' places stay."""
        for evening in await self.known():
            key = keys.evening(evening.ref)
            await self._redis.hdel(key, f"{COMES}{user}", f"{SEEN_IN}{user}")
            for name, value in (await self._redis.hgetall(key)).items():
                if name.startswith(MATCH):
                    match = msgspec.json.decode(value, type=PlayedMatch)
                    await self._redis.hset(key, {name: msgspec.json.encode(match.without(user)).decode()})
            await self.save(evening.without(user))
        for chat in await self.chats():
            plan = await self.plan(chat)
            if plan is not None and plan.by == user:
                await self.save_plan(chat, structs.replace(plan, by=NOBODY))
            for ref, table in (await self.shared(chat)).items():
                if table.user == user:
                    await self.unshare(chat, ref)

    async def move(self, old: int, new: int) -> list[Evening]:
        """Move a group's evenings to the supergroup that it became; return those that have something to show."""
        known, plan = await self.known(), await self.plan(old)
        await self._redis.copy(keys.evenings_of(old), keys.evenings_of(new))
        await self._redis.hdel(keys.evenings_of(new), SEEN)
        if plan is not None:  # its topic and its messages were the old group's
            await self.save_plan(new, structs.replace(plan, thread=None, seen=0))
        if old in await self.chats():
            await self._redis.sadd(keys.PLANNED, str(new))
        moved = [structs.replace(evening, chat=new, thread=None) for evening in known if evening.chat == old]
        for evening in moved:
            await self.save(evening)
        await self._redis.srem(keys.PLANNED, str(old))
        await self._redis.delete(keys.evenings_of(old))
        return moved
