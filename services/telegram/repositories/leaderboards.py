"""Repository of leaderboards: matches, wins, ratings and match records, by chat and game."""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from math import inf
from time import time
from typing import Any

import msgspec

from services.telegram.play.history import Company, OwnMatch, Tally, WinsInARow, company
from services.telegram.play.ratings import Rating, RatingChange, compared, rated
from services.telegram.records import ChatTable, Standing
from services.telegram.repositories import keys
from services.telegram.repositories.match_records import COUNTED, MatchRecord, is_old, newest, ranking_of, records_in
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.remembered import RememberedRedis

OF_A_PERSON = re.compile(r"[a-z_]+:(\d+):")
"""Prefix of the fields with a person's counts."""
ROW_OF, COMPANY_OF = "every:{}:row", "every:{}:company"
"""Fields with a person's `WinsInARow` over all games of a group, and with their `Company` in older matches."""
COUNT_ONCE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
for i = 3, #ARGV, 3 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for i = 3, #ARGV, 3 do
  if ARGV[i + 2] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
  end
end
return 1
"""
"""Lua: sets several fields of a hash once, if they still have the values from which the new ones were computed.

KEYS[1] is the hash. ARGV has the field that marks the change as done, and its value; then, for each field to change,
its name, the value that was read, and the new value (empty to delete the field).
Returns 1 if the mark exists or the fields were set. Returns 0, without a write, if a field's value has changed since
it was read: the caller must read it again.
This is a script because redis-py runs a transaction on a cluster in a thread and waits for it.
"""


class LeaderboardRepository:
    """The leaderboards of all chats."""

    def __init__(self, redis: RememberedRedis, people: PersonRepository, chats: ChatRepository) -> None:
        self._redis = redis
        self._people = people
        self._chats = chats

    async def count(
        self,
        chat_table: ChatTable,
        match: int,
        places: Mapping[int, int],
        teams: Sequence[Collection[int]] = (),
        since: float = inf,
    ) -> None:
        """Count a finished match once, even if called again. People who asked to be on no leaderboard are skipped.

        `places` has each person's place: 0 for a winner, equal for ties and partners (`teams`). Wins and ratings
        compare people only, without computer players, as seasons do. Records of matches after `since`, the beginning of
        the current season (Unix seconds), are kept.
        """
        shown = {user: place for user, place in places.items() if await self._people.is_shown(user)}
        for user in shown:
            await self._redis.sadd(keys.leaderboards_of(user), str(chat_table.chat))
        board, mark = keys.leaderboard(chat_table.chat), f"{COUNTED}{_match_of(chat_table, match)}"
        record = MatchRecord(int(time()), chat_table.game, ranking_of(places, teams)).of(shown)
        counted = False
        while not counted:
            before = await self._redis.hgetall(board)
            if mark in before:
                return
            # In a thread: ratings of dozens of people take long to compute (docs/ratings.md).
            after = await asyncio.to_thread(_counted, before, _match_of(chat_table, match), record, shown, since)
            changes = [part for name, value in after.items() for part in (name, before.get(name, ""), value)]
            script = self._redis.eval(COUNT_ONCE, 1, board, mark, record.to_text() if shown else "1", *changes)
            counted = bool(await script)

    async def is_counted(self, chat_table: ChatTable, match: int) -> bool:
        """Return whether a finished match is counted."""
        mark = f"{COUNTED}{_match_of(chat_table, match)}"
        return bool(await self._redis.hexists(keys.leaderboard(chat_table.chat), mark))

    async def standings(self, chat: int, game: str) -> list[Standing]:
        """Return the results of all people in one game of a chat, ordered by their ids."""
        fields = await self._redis.hgetall(keys.leaderboard(chat))
        ratings = _ratings(fields, game)
        return [
            Standing(
                user, person.name, int(fields.get(f"{game}:{user}:wins", 0)), int(matches), ratings.get(user, Rating())
            )
            for user, matches in sorted(_by_user(fields, game, "matches").items())
            if (person := await self._people.person(user))
        ]

    async def changes(self, chat_table: ChatTable, match: int) -> dict[int, RatingChange]:
        """Return the rating change of each person through a match; stored until their next match of the game."""
        fields = await self._redis.hgetall(keys.leaderboard(chat_table.chat))
        ratings = _ratings(fields, chat_table.game)
        changes = {}
        for user, change in _by_user(fields, chat_table.game, "change").items():
            counted, _, before = change.partition(" ")
            if counted == _match_of(chat_table, match) and user in ratings:
                changes[user] = RatingChange(ratings[user], ratings[user].points - int(before))
        return changes

    async def results_of(self, user: int) -> list[tuple[int, dict[str, Any]]]:
        """Return a person's results by chat: counts such as `game:wins`, and `matches` with time and place."""
        results = []
        for chat, fields in await self._boards_of(user):
            numbers = {name.replace(f":{user}:", ":"): value for name, value in fields.items() if f":{user}:" in name}
            matches = [_own(record, user) for record in records_in(fields).values() if user in record.people]
            results.append((chat, {**numbers, "matches": matches}))
        return results

    async def matches_of(self, user: int) -> tuple[dict[str, Tally], list[OwnMatch], int, Company]:
        """Return a person's matches and wins by game, recorded matches, longest streak of wins, and company.

        The streak is within one group. It and the company (opponents and partners) include matches whose records were
        deleted.
        """
        tallies, matches, most, met = dict[str, Tally](), list[OwnMatch](), 0, Company()
        for chat, fields in await self._boards_of(user):
            most, met = max(most, _row_of(fields, user, ()).most), met + _company_of(fields, user)
            for name, value in fields.items():
                game, _, kind = name.partition(f":{user}:")
                if kind == "matches":
                    before, wins = tallies.get(game, Tally(0, 0)), int(fields.get(f"{game}:{user}:wins", 0))
                    tallies[game] = Tally(before.matches + int(value), before.wins + wins)
            matches += _matches_of(user, records_in(fields).values(), chat)
        return tallies, matches, most, met

    async def _boards_of(self, user: int) -> list[tuple[int, dict[str, str]]]:
        """Return the fields of the leaderboards that list a person, with their chats."""
        boards = []
        for listed in await self._redis.smembers(keys.leaderboards_of(user)):
            chat = await self._chats.current_id(int(listed))
            boards.append((chat, await self._redis.hgetall(keys.leaderboard(chat))))
        return boards

    async def records(self, chat: int) -> list[MatchRecord]:
        """Return the records of a chat's matches, oldest first."""
        return [*records_in(await self._redis.hgetall(keys.leaderboard(chat))).values()][::-1]

    async def hide(self, user: int) -> None:
        """Remove a person from all leaderboards and keep them off in future."""
        await self._people.update(user, hidden=True)
        for chat in await self._redis.smembers(keys.leaderboards_of(user)):
            board = keys.leaderboard(await self._chats.current_id(int(chat)))
            fields = await self._redis.hgetall(board)
            for name, record in records_in(fields).items():
                if user in record.people:
                    others = record.of(record.people - {user})
                    await self._redis.hset(board, {name: others.to_text() if others.ranking else "1"})
            for other in {int(match[1]) for name in fields if (match := OF_A_PERSON.match(name))} - {user}:
                if COMPANY_OF.format(other) in fields:
                    company_left = _company_of(fields, other).without(user)
                    await self._redis.hset(board, {COMPANY_OF.format(other): _as_text(company_left)})
            for name in fields:
                if f":{user}:" in name and not name.startswith(COUNTED):
                    await self._redis.hdel(board, name)
        await self._redis.delete(keys.leaderboards_of(user))

    async def copy(self, old: int, new: int) -> None:
        """Copy one chat's leaderboard to another."""
        await self._redis.copy(keys.leaderboard(old), keys.leaderboard(new))

    async def people(self, chat: int) -> set[int]:
        """Return all people on a chat's leaderboards or in its match records."""
        fields = await self._redis.hgetall(keys.leaderboard(chat))
        recorded = {user for record in records_in(fields).values() for user in record.people}
        return recorded | {int(match[1]) for name in fields if (match := OF_A_PERSON.match(name))}

    async def take_off_lists(self, chats: Iterable[int], people: Iterable[int]) -> None:
        """Remove chats from these people's lists of leaderboards."""
        for user in people:
            for chat in chats:
                await self._redis.srem(keys.leaderboards_of(user), str(chat))

    async def forget(self, chat: int) -> None:
        """Delete a chat's leaderboards."""
        await self._redis.delete(keys.leaderboard(chat))


def _match_of(chat_table: ChatTable, match: int) -> str:
    return f"{chat_table.ref}:{match}"


def _by_user(fields: Mapping[str, str], game: str, kind: str) -> dict[int, str]:
    """Return the values of a leaderboard's fields of one kind and game, by person."""
    start, end = f"{game}:", f":{kind}"
    return {
        int(name.removeprefix(start).removesuffix(end)): value
        for name, value in fields.items()
        if name.startswith(start) and name.endswith(end)
    }


def _ratings(fields: Mapping[str, str], game: str) -> dict[int, Rating]:
    return compared({user: Rating.from_text(text) for user, text in _by_user(fields, game, "rating").items()})


def _own(record: MatchRecord, user: int) -> dict[str, Any]:
    place = next(place for place, sides in enumerate(record.ranking, 1) if any(user in side for side in sides))
    return {"game": record.game, "ended": datetime.fromtimestamp(record.ended, UTC).isoformat(), "place": place}


def _row_of(fields: Mapping[str, str], user: int, records: Iterable[MatchRecord]) -> WinsInARow:
    """Return a person's stored streaks in a group, or compute them from its records, which are oldest first."""
    stored, row = fields.get(ROW_OF.format(user)), WinsInARow()
    if stored is not None:
        return WinsInARow(*map(int, stored.split()))
    for record in records:
        if user in record.people:
            row = row.after(record.places, user)
    return row


def _company_of(fields: Mapping[str, str], user: int) -> Company:
    return msgspec.json.decode(fields.get(COMPANY_OF.format(user), "[]"), type=Company)


def _as_text(own: Company) -> str:
    return msgspec.json.encode(own).decode()


def _matches_of(user: int, records: Iterable[MatchRecord], chat: int) -> list[OwnMatch]:
    own = [record for record in records if user in record.people]
    return [OwnMatch(match.ended, chat, match.game, match.places, match.partners_of(user)) for match in own]


def _counted(
    before: Mapping[str, str], match: str, record: MatchRecord, places: Mapping[int, int], since: float
) -> dict[str, str]:
    """Return the changed fields of a leaderboard after a match, by name; an empty value deletes a field."""
    game, fields = record.game, dict[str, str]()
    for user, place in places.items():
        for name, more in (("matches", 1), ("wins", int(place == min(places.values())))):
            field = f"{game}:{user}:{name}"
            fields[field] = str(int(before.get(field, 0)) + more)
    every, ratings = records_in(before), _ratings(before, game)
    for user in record.people:
        row = _row_of(before, user, reversed(every.values())).after(record.places, user)
        fields[ROW_OF.format(user)] = " ".join(map(str, row))
    records = {name: own_record for name, own_record in every.items() if own_record.game == game}
    people = {
        *places,
        *_by_user(before, game, "matches"),
    }  # an earlier release removed people but not their records
    counting = newest([record, *records.values()])
    after = rated([own_record.of(people).ranking for own_record in counting], ratings)
    fields |= {f"{game}:{user}:rating": rating.to_text() for user, rating in after.items()}
    played = {user for own_record in records.values() for user in own_record.people}
    for user in ratings.keys() - after.keys() - played:  # people with recorded matches keep their last rating
        if ROW_OF.format(user) not in before:  # an earlier release's rating has another scale
            fields[f"{game}:{user}:rating"] = ""
    for user in places.keys() & after.keys():
        fields[f"{game}:{user}:change"] = f"{match} {ratings.get(user, Rating()).points}"
    out = {
        name: own_record
        for name, own_record in records.items()
        if own_record.ended < since and is_old(own_record, record.ended) and own_record not in counting
    }
    for user in {user for own_record in out.values() for user in own_record.people}:
        met = company(_matches_of(user, out.values(), 0), user, _company_of(before, user))
        fields[COMPANY_OF.format(user)] = _as_text(met.of_most())
    return fields | dict.fromkeys(out, "")
