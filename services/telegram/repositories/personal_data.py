"""Export and deletion of all data on a person, over all keys."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import structs, to_builtins

from locanda.messages import JsonObject
from services.telegram.records import NOBODY, ChatTable, HandSlot, slot_to_field
from services.telegram.repositories import keys
from services.telegram.repositories.repositories import Repositories

BY_PERSON = {
    "selected_cards": keys.selected,
    "vote_to_close": keys.votes,
    "left_match": keys.left,
    "to_leave": keys.departures,
    "removed_from_table": keys.banned,
    "asked_to_close": keys.asked,
}
"""Hashes of a table with a field for each person, by the name of that field in the export."""
MESSAGES = (keys.messages, keys.messages_of_0_1)
"""Hashes of a table with a field for each person's hand."""
SECRETS = (keys.tokens, keys.seat_requests)
"""Hashes of a table with a field for each person that gives access to their seat: the export omits the values."""


async def file_of(repositories: Repositories, user: int) -> bytes:
    """Return all stored data on a person as a JSON file."""
    return msgspec.json.format(msgspec.json.encode(await stored_on(repositories, user)))


async def stored_on(repositories: Repositories, user: int) -> JsonObject:
    """Return all stored data on a person, with the names of their chats."""
    person = await repositories.people.person(user)
    tables = [await _at_table(repositories, table, user) for table in await repositories.chat_tables.all()]
    return {
        "person": None if person is None else to_builtins(person),
        "tables": [table for table in tables if table],
        "results": [
            {"chat": (await repositories.chats.chat(chat)).title, **results}
            for chat, results in await repositories.leaderboards.results_of(user)
        ],
        "evenings": [
            {
                "begins": datetime.fromtimestamp(evening.starts, UTC).isoformat(),
                "comes": comes,
                "seen_in_round": await repositories.evenings.seen_in(evening.ref, user),
            }
            for evening, comes in await repositories.evenings.of_person(user)
        ],
        "titles": [
            {"chat": (await repositories.chats.chat(chat)).title, "game": game, "title": title.name}
            for chat, game, title in await repositories.titles.of_person(user)
        ],
        "changes_of_evenings_and_seasons": [
            {"chat": (await repositories.chats.chat(chat)).title, **to_builtins(decision.of_person(user))}
            for chat, decision in await repositories.decisions.of_person(user)
        ],
        "choices_in_private": await repositories.redis.hgetall(keys.choices(user)),
    }


async def _at_table(repositories: Repositories, table: ChatTable, user: int) -> JsonObject:
    ref, redis, fields = table.ref, repositories.redis, dict[str, Any]()
    for name, key in BY_PERSON.items():
        fields[name] = await redis.hget(key(ref), str(user))
    hand = slot_to_field(HandSlot(ref, user))
    shown = [await redis.hget(key(ref), hand) for key in MESSAGES]
    seated = [await redis.hget(key(ref), str(user)) for key in SECRETS]
    fields |= {
        "seat": "yes" if any(seated) else None,
        "opened_it": "yes" if table.opener == user else None,
        "message": next((message for message in shown if message is not None), None),
        "client_seeds": await repositories.shuffles.seeds_of(ref, user) or None,
    }
    fields = {name: value for name, value in fields.items() if value is not None}
    chat = await repositories.chats.chat(table.chat)
    return {"chat": chat.title or "private", "game": table.game, **fields} if fields else {}


async def hide(repositories: Repositories, user: int) -> None:
    """Remove a person from all results: archives of seasons, evenings, titles, leaderboards."""
    await repositories.seasons.forget_person(user)
    await repositories.evenings.forget_person(user)
    await repositories.titles.forget_person(user)
    await repositories.leaderboards.hide(user)


async def forget(repositories: Repositories, user: int) -> None:
    """Delete all data on a person. The caller has already removed them from their tables."""
    await hide(repositories, user)
    for table in await repositories.chat_tables.all():
        if table.chat == user:
            await repositories.chat_tables.delete(table)
        else:
            await _forget_at(repositories, table, user)
    await repositories.decisions.forget_person(user)
    await repositories.people.forget(user)
    await repositories.chats.forget(user)
    await repositories.chat_tables.forget_chat(user)
    await repositories.redis.delete(keys.tables_of(user))


async def _forget_at(repositories: Repositories, table: ChatTable, user: int) -> None:
    ref = table.ref
    for key in (*BY_PERSON.values(), *SECRETS):
        await repositories.redis.hdel(key(ref), str(user))
    for key in MESSAGES:
        await repositories.redis.hdel(key(ref), slot_to_field(HandSlot(ref, user)))
    await repositories.shuffles.forget_person(ref, user)
    if table.opener == user:
        await repositories.chat_tables.save(structs.replace(table, opener=NOBODY))
