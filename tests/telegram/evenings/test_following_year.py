"""A year of evenings over both clock changes, with failures of bot, engine and Redis, and people who come late.

The engine and the bot's Redis are separate processes, which are killed; the bot is killed at one of its steps. Every
evening is announced once, and every season's table agrees with that of another program. `.ci/run` plays the weeks
around the change in autumn; `make test-all` plays the whole year.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

import pytest

from locanda.client import EngineClient
from locanda.errors import unreachable
from locanda.translations import translations_in
from services.engine.store import connect
from services.telegram.app import RETRY
from services.telegram.evenings import following, handlers
from services.telegram.evenings.summary import Score
from services.telegram.following import facts, results
from services.telegram.play.dates import day_of, local, zones
from services.telegram.repositories import keys, leaderboards
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons import following as seasons
from services.telegram.seasons.season import table
from services.telegram.sending import delivery, lost_messages
from tests.e2e.processes import ForkedEngine, running
from tests.emulator import Emulator, NotSeenError, Person
from tests.emulator.chats import PATIENCE, Chat
from tests.redis_server import RedisServer, empty_database
from tests.sampling import WHOLE
from tests.secrecy import guarded
from tests.telegram.evenings.rounds import play_to_the_end
from tests.telegram.evenings.test_handlers import Clock, it_is, moment, sits_down
from tests.telegram.harness import BotHarness
from tests.telegram.seasons.test_season import by_the_other_program
from tests.telegram.test_bot_crashes import Crash

pytestmark = pytest.mark.slow

FIRST, WEEKS = (date(2026, 3, 5), 52) if WHOLE else (date(2026, 10, 15), 4)
"""The first Thursday, and the number of weeks with evenings."""
NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa")
HOUR, DAY = 3600, 86_400
ITALIAN = translations_in("it")
FAULTS = ("none", "bot", "bot", "redis", "redis killed", "engine", "engine killed", "answer")
CRASHES = ("outbox.record", "evenings.save", "evenings.announce", "tables.seat", "tables.deal")


class Services(NamedTuple):
    """A bot, and the processes on which it depends."""

    harness: BotHarness
    redis: RedisServer
    engine: ForkedEngine


@pytest.fixture
async def services(telegram: Emulator, mortal_redis: RedisServer, tmp_path: Path) -> AsyncIterator[Services]:
    """A running bot, its Redis and its engine."""
    async with AsyncExitStack() as stack:
        stack.enter_context(patch.object(facts, "when_to_pass", lambda *_, **__: "never"))
        database = await stack.enter_async_context(empty_database())
        store = await connect(database)
        stack.push_async_callback(store.close)
        engine = ForkedEngine(
            tmp_path / "engine.log",
            database,
            ENGINE_STREAMS="0",
            ENGINE_TABLES_PER_MINUTE="0",
            ENGINE_CLIENT_MB="0",
            ENGINE_SEATS_PER_MINUTE="0",
        )
        await stack.enter_async_context(running(engine))
        client = await stack.enter_async_context(EngineClient.connect(engine.url, retry=RETRY))
        harness = BotHarness(telegram, client, mortal_redis.url, {})
        harness.secrecy = await stack.enter_async_context(guarded(telegram, store))
        await harness.open()
        stack.push_async_callback(harness.redis.aclose)
        stack.push_async_callback(harness.close)
        yield Services(harness, mortal_redis, engine)


class Year:
    """The evenings of one group, week after week."""

    def __init__(self, services: Services, telegram: Emulator, clock: Clock, group: Chat, people: list[Person]) -> None:
        self.services = services
        self.harness = services.harness
        self.telegram = telegram
        self.clock = clock
        self.group = group
        self.people = people
        self.dice = Random(7)
        self.faults: list[str] = []
        self.before = 0

    def sent(self, text: str) -> int:
        """Return the number of messages with a text that were sent to the group, with or without a photo."""
        methods = {"sendMessage": "text", "sendPhoto": "caption"}
        journal = self.telegram.journal
        return sum(
            text in str(call.params.get(part, ""))
            for method, part in methods.items()
            for call in journal.of(method, chat=self.group.id)
        )

    async def comes_to(self, now: float, done: Callable[[], object]) -> None:
        """Set the time, cause a random failure, and wait until `done` is true."""
        fault = self.dice.choice(FAULTS)
        self.faults.append(fault)
        match fault:
            case "bot":
                await self._killed(now)
            case "redis":
                self.harness.redis_away()
                it_is(self.harness, self.clock, now)
                await asyncio.sleep(0.02)
                await self.harness.kill()
                await self.harness.open()
            case "redis killed":
                await asyncio.to_thread(self.services.redis.kill)
                it_is(self.harness, self.clock, now)
                await asyncio.sleep(self.dice.choice((0.02, 0.3)))
                await asyncio.to_thread(self.services.redis.start)
            case "engine killed":
                await self.services.engine.kill()
                it_is(self.harness, self.clock, now)
                await asyncio.sleep(self.dice.choice((0.02, 0.3)))
                await self.services.engine.start()
            case "engine":
                async with _failing_engine(self.dice):
                    it_is(self.harness, self.clock, now)
                    await self._until(done)
            case "answer":
                self.telegram.drop_next("sendMessage", chat=self.group)
        it_is(self.harness, self.clock, now)
        await self._until(done)

    async def _until(self, done: Callable[[], object]) -> None:
        try:
            await self.telegram.until(done, timeout=PATIENCE)
        except NotSeenError:
            raise AssertionError(f"after {self.faults}:\n{self.group.render()}") from None

    async def _killed(self, now: float) -> None:
        """Set the time, kill the bot at a random step, or soon if it does not reach the step, and restart it."""
        context, crash = self.harness.context, Crash()
        assert context
        where, _, name = self.dice.choice(CRASHES).partition(".")
        owner = {"outbox": context.outbox._store, "evenings": context.repositories.evenings}.get(where)
        setattr(owner or context.tables.evenings, name, crash)
        it_is(self.harness, self.clock, now)
        with suppress(TimeoutError):
            await asyncio.wait_for(crash.reached.wait(), self.dice.choice((0.05, 0.3)))
        await self.harness.kill()
        await self.harness.open()

    async def play(self, day: date) -> None:
        """Play the evening of a day, from its announcement to its summary."""
        await self._until(lambda: not self.group.shows(button="Mi siedo"))  # no buttons of the last evening
        self.before = self.sent("🌙")
        await self.comes_to(moment("21:00", day - timedelta(days=1)) + self.dice.randrange(HOUR), self._asks)
        coming = [person for person in self.people if self.dice.random() < 0.55]
        for person in coming:
            await self._answered(sits_down(person, self.group))
        for person in self.people:
            if person not in coming and self.dice.random() < 0.3:
                await self._answered(person.taps(self.group, "Stasera no"))
        await self.comes_to(
            moment("20:30", day) + self.dice.randrange(HOUR // 4),
            lambda: self.group.shows("Fra poco", button="Mi siedo"),
        )
        if len(coming) < 2:
            await self.comes_to(moment("21:00", day), lambda: self._too_few(day))
            return
        await self.comes_to(moment("21:00", day), lambda: self.group.shows("Si comincia!", button="Io ho finito"))
        late = [person for person in self.people if person not in coming and self.dice.random() < 0.5]
        for person in late:
            await self._answered(person.taps(self.group, "Al prossimo giro ci sono anch'io"))
        await self._round(coming, day)
        if late:
            await self._answered(coming[0].taps(self.group, "Un altro giro"))
            await self.telegram.until(lambda: self.group.shows("Giro 2", button="Io ho finito"))
            await self._round([*coming, *late], day)
        if self.dice.random() < 0.5:
            await self._answered(coming[-1].taps(self.group, "Basta per stasera"))
        await self.comes_to(moment("23:55", day), lambda: self.sent("🌙") > self.before)
        await self.telegram.until(lambda: not self.group.shows(button="Un altro giro"))

    def _too_few(self, day: date) -> bool:
        texts = [message.text for message in self.group.messages if "troppo pochi" in message.text]
        return any(f"{day_of(day, 'it')} " in text for text in texts)

    def _asks(self) -> object:
        return self.group.shows("Siete invitati", button="Mi siedo")

    async def _round(self, people: list[Person], day: date) -> None:
        """Play a round to its end."""
        self.clock.now = max(self.clock.now, moment("21:20", day)) + self.dice.randrange(600)
        assert people
        await play_to_the_end(self.harness)
        await self.telegram.until(lambda: self.group.shows(button="Un altro giro"))

    async def _answered(self, press: Awaitable[object]) -> None:
        await asyncio.wait_for(press, PATIENCE)


@asynccontextmanager
async def _failing_engine(dice: Random) -> AsyncIterator[None]:
    """Make the first calls to the engine fail, at random before or after their effect."""
    calls = {name: getattr(EngineClient, name) for name in ("open_table", "sit", "start", "table")}
    left = {name: dice.randrange(3) for name in calls}

    def failing(name: str) -> Callable[..., Awaitable[object]]:
        async def call(*arguments: object, **options: object) -> object:
            if left[name]:
                left[name] -= 1
                if dice.random() < 0.5:
                    await calls[name](*arguments, **options)
                raise unreachable("the engine is away")
            return await calls[name](*arguments, **options)

        return call

    with ExitStack() as stack:
        for name in calls:
            stack.enter_context(patch.object(EngineClient, name, failing(name)))
        yield


@pytest.fixture
def clock() -> Clock:
    """A clock at noon, two days before the first evening; time zones are read before the event loop runs."""
    zones()
    return Clock(moment("12:00", FIRST - timedelta(days=2)))


@pytest.mark.costly
@pytest.mark.parametrize(
    "weeks",
    [pytest.param(WEEKS, marks=pytest.mark.long if WHOLE else pytest.mark.slow, id="year" if WHOLE else "autumn")],
)
@pytest.mark.timeout(1800)
async def test_every_evening_is_announced_once_and_every_table_is_that_of_another_program(
    services: Services, telegram: Emulator, monkeypatch: pytest.MonkeyPatch, clock: Clock, weeks: int
) -> None:
    for module in (following, results, seasons):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=clock.time))
    for module in (handlers, leaderboards):
        monkeypatch.setattr(module, "time", clock.time)
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(lost_messages, "PAUSE", 0.02)
    monkeypatch.setattr(following, "RETRY_SECONDS", 0.02)
    people = [telegram.person(name, language="it") for name in NAMES]
    for person in people:
        await person.starts()
        await person.private.sees("Benvenuti")
    group = telegram.supergroup("Amici", people)
    await people[0].says(group, "/serata giovedì alle 21")
    await group.sees(button="Ogni giovedì")
    await people[0].taps(group, "Ogni giovedì")
    await group.sees("Una serata ogni settimana")
    year, days = (
        Year(services, telegram, clock, group, people),
        [FIRST + timedelta(weeks=week) for week in range(weeks)],
    )
    for day in days:
        await year.play(day)
        invited = year.sent(f"Siete invitati <b>giovedì {day.day} ")
        months = sum(other_day.day == day.day for other_day in days if other_day <= day)
        assert invited == months, f"{day}: {invited} invitations, after {year.faults}"
        assert local(moment("21:00", day), "Europe/Rome").hour == 21
    await _compare_seasons(services.harness, group, clock)


async def _compare_seasons(harness: BotHarness, group: Chat, clock: Clock) -> None:
    """Compare the tables of all seasons with those that another program computes from the stored match records."""
    repositories = Repositories(harness.redis)
    season = await repositories.seasons.current(group.id, clock.now)
    past = [
        await repositories.seasons.with_scores(group.id, past) for past in await repositories.seasons.past(group.id)
    ]
    fields = await RememberedRedis(harness.redis).hgetall(keys.leaderboard(group.id))
    stored = [value for name, value in fields.items() if name.startswith("counted:")]
    assert stored
    scores: dict[tuple[float, float], tuple[Score, ...]] = {
        (season.since, clock.now + 1): table(season, await repositories.seasons.record(group.id))
    }
    for past_season in past:
        first = datetime.fromtimestamp(past_season.last, zones()["europe/rome"]).replace(
            day=1, hour=0, minute=0, second=0
        )
        following_month = (first + timedelta(days=32)).replace(day=1)
        scores[first.timestamp(), following_month.timestamp()] = past_season.scores
    for (since, until), expected in scores.items():
        rows = [(score.person, score.points, score.wins, score.matches) for score in expected]
        assert rows == await asyncio.to_thread(by_the_other_program, stored, season.points, since, until)
