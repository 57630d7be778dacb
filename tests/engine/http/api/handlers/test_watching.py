"""Long polls and event streams."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager

import msgspec
import pytest
from aiohttp import ClientResponse

from locanda.client import transport
from locanda.messages import JsonObject
from services.engine.http.api.handlers import tables
from services.engine.service import feeds, listeners
from services.engine.service.accounts import group_of
from services.engine.service.views import EncodedEvent
from services.engine.store import Store
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players

SOON = 15.0


class Stream:
    """An open event stream."""

    def __init__(self, answer: ClientResponse) -> None:
        self.answer = answer
        self._events = transport.parse_events(answer.content)

    async def next(self) -> transport.ServerSentEvent:
        """Return the next event."""
        async with asyncio.timeout(SOON):
            return await anext(self._events)

    async def table(self) -> JsonObject:
        """Return the table that the next event contains."""
        event = await self.next()
        table: JsonObject = msgspec.json.decode(event.data)
        assert event.id == str(table["version"])
        return table

    async def seat(self) -> tuple[int, int, list[str] | None] | None:
        """Return the seat, the version and the hand of the next `seat` event, or None if the token has no seat."""
        event = await self.next()
        assert (event.event, event.id) == ("seat", "")
        table = msgspec.json.decode(event.data)
        return table and (table["you"], table["version"], table["deal"] and table["deal"]["hand"])

    async def ended(self) -> None:
        """Wait for the end of the stream."""
        async with asyncio.timeout(SOON):
            with pytest.raises(StopAsyncIteration):
                await anext(self._events)


@asynccontextmanager
async def stream(
    players: SeatedPlayers,
    seat: int | None = None,
    *,
    query: str = "",
    last: str | None = None,
    others: Sequence[str] = (),
) -> AsyncIterator[Stream]:
    headers = {"Accept": "text/event-stream"}
    if others:
        headers["Seat-Tokens"] = ", ".join(others)
    if seat is not None:
        headers["Authorization"] = f"Bearer {players.tokens[seat]}"
    if last is not None:
        headers["Last-Event-ID"] = last
    url = players.engine.url(f"{players.path}/events{query}")
    async with players.engine.session.get(url, headers=headers) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        yield Stream(answer)


# --- long polls


async def test_a_long_poll_answers_as_soon_as_something_is_newer(players: SeatedPlayers) -> None:
    waiting = asyncio.create_task(players.engine.get(f"{players.path}?after=3&wait=20"))
    await players.engine.followed(players.table)
    assert not waiting.done()
    began = time.monotonic()
    await players.start()
    answer = await waiting
    assert time.monotonic() - began < SOON
    assert (answer.status, answer.json["version"]) == (200, 4)


async def test_a_long_poll_ends_with_the_table_as_it_is(players: SeatedPlayers) -> None:
    answer = await players.engine.get(f"{players.path}?after=3&wait=0.2")
    assert (answer.status, answer.json["version"], answer.headers["ETag"]) == (200, 3, '"3"')


async def test_a_long_poll_for_something_known_to_be_older_answers_at_once(players: SeatedPlayers) -> None:
    async with asyncio.timeout(SOON):
        answer = await players.engine.get(f"{players.path}?after=1&wait=25")
    assert answer.json["version"] == 3


async def test_a_long_poll_of_a_wrong_token_is_refused_at_once(players: SeatedPlayers) -> None:
    async with asyncio.timeout(SOON):
        answer = await players.engine.get(f"{players.path}?after=3&wait=25", token="A" * 43)
    assert answer.code == "wrong_token"


async def test_a_long_wait_is_cut_short(players: SeatedPlayers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LONGEST_WAIT", 0.1)
    async with asyncio.timeout(SOON):
        answer = await players.engine.get(f"{players.path}?after=3&wait=86400")
    assert answer.status == 200


@pytest.mark.parametrize(
    "query",
    [
        "after=x",
        "after=-1",
        "after=1.5",
        "after=",
        "after=99999999999999999999",
        "wait=-1",
        "wait=nan",
        "wait=inf",
        "wait=90000",
        "after=null",
        "wait=soon",
    ],
)
async def test_a_bad_parameter_is_named(players: SeatedPlayers, query: str) -> None:
    for path in (f"{players.path}?{query}", *([f"{players.path}/events?{query}"] if "after" in query else [])):
        answer = await players.engine.get(path)
        assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", query.partition("=")[0])


# --- pages of events


async def test_a_page_has_the_remembered_events_oldest_first(players: SeatedPlayers) -> None:
    answer = await players.engine.get(f"{players.path}/events", headers={"Accept": "application/json"})
    events = answer.json["events"]
    assert [event["id"] for event in events] == [1, 2, 3]
    assert [event["table"]["events"][0]["type"] for event in events] == ["opened", "sat", "sat"]


async def test_a_page_begins_after_a_version(players: SeatedPlayers) -> None:
    answer = await players.engine.get(f"{players.path}/events?after=2", headers={"Accept": "application/json"})
    assert [event["id"] for event in answer.json["events"]] == [3]


async def play_move_by_move(playing: SeatedPlayers) -> int:
    """Play until the match is over, and return the version. There are more versions than stored events."""
    while (answer := await playing.play()).json["table"]["status"] != "over":
        pass
    version: int = answer.json["table"]["version"]
    return version


async def test_a_page_from_before_what_is_remembered_is_a_gap(playing: SeatedPlayers) -> None:
    await play_move_by_move(playing)
    answer = await playing.engine.get(f"{playing.path}/events?after=1", headers={"Accept": "application/json"})
    (gap,) = answer.json["events"]
    assert (gap["event"], gap["table"]["status"]) == ("gap", "over")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("text/event-stream, application/json", "text/event-stream"),
        ("application/json, text/plain, */*", "application/json"),
        ("text/event-stream;q=0.5, application/json", "application/json"),
        ("application/*", "application/json"),
        ("*/*, text/event-stream;q=0", "application/json"),
    ],
)
async def test_accept_chooses_the_form(players: SeatedPlayers, accept: str, kind: str) -> None:
    url = players.engine.url(f"{players.path}/events")
    async with players.engine.session.get(url, headers={"Accept": accept}) as answer:
        assert answer.content_type == kind


@pytest.mark.parametrize("accept", ["text/html", "image/*", "application/json;q=0", "application/json;q=much"])
async def test_a_form_that_there_is_not_is_refused(players: SeatedPlayers, accept: str) -> None:
    answer = await players.engine.get(f"{players.path}/events", headers={"Accept": accept})
    assert (answer.status, answer.code) == (406, "not_acceptable")


# --- streams


@pytest.mark.parametrize("brought", [True, False])
async def test_a_stream_begins_with_the_table_and_sends_every_change(
    players: SeatedPlayers, monkeypatch: pytest.MonkeyPatch, *, brought: bool
) -> None:
    """The feed accepts notifications with the table, and those of earlier releases that only announce a change."""
    if not brought:
        monkeypatch.setattr(Store, "_pass_on", lambda *_: False)
    async with stream(players) as watching_:
        assert (await watching_.table())["version"] == 3
        await players.start()
        await players.play()
        assert [(await watching_.table())["version"] for _ in range(2)] == [4, 5]


@pytest.mark.parametrize("resumed", [{"last": "3"}, {"query": "?after=3"}, {"last": "3", "query": "?after=1"}])
async def test_a_resumed_stream_misses_nothing(players: SeatedPlayers, resumed: dict[str, str]) -> None:
    await players.start()
    await players.play()
    async with stream(players, **resumed) as watching_:  # type: ignore[arg-type]
        events = [await watching_.next() for _ in range(2)]
    assert [(event.id, event.event) for event in events] == [("4", "change"), ("5", "change")]


async def test_a_stream_resumed_at_the_newest_version_waits(players: SeatedPlayers) -> None:
    async with stream(players, last="3") as watching_:
        waiting = asyncio.create_task(watching_.next())
        await players.engine.followed(players.table)
        assert not waiting.done()
        await players.start()
        assert (await waiting).id == "4"


async def test_a_stream_resumed_too_late_begins_with_a_gap(playing: SeatedPlayers) -> None:
    version = await play_move_by_move(playing)
    async with stream(playing, last="2") as watching_:
        event = await watching_.next()
        assert (event.event, event.id) == ("gap", str(version))
        await playing.start()
        assert (await watching_.next()).event == "change"


async def test_each_sees_the_own_hand_alone(players: SeatedPlayers) -> None:
    async with stream(players, 0) as own, stream(players, 1) as other, stream(players) as spectator:
        watchers = (own, other, spectator)
        for watcher in watchers:
            await watcher.next()
        await players.start()
        hands = [(await watcher.table())["deal"]["hand"] for watcher in watchers]
    assert hands[0] != hands[1]
    assert hands[2] is None
    assert not set(hands[0]) & set(hands[1])


@pytest.mark.parametrize("last", [None, "2"])
async def test_a_stream_shows_further_seats_before_each_event(players: SeatedPlayers, last: str | None) -> None:
    nobodys, (anna, _, carla) = "n" * 43, players.tokens
    async with stream(players, last=last, others=[carla, nobodys, anna]) as following:
        assert [await following.seat() for _ in range(3)] == [(2, 3, None), None, (0, 3, None)]
        assert (await following.table())["you"] is None
        await players.start()
        seen = [await following.seat() for _ in range(3)]
        public = await following.table()
    dealt = [(await players.engine.get(players.path, token=token)).json["deal"]["hand"] for token in (carla, anna)]
    assert seen == [(2, 4, dealt[0]), None, (0, 4, dealt[1])]
    assert public["deal"]["hand"] is None


@pytest.mark.parametrize("tokens", [",", "a token", ",".join("n" * 11)])
async def test_tokens_of_further_seats_that_are_none_are_refused(players: SeatedPlayers, tokens: str) -> None:
    answer = await players.engine.get(f"{players.path}/events", headers={"Seat-Tokens": tokens})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "bad_header", "Seat-Tokens")


async def test_an_error_before_the_stream_is_a_problem(players: SeatedPlayers) -> None:
    headers = {"Accept": "text/event-stream"}
    answer = await players.engine.get(f"{players.path}/events", token="A" * 43, headers=headers)
    assert (answer.status, answer.code) == (401, "wrong_token")
    answer = await players.engine.get(f"/v1/tables/{'A' * 22}/events", headers=headers)
    assert (answer.status, answer.code) == (404, "no_such_table")


@pytest.mark.parametrize("last", ["", "x", "-1", "1.0", "99999999999"])
async def test_a_bad_last_event_id_is_refused(players: SeatedPlayers, last: str) -> None:
    answer = await players.engine.get(f"{players.path}/events", headers={"Last-Event-ID": last})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "bad_header", "Last-Event-ID")


async def test_a_listener_who_takes_nothing_for_long_misses_nothing(players: SeatedPlayers) -> None:
    changes = 2 * listeners.MOST_WAITING
    following = players.engine.context.service.queries.follow(
        players.table, players.tokens[1], (), None, account=group_of("")
    )
    async with aclosing(following):
        assert (await anext(following)) is not None
        await players.start()
        for _ in range(changes):
            assert (await players.play()).status == 200
        events = [await anext(following) for _ in range(changes + 1)]
        changed = [event for event in events if isinstance(event, EncodedEvent)]
        assert [(event.id, event.event) for event in changed] == [(4 + n, "change") for n in range(changes + 1)]
        views = [msgspec.json.decode(event.table) for event in changed]
        assert {view["you"] for view in views} == {1}
        await players.play()
        event = await anext(following)
        assert isinstance(event, EncodedEvent)
        assert event.id == changes + 5


async def test_a_stream_ends_when_its_token_is_good_no_longer(players: SeatedPlayers) -> None:
    async with stream(players, 1) as leaver:
        await leaver.next()
        await players.engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])
        await leaver.ended()


async def test_a_quiet_stream_is_kept_alive(players: SeatedPlayers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "KEEP_ALIVE_SECONDS", 0.05)
    async with stream(players, last="3") as watching_:
        async with asyncio.timeout(SOON):
            lines = [await watching_.answer.content.readline() for _ in range(6)]
    assert lines[0].startswith(b"retry: ")
    assert lines[2:] == [b": keep-alive\n", b"\n"] * 2


async def test_streams_and_polls_end_orderly_when_the_engine_shuts_down(engine: RunningEngine) -> None:
    players = await seat_players(engine)
    async with stream(players) as watching_:
        await watching_.next()
        poll = asyncio.create_task(engine.get(f"{players.path}?after=3&wait=25"))
        await engine.followed(players.table, 2)
        began = time.monotonic()
        await engine.server.close()
        await watching_.ended()
        assert (await poll).status == 200
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("path", ["", "/events"])
async def test_the_parameters_that_there_are_include_words(players: SeatedPlayers, path: str) -> None:
    answer = await players.engine.get(f"{players.path}{path}?word=true")
    assert (answer.status, answer.json["field"]) == (400, "word")
    assert answer.json["detail"].endswith("`words`")
