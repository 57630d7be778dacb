"""Repository of evenings: plans, announced evenings, answers, and matches."""

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
"""Prefix of the fields of tables with guests from the web page; the table's reference follows."""
PLAN, LATEST, SEEN, FACTS = "plan", "latest", "seen", "facts"
COMES, SEEN_IN, MATCH = "comes:", "seen:", "match:"
"""Prefixes of an evening's fields. A person's id follows `COMES` and `SEEN_IN`; table and match follow `MATCH`."""


class EveningRepository:
    """The evenings of all groups."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._records = Records(redis)

    # --- plans

    async def chats(self) -> list[int]:
        """Return the groups that have or had a plan."""
        return sorted(int(chat) for chat in await self._redis.smembers(keys.PLANNED))

    async def plan(self, chat: int) -> EveningPlan | None:
        """Return a group's plan."""
        return await self._records.find(keys.evenings_of(chat), PLAN, EveningPlan)

    async def save_plan(self, chat: int, plan: EveningPlan) -> None:
        """Store a group's plan."""
        await self._records.save(keys.evenings_of(chat), PLAN, plan)
        await self._redis.sadd(keys.PLANNED, str(chat))

    async def seen(self, chat: int) -> int:
        """Return the highest known message id of a group, from its plan or from an earlier evening."""
        plan, seen = await self.plan(chat), await self._redis.hget(keys.evenings_of(chat), SEEN)
        return max(plan.seen if plan else NO_ID, int(seen or NO_ID))

    async def forget_plan(self, chat: int) -> None:
        """Delete a group's plan."""
        await self._redis.hdel(keys.evenings_of(chat), PLAN)

    # --- tables with guests from the web page

    async def shared(self, chat: int) -> dict[str, SharedTable]:
        """Return a group's tables at which guests from the web page sat, by reference."""
        by_field = await self._records.all(keys.evenings_of(chat), SharedTable, SHARED)
        return {field.removeprefix(SHARED): table for field, table in by_field.items()}

    async def share(self, chat: int, ref: str, table: SharedTable) -> None:
        """Store a table with guests from the web page."""
        await self._records.save(keys.evenings_of(chat), f"{SHARED}{ref}", table)

    async def unshare(self, chat: int, ref: str) -> None:
        """Delete a table with guests from the web page."""
        await self._redis.hdel(keys.evenings_of(chat), f"{SHARED}{ref}")

    # --- evenings

    async def refs(self) -> list[str]:
        """Return the references of the evenings whose messages are not final yet."""
        return sorted(await self._redis.smembers(keys.EVENINGS))

    async def goes_on(self, ref: str) -> bool:
        """Return whether an evening's messages are not final yet."""
        return await self._redis.sismember(keys.EVENINGS, ref)

    async def find(self, ref: str) -> Evening | None:
        """Return an announced evening; None if it is unknown or was deleted."""
        return await self._records.find(keys.evening(ref), FACTS, Evening)

    async def latest(self, chat: int) -> Evening | None:
        """Return the group's last announced evening."""
        ref = await self._redis.hget(keys.evenings_of(chat), LATEST)
        return None if ref is None else await self.find(ref)

    async def announce(self, evening: Evening) -> None:
        """Store a new evening, and delete the group's previous evening if its messages are final."""
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
        """Record that an evening's messages are final. A group's last evening stays until the next is announced."""
        await self._redis.srem(keys.EVENINGS, evening.ref)
        latest = await self.latest(evening.chat)
        if latest is None or latest.ref != evening.ref:
            await self._delete(evening)

    async def _delete(self, evening: Evening) -> None:
        """Delete an evening but keep the id of its newest message, after which a search for lost messages begins."""
        shown = await self._records.all(keys.messages(evening.ref), ShownMessage)
        newest = max((message.id or NO_ID for message in shown.values()), default=NO_ID)
        if newest > await self.seen(evening.chat):
            await self._redis.hset(keys.evenings_of(evening.chat), {SEEN: newest})
        await self._redis.delete(keys.evening(evening.ref))
        await self._redis.delete(keys.messages(evening.ref))

    # --- answers and matches

    async def answers(self, ref: str) -> dict[int, bool]:
        """Return whether each person comes, in the order of their answers."""
        fields = await self._redis.hgetall(keys.evening(ref))
        by_person = {name.removeprefix(COMES): value for name, value in fields.items() if name.startswith(COMES)}
        ordered = sorted(by_person.items(), key=lambda entry: float(entry[1].partition(" ")[2]))
        return {int(user): value.startswith("1 ") for user, value in ordered}

    async def answer(self, ref: str, user: int, *, comes: bool) -> None:
        """Store whether a person comes; an earlier answer keeps its place."""
        if (await self.answers(ref)).get(user) is not comes:
            await self._redis.hset(keys.evening(ref), {f"{COMES}{user}": f"{int(comes)} {time.time()}"})

    async def seen_in(self, ref: str, user: int) -> int:
        """Return the round in which a person last pressed a button of the evening; 0 for none."""
        return int(await self._redis.hget(keys.evening(ref), f"{SEEN_IN}{user}") or 0)

    async def note_seen(self, evening: Evening, user: int) -> None:
        """Record that a person pressed a button of the evening in its current round."""
        await self._redis.hset(keys.evening(evening.ref), {f"{SEEN_IN}{user}": len(evening.tables)})

    async def matches(self, ref: str) -> list[PlayedMatch]:
        """Return the matches of an evening that have ended, in order."""
        fields = await self._redis.hgetall(keys.evening(ref))
        texts = [value for name, value in fields.items() if name.startswith(MATCH)]
        return sorted((msgspec.json.decode(text, type=PlayedMatch) for text in texts), key=lambda match: match.ended)

    async def note_match(self, ref: str, table: str, match: int, played: PlayedMatch) -> None:
        """Store an ended match of an evening; a repeated call changes nothing."""
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

    # --- deletion of people, migration to supergroups

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
        """Delete the data on a person; other people's places do not change."""
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
        """Move a group's evenings to the supergroup that it became; return the moved evenings."""
        known, plan = await self.known(), await self.plan(old)
        await self._redis.copy(keys.evenings_of(old), keys.evenings_of(new))
        await self._redis.hdel(keys.evenings_of(new), SEEN)
        if plan is not None:  # topic and message ids belong to the old group
            await self.save_plan(new, structs.replace(plan, thread=None, seen=0))
        if old in await self.chats():
            await self._redis.sadd(keys.PLANNED, str(new))
        moved = [structs.replace(evening, chat=new, thread=None) for evening in known if evening.chat == old]
        for evening in moved:
            await self.save(evening)
        await self._redis.srem(keys.PLANNED, str(old))
        await self._redis.delete(keys.evenings_of(old))
        return moved
