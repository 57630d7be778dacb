"""The keys and values that the bot stores in Redis, byte for byte: two releases may share one Redis."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from msgspec import structs
from redis.asyncio import Redis

from services.telegram.evenings.evening import Evening, EveningPlan, PlannedTable
from services.telegram.evenings.summary import PlayedDeal, PlayedMatch, Score
from services.telegram.play.dates import WeeklyTime
from services.telegram.play.plackett_luce import Ranking
from services.telegram.records import (
    NO_ID,
    ChatTable,
    DealEndSlot,
    DealSlot,
    EveningSlot,
    HandGrid,
    HandSlot,
    LastChoice,
    LobbySlot,
    MatchEndSlot,
    ShownMessage,
    TableSlot,
    slot_from_field,
    slot_to_field,
)
from services.telegram.repositories import keys, leaderboards
from services.telegram.repositories.departed import forget_chat
from services.telegram.repositories.departures import migrate
from services.telegram.repositories.match_records import MatchRecord
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons.season import PastSeason, Season
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP

SUPERGROUP = -1001500
TABLE = (
    '{"ref":"Ab3-Ef_8","chat":-500,"thread":null,"letter":"A","game":"gatto_rosso","opener":11,"alone":false,'
    '"engine":null,"options":{},"seconds":0,"over":false,"drafts":0,"closed":false,"closers":[],"evening":"","kept":null}'
)


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    yield redis
    await redis.aclose()


@pytest.fixture
def repositories(redis: Redis) -> Repositories:
    return Repositories(redis)


async def stored(redis: Redis) -> dict[str, object]:
    """Return all values in Redis, by key."""
    content: dict[str, object] = {}
    for key in sorted(cast("list[str]", await redis.keys("*"))):
        match await redis.type(key):
            case "hash":
                content[key] = await redis.hgetall(key)
            case "set":
                content[key] = await redis.smembers(key)
            case "zset":
                content[key] = await redis.zrange(key, 0, -1)
            case _:
                content[key] = await redis.get(key)
    return content


async def test_a_person(repositories: Repositories, redis: Redis) -> None:
    await repositories.people.remember(ANNA, "Anna", "it", reachable=True)
    person = {"user": "11", "name": "Anna", "language": "it"}
    person |= {"chosen": "false", "reachable": "true", "hidden": "false", "photos": "false"}
    person |= {"passing": "forced", "reminders": "true", "remarks": "true", "muted": ""}
    person |= {"seen": str(await redis.hget("bot:person:11", "seen"))}
    assert await stored(redis) == {"bot:person:11": person}
    await repositories.people.update(ANNA, language="en", chosen=True)
    await repositories.people.update(ANNA, reachable=False)
    await repositories.people.update(ANNA, hidden=True)
    await repositories.people.update(ANNA, photos=True)
    await repositories.people.update(ANNA, passing="always")
    await repositories.people.update(ANNA, reminders=False)
    person |= {"language": "en", "chosen": "true", "reachable": "false", "hidden": "true", "photos": "true"}
    person |= {"passing": "always", "reminders": "false"}
    assert await stored(redis) == {"bot:person:11": person}


async def test_a_chat(repositories: Repositories, redis: Redis) -> None:
    await repositories.chats.remember(GROUP, "Amici", "amici", "it")
    await repositories.chats.update_settings(
        GROUP, seconds=60, hosts="admins", nudges=False, pictures=True, present=True
    )
    await repositories.chats.remember_choice(GROUP, "ramino", LastChoice({"points": 51}, 90))
    assert await stored(redis) == {
        "bot:chat:-500": {
            "title": "Amici",
            "username": "amici",
            "language": "it",
            "seconds": "60",
            "hosts": "admins",
            "nudges": "false",
            "pictures": "true",
            "present": "true",
        },
        "bot:chat:-500:choices": {"ramino": '{"options":{"points":51},"seconds":90}'},
    }


async def test_a_table(repositories: Repositories, redis: Redis) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.chat_tables.record_presented_version(CHAT_TABLE.ref, 17)
    await repositories.seats.save(CHAT_TABLE.ref, ANNA, "token")
    await repositories.seats.select(CHAT_TABLE.ref, ANNA, 17, frozenset({5}))
    hand = ShownMessage(7, "1.1@7", 100.5, HandGrid("1.1@7/1", ("7h", "")), begun=8, replaced=(6,))
    await repositories.messages.record(HandSlot(CHAT_TABLE.ref, ANNA), hand)
    await repositories.seats.record(CHAT_TABLE.ref, BRUNO, 1, 2)
    assert await repositories.messages.may_nudge(CHAT_TABLE.ref, "update-1", 17)
    assert await stored(redis) == {
        "bot:live": ["Ab3-Ef_8"],
        "bot:chat:-500:tables": {"Ab3-Ef_8"},
        "bot:person:11:tables": {"Ab3-Ef_8"},
        "bot:table:Ab3-Ef_8": {"room": TABLE, "told": "17"},
        "bot:table:Ab3-Ef_8:tokens": {"11": "token"},
        "bot:table:Ab3-Ef_8:picked": {"11": '{"version":17,"places":[5]}'},
        "bot:table:Ab3-Ef_8:shown": {
            "hand:11": '{"id":7,"ring":"1.1@7","since":100.5,"grid":{"message":"1.1@7/1","places":["7h",""]},'
            '"begun":8,"replaced":[6]}'
        },
        "bot:table:Ab3-Ef_8:left": {"12": "1:2"},
        "bot:table:Ab3-Ef_8:nudged": "update-1",
        "bot:table:Ab3-Ef_8:nudges:17:0": "update-1",
    }


async def test_a_shuffle(repositories: Repositories, redis: Redis) -> None:
    await repositories.shuffles.keep_commitment(CHAT_TABLE.ref, "engine-id", 1, "c0")
    await repositories.shuffles.keep_seed(CHAT_TABLE.ref, "engine-id", 1, ANNA, "seed")
    await repositories.shuffles.confirm_seed(CHAT_TABLE.ref, "engine-id", 1, ANNA)
    await repositories.shuffles.record_outcome(CHAT_TABLE.ref, "engine-id", 1, "agreed")
    assert await stored(redis) == {
        "bot:table:Ab3-Ef_8:shuffles": {
            "engine-id:1:commitment": "c0",
            "engine-id:1:11": "seed",
            "engine-id:1:11:given": "1",
            "engine-id:1:outcome": "agreed",
        }
    }


async def test_a_table_with_every_field(repositories: Repositories, redis: Redis) -> None:
    await repositories.chat_tables.save(
        ChatTable("Ab3-Ef_8", ANNA, 3, "B", "ramino", ANNA, True, "engine-id", {"points": 51}, 60, True, 2)
    )
    assert (await stored(redis))["bot:table:Ab3-Ef_8"] == {
        "room": '{"ref":"Ab3-Ef_8","chat":11,"thread":3,"letter":"B","game":"ramino","opener":11,"alone":true,'
        '"engine":"engine-id","options":{"points":51},"seconds":60,"over":true,"drafts":2,"closed":false,"closers":[],"evening":"","kept":null}'
    }


async def test_a_leaderboard(repositories: Repositories, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "time", lambda: 1764000000.5)
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0})
    content = await stored(redis)
    assert content["bot:person:11:boards"] == {"-500"}
    assert content["bot:chat:-500:board"] == {
        "counted:Ab3-Ef_8:1": "1764000000 gatto_rosso 11",
        "gatto_rosso:11:matches": "1",
        "gatto_rosso:11:wins": "1",
        "every:11:row": "0 0",
    }
    await repositories.people.remember(BRUNO, "Bruno", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, BRUNO: 0})
    rated = (await stored(redis))["bot:chat:-500:board"]
    assert rated == cast("dict[str, str]", content["bot:chat:-500:board"]) | {
        "counted:Ab3-Ef_8:2": "1764000000 gatto_rosso 11=12",
        "gatto_rosso:11:matches": "2",
        "gatto_rosso:11:wins": "2",
        "gatto_rosso:11:rating": "25.000 7.092 1",
        "gatto_rosso:11:change": "Ab3-Ef_8:2 1000",
        "gatto_rosso:12:matches": "1",
        "gatto_rosso:12:wins": "1",
        "gatto_rosso:12:rating": "25.000 7.092 1",
        "every:11:row": "1 1",
        "every:12:row": "1 1",
        "gatto_rosso:12:change": "Ab3-Ef_8:2 1000",
    }


@pytest.mark.parametrize(
    ("text", "ranking"),
    [("11", (((11,),),)), ("11>12=13", (((11,),), ((12,), (13,)))), ("11+13>12+14", (((11, 13),), ((12, 14),)))],
)
def test_the_record_of_a_match(text: str, ranking: Ranking) -> None:
    record = MatchRecord(1764000000, "gatto_rosso", ranking)
    assert record.to_text() == f"1764000000 gatto_rosso {text}"
    assert MatchRecord.from_text(record.to_text()) == record


@pytest.mark.parametrize(
    "mark", ["1", "", "1764000000 gatto_rosso ", "1764000000 gatto_rosso 11>", "x gatto_rosso 1>2"]
)
def test_the_mark_of_an_earlier_release_or_a_damaged_one_is_no_record(mark: str) -> None:
    assert MatchRecord.from_text(mark) is None


async def test_matches_that_an_earlier_release_has_counted_are_counted_and_ratings_begin_with_the_next_one(
    repositories: Repositories, redis: Redis
) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    before = {"gatto_rosso:11:matches": "7", "gatto_rosso:11:wins": "3", "counted:Ab3-Ef_8:1": "1"}
    before |= {"gatto_rosso:13:rating": "31.5 8.065901413 3", "gatto_rosso:13:matches": "3"}
    await redis.hset(keys.leaderboard(GROUP), mapping=cast("Mapping[Any, Any]", before))
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0, BRUNO: 1})
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, BRUNO: 1})
    anna, bruno = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert (anna.wins, anna.matches, anna.rating.matches) == (4, 8, 1)
    assert (bruno.wins, bruno.matches, bruno.rating.matches) == (0, 1, 1)
    fields = cast("dict[str, dict[str, str]]", await stored(redis))[keys.leaderboard(GROUP)]
    assert "gatto_rosso:13:rating" not in fields, "a rating of another scale is no rating"
    assert fields["gatto_rosso:13:matches"] == "3"


async def test_a_group_that_became_a_supergroup(repositories: Repositories, redis: Redis) -> None:
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, thread=3))
    await migrate(repositories, GROUP, SUPERGROUP)
    assert await stored(redis) == {
        "bot:live": ["Ab3-Ef_8"],
        "bot:moved": {"-500": "-1001500"},
        "bot:chat:-1001500": {"title": "Amici", "username": "", "language": "it"},
        "bot:chat:-1001500:tables": {"Ab3-Ef_8"},
        "bot:table:Ab3-Ef_8": {"room": TABLE.replace("-500", "-1001500")},
    }


async def test_messages_by_slot(repositories: Repositories, redis: Redis) -> None:
    ref = CHAT_TABLE.ref
    await repositories.chat_tables.save(CHAT_TABLE)
    slots: list[TableSlot] = [
        LobbySlot(ref),
        DealSlot(ref, 1, 2),
        DealEndSlot(ref, 1, 2),
        MatchEndSlot(ref, 1),
        HandSlot(ref, ANNA),
    ]
    for message, slot in enumerate(slots):
        await repositories.messages.record_id(slot, message)
    names = ["lobby", "table:1.2", "end:1.2", "over:1", "hand:11"]
    fields = {name: f'{{"id":{message}}}' for message, name in enumerate(names)}
    assert (await stored(redis))["bot:table:Ab3-Ef_8:shown"] == fields
    assert await repositories.messages.by_slot(ref) == {slot: message for message, slot in enumerate(slots)}
    assert [slot_to_field(slot) for slot in slots] == list(fields)


async def test_a_message_that_release_0_1_sent_is_known_until_another_takes_its_place(
    repositories: Repositories, redis: Redis
) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    await RememberedRedis(redis).hset("bot:table:Ab3-Ef_8:messages", {"lobby": "6", "hand:11": "7"})
    lobby, hand = LobbySlot(CHAT_TABLE.ref), HandSlot(CHAT_TABLE.ref, ANNA)
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {lobby: 6, hand: 7}
    await repositories.messages.record_id(hand, 9)
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {lobby: 6, hand: 9}
    await repositories.messages.forget(lobby)
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {hand: 9}


@pytest.mark.parametrize("field", ["", "table", "table:1", "table:1.2.3", "hand:x", "hand:-1", "lobby:1", "photo:7"])
def test_an_unknown_field_is_no_slot(field: str) -> None:
    assert slot_from_field(CHAT_TABLE.ref, field) is None


async def test_an_evening(repositories: Repositories, redis: Redis) -> None:
    fixed = EveningPlan("Ab3-Ef_8", None, "ramino", WeeklyTime(3, 1260), "Europe/Rome", weekly=True, since=1.0, seen=7)
    evening = Evening("Ab3-Ef_820261126", GROUP, None, "ramino", "Europe/Rome", announced=2.0, starts=3.0)
    tables = ((PlannedTable("Cd3-Ef_8", (ANNA, BRUNO), 3),),)
    await repositories.evenings.save_plan(GROUP, fixed)
    await repositories.evenings.announce(evening)
    await repositories.evenings.save(
        structs.replace(evening, state="playing", tables=tables, planned=(((ANNA, BRUNO),),))
    )
    played = PlayedMatch(4.0, {ANNA: 0}, (PlayedDeal({ANNA: 0}, {ANNA: 5}),), ("7h",))
    await repositories.evenings.note_match(evening.ref, "Cd3-Ef_8", 1, played)
    assert await stored(redis) == {
        "bot:planned": {"-500"},
        "bot:evenings": {"Ab3-Ef_820261126"},
        "bot:chat:-500:evenings": {
            "plan": '{"id":"Ab3-Ef_8","thread":null,"game":"ramino","at":{"weekday":3,"minute":1260},'
            '"zone":"Europe/Rome","weekly":true,"since":1.0,"seen":7,"by":0}',
            "latest": "Ab3-Ef_820261126",
        },
        "bot:evening:Ab3-Ef_820261126": {
            "facts": '{"ref":"Ab3-Ef_820261126","chat":-500,"thread":null,"game":"ramino","zone":"Europe/Rome",'
            '"announced":2.0,"starts":3.0,"state":"playing","tables":[[{"ref":"Cd3-Ef_8","people":[11,12],"seats":3}]],'
            '"seated":0,"begun":0,"planned":[[[11,12]]],"changed":0.0}',
            "match:Cd3-Ef_8:1": '{"ended":4.0,"places":{"11":0},"deals":[[{"11":0},{"11":5}]],"cards":["7h"]}',
        },
    }


async def test_the_evenings_of_a_group_that_became_a_supergroup_go_on_there(repositories: Repositories) -> None:
    fixed = EveningPlan("Ab3-Ef_8", 5, "ramino", WeeklyTime(3, 1260), "Europe/Rome", weekly=True, since=1.0)
    evening = Evening("Ab3-Ef_820261126", GROUP, 5, "ramino", "Europe/Rome", announced=2.0, starts=3.0)
    await repositories.evenings.save_plan(GROUP, fixed)
    await repositories.evenings.announce(evening)
    await repositories.messages.record(EveningSlot(evening.ref), ShownMessage(9))
    await migrate(repositories, GROUP, SUPERGROUP)
    assert await repositories.evenings.chats() == [SUPERGROUP]
    assert await repositories.evenings.plan(SUPERGROUP) == structs.replace(fixed, thread=None, seen=0)
    assert await repositories.evenings.latest(SUPERGROUP) == structs.replace(evening, chat=SUPERGROUP, thread=None)
    assert await repositories.messages.by_slot(evening.ref) == {EveningSlot(evening.ref): NO_ID}


async def test_a_season(repositories: Repositories, redis: Redis) -> None:
    await repositories.seasons.save(GROUP, Season(2, 5.0, "week", (3, 1), (9,), ANNA))
    past = PastSeason(1, 4.0, "month", (Score(ANNA, 5, 1, 1),))
    await repositories.seasons._records.save(keys.evenings_of(GROUP), "season:1", past)
    assert await stored(redis) == {
        "bot:chat:-500:evenings": {
            "season": '{"number":2,"since":5.0,"length":"week","points":[3,1],"following":[9],"by":11}',
            "season:1": '{"number":1,"last":4.0,"length":"month",'
            '"scores":[{"person":11,"points":5,"wins":1,"matches":1}],"announced":true}',
        },
    }
    assert await repositories.seasons.past(GROUP) == [past]


async def test_a_past_season_has_its_winners_in_the_list_and_all_scores_in_a_key_of_its_own(
    repositories: Repositories, redis: Redis
) -> None:
    won, lost = Score(ANNA, 5, 1, 1), Score(BRUNO, 3, 0, 1)
    past = PastSeason(1, 4.0, "month", (won, lost))
    await repositories.seasons._records.save(keys.evenings_of(GROUP), "season:1", past)  # as earlier releases did
    assert await repositories.seasons.past(GROUP) == [past.of_champions]
    assert await redis.get(keys.season_scores(GROUP, 1)) == (
        '[{"person":11,"points":5,"wins":1,"matches":1},{"person":12,"points":3,"wins":0,"matches":1}]'
    )
    assert '"person":12' not in str(await redis.hget(keys.evenings_of(GROUP), "season:1"))
    assert await repositories.seasons.with_scores(GROUP, past.of_champions) == past
    await migrate(repositories, GROUP, SUPERGROUP)
    assert await redis.get(keys.season_scores(GROUP, 1)) is None
    assert await repositories.seasons.with_scores(SUPERGROUP, past.of_champions) == past
    await redis.sadd(keys.leaderboards_of(ANNA), str(SUPERGROUP))
    await repositories.seasons.forget_person(ANNA)
    [without] = await repositories.seasons.past(SUPERGROUP)
    assert without.champions == [BRUNO]
    await forget_chat(repositories, SUPERGROUP)
    assert await redis.get(keys.season_scores(SUPERGROUP, 1)) is None
