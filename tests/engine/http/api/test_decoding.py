"""Bad input to every call: a precise problem, no change to the table, no secret in response or log."""

import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from locanda.messages import JsonObject
from services.engine.http.api.handlers import ROUTES
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, captured_logs, running_engine, seat_players
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOBODY = "A" * 43
ELSEWHERE = "B" * 22


@dataclass(frozen=True)
class Write:
    """A call with a valid body; `{table}` in its path is a table in play."""

    method: str
    path: str
    body: JsonObject

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


WRITES = [
    Write("POST", "/v1/games/gatto_rosso/deals", {"seats": 2}),
    Write("POST", "/v1/games/gatto_rosso/moves", {"deal": {}}),
    Write("POST", "/v1/games/gatto_rosso/check", {"deal": {}, "move": {}}),
    Write("POST", "/v1/games/gatto_rosso/play", {"deal": {}, "move": {}}),
    Write("POST", "/v1/games/gatto_rosso/view", {"deal": {}, "seat": 0}),
    Write("POST", "/v1/games/gatto_rosso/suggest", {"view": {}, "level": "easy"}),
    Write("POST", "/v1/games/gatto_rosso/playouts", {"playouts": [{"start": {"seats": 2}}]}),
    Write("POST", "/v1/rounds", {"people": [1, 2]}),
    Write("POST", "/v1/tables", {"game": "gatto_rosso", "name": "Anna"}),
    Write("PATCH", "{table}", {"listed": True}),
    Write("POST", "{table}/seats", {"name": "Bruno"}),
    Write("PATCH", "{table}/seats/0", {"level": "hard"}),
    Write("PUT", "{table}/seats/0/seed", {"client_seed": "x"}),
    Write("PUT", "{table}/seats/0/rematch", {"stays": True}),
    Write("PUT", "{table}/seats/0/name", {"name": "x"}),
    Write("PUT", "{table}/seats/0/successor", {"name": "x"}),
    Write("POST", "{table}/seats/0/remarks", {"remark": "nice"}),
    Write("POST", "{table}/subscriptions", {"url": "https://example.org/"}),
    Write("PUT", "{table}/evening", {"game": "gatto_rosso", "at": None}),
    Write("POST", "{table}/moves", {"move": {"type": "pass"}}),
    Write("POST", "{table}/moves/check", {"move": {"type": "pass"}}),
]


async def test_every_call_with_a_body_is_tried() -> None:
    tried = {(write.method, write.path.replace("{table}", "/v1/tables/T")) for write in WRITES}
    declared = {
        (route.method, route.path.replace("{table}", "T").replace("{seat}", "0").replace("{game}", "gatto_rosso"))
        for route in ROUTES
        if route.body
    }
    assert tried == declared


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[RunningEngine]:
    """One engine for all tests of this file."""
    async with running_engine() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def playing(engine: RunningEngine) -> SeatedPlayers:
    """Three people in a match, at one table for all tests of this file, because no test changes it."""
    players = await seat_players(engine)
    await players.start()
    return players


@pytest.fixture
def secrets(playing: SeatedPlayers) -> Iterator[None]:
    """Check that no token and no table id is in any log, whatever was requested."""
    with captured_logs("json", "debug") as text:
        yield
    assert "request" in text.getvalue()
    for secret in (*playing.tokens, playing.table):
        assert secret not in text.getvalue()


def _deep(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


GARBAGE = {
    "nothing": (b"", 400, "bad_json"),
    "words": (b"hello", 400, "bad_json"),
    "half an object": (b'{"name":', 400, None),
    "an object and more": (b"{} {}", 400, None),
    "no UTF-8": (b'{"name":"\xff\xfe"}', 400, None),
    "half a character": (b'{"name":"\\ud800"}', 400, None),
    "UTF-16": ('{"name":"x"}'.encode("utf-16"), 400, "bad_json"),
    "not a number": (b'{"seats":NaN}', 400, None),
    "a list": (b"[]", 400, "malformed"),
    "a number": (b"1", 400, "malformed"),
    "null": (b"null", 400, "malformed"),
    "very deep": (_deep(9_000), 400, None),
    "deep in a list": (b"[" * 60_000, 400, None),
    "a long number": (b'{"seats":' + b"9" * 60_000 + b"}", 400, None),
    "a huge number": (b'{"seats":1e999}', 400, None),
    "a megabyte": (b'{"name":"' + b"x" * 1_000_000 + b'"}', 413, "too_large"),
    "just too much": (b" " * 65_537, 413, "too_large"),
}


@pytest.mark.slow
@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize(("write", "garbage"), [*sampled(product(WRITES, GARBAGE), 7, 0)], ids=str)
async def test_garbage_gets_a_precise_problem_and_changes_nothing(
    playing: SeatedPlayers, write: Write, garbage: str
) -> None:
    body, status, code = GARBAGE[garbage]
    before = await playing.see()
    path = write.path.format(table=playing.path)
    answer = await playing.engine.ask(write.method, path, body, token=playing.tokens[0])
    assert answer.status == status
    assert answer.code in ([code] if code else ["bad_json", "malformed"])
    assert answer.json.get("detail")
    assert await playing.see() == before


WRONG: list[Any] = [None, True, -1, 10**40, 1.5, "", "x" * 5000, [], [[]], {}, {"a": {}}]


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize("write", WRITES, ids=str)
async def test_a_wrong_type_is_a_problem_that_names_the_field(playing: SeatedPlayers, write: Write) -> None:
    before = await playing.see()
    for field, right in write.body.items():
        for wrong in WRONG:
            if type(wrong) is type(right) or (field == "seat" and wrong is None):
                continue
            answer = await playing.engine.ask(
                write.method,
                write.path.format(table=playing.path),
                write.body | {field: wrong},
                token=playing.tokens[0],
            )
            assert answer.status in (400, 409), (field, wrong, answer.body)
            if answer.status == 400:
                assert answer.json["field"].partition(".")[0] in write.body
    assert await playing.see() == before


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize("write", WRITES, ids=str)
async def test_an_unknown_field_and_a_missing_one_are_named(playing: SeatedPlayers, write: Write) -> None:
    path = write.path.format(table=playing.path)
    answer = await playing.engine.ask(write.method, path, {"surprise": 1} | write.body, token=playing.tokens[0])
    assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", "surprise")
    if write.method == "PATCH":
        return
    for field in write.body.keys() - {"options", "url"}:
        fewer = {name: value for name, value in write.body.items() if name != field}
        answer = await playing.engine.ask(write.method, path, fewer, token=playing.tokens[0])
        assert (answer.status, answer.code) == (400, "malformed")
        assert answer.json["field"].partition(".")[0] in write.body


@pytest.mark.parametrize("write", WRITES, ids=str)
async def test_a_name_that_is_there_twice_is_refused(playing: SeatedPlayers, write: Write) -> None:
    name, value = next(iter(write.body.items()))
    encoded = msgspec.json.encode(value)
    first = msgspec.json.encode(write.body)[:-1]
    body = first + b',"' + name.encode() + b'":' + encoded + b"}"
    answer = await playing.engine.ask(
        write.method, write.path.format(table=playing.path), body, token=playing.tokens[0]
    )
    assert (answer.status, answer.code) == (400, "malformed")
    assert answer.json["field"].partition(".")[0] in write.body


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"]
)
async def test_a_body_must_be_json(playing: SeatedPlayers, kind: str) -> None:
    headers = {"Content-Type": kind}
    answer = await playing.engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"}, headers=headers)
    assert (answer.status, answer.code, answer.json["field"]) == (415, "unsupported_media_type", "Content-Type")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, gzip", "identity"])
async def test_a_body_is_taken_as_it_is_and_never_unpacked(playing: SeatedPlayers, coding: str) -> None:
    headers = {"Content-Encoding": coding}
    bomb = zlib.compress(b" " * 10_000_000, 9)
    answer = await playing.engine.post("/v1/tables", bomb, headers=headers)
    assert (answer.status, answer.code) == (415, "unsupported_media_type")
    assert (answer.json["field"], answer.headers["Accept-Encoding"]) == ("Content-Encoding", "identity")


@pytest.mark.parametrize("call", ["start", "seats/0/return"])
async def test_a_call_without_a_body_takes_none(playing: SeatedPlayers, call: str) -> None:
    answer = await playing.engine.post(f"{playing.path}/{call}", {"now": True}, token=playing.tokens[0])
    assert (answer.status, answer.code) == (400, "malformed")


NAMES = [
    *("", " ", " Anna", "Anna ", "x" * 33, "a\nb", "a\u202eb", "a\u0000b", "\u200b"),
    *("\u061cAnna", "An\u061cna", "Anna\u2060", "\ufeffAnna", "An\u00adna", "Anna\u3164", "Anna\u2800", "\u0301Anna"),
    *("\u2060", "\ufeff", "\u00ad", "\u3164", "\u2800", "\ufe0f", "\u0301\u0302", "\u200d", "\u034f", "\uffa0"),
    *("\U000e0100", "\U000e0041", "\U0001d173", "\U00010a01", "\u0903", "\u20dd"),
]


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_one_line_of_printable_text(engine: RunningEngine, name: str) -> None:
    answer = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": name})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", "name")


@pytest.mark.parametrize("name", ["José", "علي‌رضا", "क्षिति", "👨‍👩‍👧", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "李\u3000白", "o"])
async def test_a_name_may_be_of_any_script_or_of_emoji(engine: RunningEngine, name: str) -> None:
    answer = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": name})
    assert answer.status == 201
    assert answer.json["table"]["seats"][0]["name"] == name


@pytest.mark.parametrize("game", ["", "briscola", "../gatto_rosso"])
async def test_an_unknown_game_in_a_body_is_a_fault(engine: RunningEngine, game: str) -> None:
    answer = await engine.post("/v1/tables", {"game": game, "name": "Anna"})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", "game")


OF_SEATS = [
    ("PATCH", "", {"listed": True}),
    ("DELETE", "/seats/0", None),
    ("PUT", "/seats/0/seed", {"client_seed": "x"}),
    ("PUT", "/seats/0/rematch", {"stays": True}),
    ("PUT", "/seats/0/name", {"name": "x"}),
    ("POST", "/seats/0/return", None),
    ("POST", "/start", None),
    ("GET", "/moves", None),
    ("POST", "/moves", {"move": {"type": "pass"}}),
    ("POST", "/moves/check", {"move": {"type": "pass"}}),
]
EVERYWHERE = [*OF_SEATS, ("GET", "", None), ("GET", "/events", None), ("POST", "/seats", {"name": "Dario"})]


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize(("method", "call", "body"), OF_SEATS)
async def test_a_seats_request_without_a_token_is_refused(
    playing: SeatedPlayers, method: str, call: str, body: JsonObject | None
) -> None:
    before = await playing.see()
    answer = await playing.engine.ask(method, playing.path + call, body)
    assert (answer.status, answer.code) == (401, "no_token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert await playing.see() == before


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize(("method", "call", "body"), EVERYWHERE)
@pytest.mark.parametrize(
    "header", [f"Bearer {NOBODY}", "Bearer", "Bearer ", "Basic QTpC", "Bearer a b", NOBODY, "Bearer é"]
)
async def test_a_wrong_token_is_refused_everywhere(
    playing: SeatedPlayers, method: str, call: str, body: JsonObject | None, header: str
) -> None:
    before = await playing.see()
    answer = await playing.engine.ask(method, playing.path + call, body, headers={"Authorization": header})
    assert (answer.status, answer.code) == (401, "wrong_token")
    assert answer.headers["WWW-Authenticate"].endswith('error="invalid_token"')
    well_formed = header.endswith(NOBODY) and header != NOBODY
    assert answer.json.get("field") == (None if well_formed else "Authorization")
    assert await playing.see() == before


@pytest.mark.parametrize(("method", "call", "body"), EVERYWHERE)
async def test_a_token_of_another_table_is_no_token_here(
    playing: SeatedPlayers, method: str, call: str, body: JsonObject | None
) -> None:
    stranger = (await seat_players(playing.engine, 1)).tokens[0]
    answer = await playing.engine.ask(method, playing.path + call, body, token=stranger)
    assert (answer.status, answer.code) == (401, "wrong_token")


@pytest.mark.parametrize(("method", "call", "body"), [*EVERYWHERE, ("GET", "/deals/1", None)])
@pytest.mark.parametrize("table", [ELSEWHERE, "short", "B" * 23, "B" * 21 + "%", "%00" * 8, "..%2f..%2f", "{t}"])
async def test_an_unknown_table_is_not_found(
    engine: RunningEngine, method: str, call: str, body: JsonObject | None, table: str
) -> None:
    answer = await engine.ask(method, f"/v1/tables/{table}{call}", body, token=NOBODY)
    assert (answer.status, answer.code) in ((404, "no_such_table"), (404, "not_found"))


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize(
    ("method", "call", "body", "code"),
    [
        ("PATCH", "", {"listed": True}, "not_open"),
        ("DELETE", "/seats/0", None, "not_host"),
        ("PUT", "/seats/0/seed", {"client_seed": "x"}, "not_your_seat"),
        ("PUT", "/seats/0/rematch", {"stays": True}, "not_your_seat"),
        ("PUT", "/seats/0/name", {"name": "x"}, "not_host"),
        ("POST", "/seats/0/return", None, "not_your_seat"),
        ("POST", "/start", None, "already_playing"),
    ],
)
async def test_a_request_for_another_seat_is_refused(
    playing: SeatedPlayers, method: str, call: str, body: JsonObject | None, code: str
) -> None:
    before = await playing.see()
    answer = await playing.engine.ask(method, playing.path + call, body, token=playing.tokens[1])
    assert answer.code == code
    assert await playing.see() == before


@pytest.mark.usefixtures("secrets")
async def test_a_move_out_of_turn_is_refused(playing: SeatedPlayers) -> None:
    before, turn = await playing.see(), await playing.turn()
    waiting = playing.tokens[(turn + 1) % 3]
    answer = await playing.engine.post(f"{playing.path}/moves", {"move": {"type": "pass"}}, token=waiting)
    assert (answer.status, answer.code, answer.json["facts"]) == (409, "not_your_turn", {"turn": turn})
    assert await playing.see() == before


@pytest.mark.usefixtures("secrets")
async def test_the_refusal_of_somebody_elses_card_does_not_name_its_owner(playing: SeatedPlayers) -> None:
    turn = await playing.turn()
    other = (await playing.see((turn + 1) % 3))["deal"]["hand"][0]
    before = await playing.see(turn)
    answer = await playing.play({"type": "play", "card": other})
    assert (answer.status, answer.code, answer.json["facts"]) == (422, "not_in_hand", {"card": other})
    assert await playing.see(turn) == before


async def test_a_finished_table_allows_a_rematch_and_other_names_alone(engine: RunningEngine) -> None:
    playing = await seat_players(engine)
    await playing.start()
    over = await playing.play_out()
    allowed = ("/start", "/seats/0", "/seats/0/seed", "/seats/0/rematch", "/seats/0/name", "/moves/check")
    for method, call, body in [case for case in OF_SEATS if case[0] != "GET" and case[1] not in allowed]:
        answer = await playing.engine.ask(method, playing.path + call, body, token=playing.tokens[0])
        assert (answer.status, answer.code) in ((409, "not_open"), (409, "not_playing"), (409, "not_away"))
        assert (await playing.see(0))["version"] == over["version"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("DELETE", "/v1/tables", {"GET", "HEAD", "POST"}), ("GET", "/v1/games/gatto_rosso/deals", {"POST"})],
)
async def test_another_method_gets_the_allowed_ones(
    engine: RunningEngine, method: str, path: str, allowed: set[str]
) -> None:
    answer = await engine.ask(method, path)
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(",")) == allowed


@pytest.mark.parametrize("path", ["/v1", "/v2/tables", "/v1/tables/", "/v1//tables", "/admin", "/v1/tables/x/y/z"])
async def test_an_unknown_path_is_not_found(engine: RunningEngine, path: str) -> None:
    answer = await engine.get(path)
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("path", ["/v1/games/", "/v1/tables/", "/docs/"])
async def test_a_slash_too_many_is_told(engine: RunningEngine, path: str) -> None:
    answer = await engine.get(path)
    assert (answer.status, answer.code) == (404, "not_found")
    assert answer.json["detail"] == "the path must not end with a slash"
