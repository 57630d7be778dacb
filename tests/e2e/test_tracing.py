"""One tap can be followed through both services by its id."""

import asyncio
import json
from typing import Any

from tests.e2e.friends import PATIENCE, Friends
from tests.e2e.house import House
from tests.engine.http.house import written


def _lines(text: str, event: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, text.splitlines()) if line["event"] == event]


async def test_a_tap_leaves_the_same_id_in_the_logs_of_bot_and_engine(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    with written(level="debug") as text:
        person, key = await friends.turn()
        await person.taps(person.private, key)
        await friends.redrawn(person, key)
        async with asyncio.timeout(PATIENCE):
            while not _lines(text.getvalue(), "update"):  # noqa: ASYNC110  (looks at the log)
                await asyncio.sleep(0.01)
    (tap,) = _lines(text.getvalue(), "update")
    assert tap["kind"] == "tap"
    asked = [line for line in _lines(text.getvalue(), "request") if line["request_id"] == tap["request_id"]]
    assert [line["status"] for line in asked if line["route"] == "/v1/tables/{table}/moves"] == [200]
    (step,) = (line for line in _lines(text.getvalue(), "step") if line["request_id"] == tap["request_id"])
    assert step["outcome"] == "committed"
    # The event goes to whoever listens, on a request of his own: the table and its version tell which step it was.
    events = _lines(text.getvalue(), "event")
    assert (step["table"], step["version"]) in {(event["table"], event["version"]) for event in events}


async def test_what_the_bot_does_by_itself_bears_no_taps_id(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    with written(level="debug") as text:
        await friends.start()
        await friends.move()
    ids = {line["request_id"] for line in _lines(text.getvalue(), "request")}
    taps = {line["request_id"] for line in _lines(text.getvalue(), "update")}
    drawn = [line for line in _lines(text.getvalue(), "request") if line["route"] == "/v1/tables/{table}"]
    assert taps <= ids
    assert any(line["request_id"] not in taps for line in drawn)
