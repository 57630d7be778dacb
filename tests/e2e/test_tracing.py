"""One tap has the same request id in the logs of both services."""

import json
from typing import Any

from tests.e2e.engine_and_bot import EngineAndBot
from tests.e2e.players import GroupPlayers
from tests.engine.http.engine_server import captured_logs
from tests.waiting import until


def _lines(text: str, event: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, text.splitlines()) if line["event"] == event]


async def test_a_tap_leaves_the_same_id_in_the_logs_of_bot_and_engine(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    with captured_logs(level="debug") as text:
        person, key = await players.turn()
        await person.taps(person.private, key)
        await players.redrawn(person, key)
        await until(lambda: _lines(text.getvalue(), "update"))
    (tap,) = _lines(text.getvalue(), "update")
    assert tap["kind"] == "button_press"
    requests = [line for line in _lines(text.getvalue(), "request") if line["request_id"] == tap["request_id"]]
    assert [line["status"] for line in requests if line["route"] == "/v1/tables/{table}/moves"] == [200]
    (transition,) = (line for line in _lines(text.getvalue(), "transition") if line["request_id"] == tap["request_id"])
    assert transition["outcome"] == "committed"
    # A stream's events have the request id of the stream, so table and version identify the transition.
    events = _lines(text.getvalue(), "event")
    assert (transition["table"], transition["version"]) in {(event["table"], event["version"]) for event in events}


async def test_what_the_bot_does_by_itself_has_no_id_of_a_tap(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    with captured_logs(level="debug") as text:
        await players.open_a_table()
        await players.sit_down()
        await players.start()
        await players.move()
        acts = ("/v1/tables/{table}/start", "/v1/tables/{table}/moves")
        # The bot may have passed for a person who cannot play. That move has its own id.
        await until(lambda: all(_ids(text.getvalue(), route) & _press_ids(text.getvalue()) for route in acts))
        await until(lambda: _ids(text.getvalue(), "/v1/tables/{table}") - _press_ids(text.getvalue()))


def _ids(text: str, route: str) -> set[str]:
    """Return the request ids of the engine's log lines for a route."""
    return {line["request_id"] for line in _lines(text, "request") if line["route"] == route}


def _press_ids(text: str) -> set[str]:
    """Return the ids of the updates that are presses of buttons."""
    return {line["request_id"] for line in _lines(text, "update") if line["kind"] == "button_press"}
