"""Remarks at a table."""

import asyncio

import msgspec
import pytest

from locanda.texts.remarks import PHRASES, SIGNS
from services.engine.service import remarks
from tests.engine.http.api.handlers.test_watching import Stream, stream
from tests.engine.http.engine_server import ApiResponse, RunningEngine, SeatedPlayers


async def say(players: SeatedPlayers, seat: int, remark: str, *, by: int | None = None, query: str = "") -> ApiResponse:
    """Make a remark from a seat, with the token of the seat `by` if it is set."""
    token = players.tokens[seat if by is None else by]
    return await players.engine.post(f"{players.path}/seats/{seat}/remarks{query}", {"remark": remark}, token=token)


async def heard(listener: Stream) -> tuple[int, str]:
    """Return the seat and the remark of the next event."""
    event = await listener.next()
    assert (event.event, event.id) == ("remark", "")
    remark = msgspec.json.decode(event.data)
    assert set(remark) == {"seat", "remark"}
    return remark["seat"], remark["remark"]


async def test_what_is_said_reaches_those_who_ask_for_it_and_changes_no_version(players: SeatedPlayers) -> None:
    async with (
        stream(players, 1, query="?remarks=true") as other,
        stream(players, query="?words=true&remarks=true") as spectator,
        stream(players, 2) as old,
    ):
        for listener in (other, spectator, old):
            await listener.table()
        answer = await say(players, 0, "well_played")
        assert (answer.status, answer.json) == (200, {"seat": 0, "remark": "well_played"})
        assert await heard(other) == await heard(spectator) == (0, "well_played")
        assert (await players.see())["version"] == 3
        await players.start()
        for listener in (other, spectator, old):
            assert (await listener.next()).id == "4"


async def test_a_stream_that_is_resumed_gets_nothing_that_was_said_before(players: SeatedPlayers) -> None:
    await say(players, 0, "nice")
    async with stream(players, query="?after=2&remarks=true") as resumed:
        assert (await resumed.next()).id == "3"
        await players.engine.followed(players.table)
        await say(players, 1, "lucky")
        assert await heard(resumed) == (1, "lucky")


async def test_a_seat_says_one_thing_at_a_time(players: SeatedPlayers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remarks, "REMARK_PAUSE", 60_000)
    async with stream(players, query="?remarks=true") as listener:
        await listener.table()
        assert (await say(players, 0, "nice")).status == 200
        assert (await say(players, 0, "nice")).status == 200, "sent again, as after an answer that was lost"
        refused = await say(players, 0, "tears", query="?words=true")
        assert (refused.status, refused.code) == (429, "too_many_requests")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert refused.json["text"] == "Not so fast! Try again in a moment."
        assert (await say(players, 1, "tears")).status == 200, "another seat has its own limit"
        assert [await heard(listener) for _ in range(2)] == [(0, "nice"), (1, "tears")]

        monkeypatch.setattr(remarks, "REMARK_PAUSE", 1)
        assert (await say(players, 2, "nice")).status == 200
        await asyncio.sleep(0.05)
        assert (await say(players, 2, "tears")).status == 200
        assert [await heard(listener) for _ in range(2)] == [(2, "nice"), (2, "tears")]


async def test_only_who_sits_there_speaks_from_a_seat(players: SeatedPlayers) -> None:
    path, body = f"{players.path}/seats/1/remarks", {"remark": "nice"}
    assert (await players.engine.post(path, body)).code == "no_token"
    assert (await players.engine.post(path, body, token="A" * 43)).code == "wrong_token"
    assert (await say(players, 1, "nice", by=0)).code == "not_your_seat"


async def test_nothing_but_the_fixed_remarks_can_be_said(players: SeatedPlayers) -> None:
    path, token = f"{players.path}/seats/0/remarks", players.tokens[0]
    for body in ({"remark": "I hold the King"}, {"remark": ""}, {"remark": "nice", "text": "I hold the King"}, {}):
        answer = await players.engine.post(path, body, token=token)
        assert (answer.status, answer.code) == (400, "malformed")


async def test_who_waits_for_the_next_match_has_no_seat_to_speak_from(playing: SeatedPlayers) -> None:
    await playing.play_out()
    newcomer = (await playing.engine.post(f"{playing.path}/seats", {"name": "Zoe"})).json["token"]
    path = f"{playing.path}/seats/{len(playing.tokens)}/remarks"
    assert (await playing.engine.post(path, {"remark": "nice"}, token=newcomer)).code == "no_such_seat"


@pytest.mark.parametrize(("language", "text"), [("it", "Ben giocata"), ("en", "Well played")])
async def test_what_may_be_said_is_six_phrases_and_four_signs(engine: RunningEngine, language: str, text: str) -> None:
    answer = await engine.get("/v1/remarks", headers={"Accept-Language": language})
    remarks = answer.json["remarks"]
    assert [remark["remark"] for remark in remarks] == [*PHRASES, *SIGNS]
    assert [bool(remark["sign"]) for remark in remarks] == [False] * 6 + [True] * 4
    assert text in [remark["text"] for remark in remarks]
