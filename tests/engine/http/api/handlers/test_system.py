"""Health, metrics, headers and logs."""

import asyncio
import io
import json
import logging

import pytest
import structlog
from msgspec import structs

from locanda import __version__
from services.common import logs
from services.engine import app
from services.engine.http.document.page import ADDRESSES
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, captured_logs, running_engine


async def test_the_process_is_alive_and_ready(engine: RunningEngine) -> None:
    assert (await engine.get("/healthz")).json == {"status": "alive"}
    ready = (await engine.get("/readyz")).json
    assert ready["status"] == "ready"
    assert set(ready["games"].values()) == {f"locanda {__version__}"}
    assert ready["left_out"] == {}


async def test_alive_but_not_ready_without_the_store() -> None:
    async with running_engine(EngineSettings(redis_url="redis://127.0.0.1:1/0")) as engine:
        assert (await engine.get("/healthz")).status == 200
        answer = await engine.get("/readyz")
        assert (answer.status, answer.code) == (503, "store_down")
        opened = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"})
        assert (opened.status, opened.code) == (503, "store_down")
        assert "127.0.0.1" not in opened.body.decode()


async def test_metrics_count_by_route_and_name_no_table(playing: SeatedPlayers) -> None:
    await playing.play()
    await playing.engine.get("/nowhere/at/all")
    await playing.engine.ask("PROPFIND", "/v1/games")
    text = (await playing.engine.get("/metrics")).body.decode()
    assert 'locanda_requests_total{method="POST",route="/v1/tables/{table}/moves",status="200"} 1.0' in text
    assert 'locanda_requests_total{method="GET",route="unmatched",status="404"} 1.0' in text
    assert 'method="OTHER"' in text
    assert 'locanda_moves_total{game="gatto_rosso"} 1.0' in text
    assert 'locanda_commits_total{outcome="committed"} 5.0' in text
    assert "locanda_request_duration_seconds_bucket" in text
    assert "locanda_open_streams 0.0" in text
    assert "locanda_build_info" in text
    assert playing.table not in text


async def test_answers_on_tables_are_kept_in_no_cache(playing: SeatedPlayers) -> None:
    for path in (playing.path, "/v1/tables", "/v1/tables/x"):
        assert (await playing.engine.get(path)).headers["Cache-Control"] == "no-store"


async def test_a_requests_id_is_given_back_if_it_is_a_plain_one(engine: RunningEngine) -> None:
    answer = await engine.get("/v1/games", headers={"X-Request-ID": "abc-123"})
    assert answer.headers["X-Request-ID"] == "abc-123"
    made = await engine.get("/v1/games", headers={"X-Request-ID": "a b\tc"})
    assert len(made.headers["X-Request-ID"]) == 32


async def test_the_head_of_a_table_has_its_version(playing: SeatedPlayers) -> None:
    answer = await playing.engine.ask("HEAD", playing.path)
    assert (answer.status, answer.headers["ETag"], answer.body) == (200, '"4"', b"")


async def test_each_request_is_one_line_with_its_route_and_id(playing: SeatedPlayers) -> None:
    with captured_logs() as text:
        await playing.engine.get(playing.path, token=playing.tokens[0], headers={"X-Request-ID": "abc-123"})
    (line,) = text.getvalue().splitlines()
    logged = json.loads(line)
    assert (logged["event"], logged["request_id"]) == ("request", "abc-123")
    assert (logged["method"], logged["route"], logged["status"]) == ("GET", "/v1/tables/{table}", 200)
    assert playing.table not in line
    assert playing.tokens[0] not in line


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
@pytest.mark.parametrize("format_", ["json", "console"])
async def test_what_machines_ask_all_day_is_not_logged(engine: RunningEngine, format_: logs.Format, path: str) -> None:
    with captured_logs(format_) as text:
        await engine.get(path)
        await engine.get("/v1/games")
    (line,) = text.getvalue().splitlines()
    assert "/v1/games" in line


async def test_a_probe_that_fails_is_logged_and_all_are_at_level_debug() -> None:
    async with running_engine(EngineSettings(redis_url="redis://127.0.0.1:1/0")) as engine:
        with captured_logs() as text:
            await engine.get("/readyz")
        assert [json.loads(line)["status"] for line in text.getvalue().splitlines() if "/readyz" in line] == [503]
        with captured_logs(level="debug") as text:
            await engine.get("/healthz")
    assert '"route":"/healthz"' in text.getvalue()


@pytest.mark.parametrize("public_url", [None, "https://cards.example.org"])
async def test_the_server_tells_its_release_and_where_others_reach_it(public_url: str | None) -> None:
    async with running_engine(structs.replace(NO_LIMITS, public_url=public_url or "")) as engine:
        answer = await engine.get("/v1/server")
    assert answer.json == {
        "release": __version__,
        "public_url": public_url,
        "maintenance": None,
        "webhooks": False,
        "push_key": None,
    }


async def test_an_internal_error_is_a_500_that_gives_nothing_away(
    playing: SeatedPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("the hand is 7h Ks")

    monkeypatch.setattr("services.engine.table.view.moves", fail)
    with captured_logs() as text:
        answer = await playing.engine.get(playing.path)
    assert (answer.status, answer.code) == (500, "internal")
    assert "KeyError" in text.getvalue()
    assert "view.py" in text.getvalue()
    assert "7h" not in answer.body.decode() + text.getvalue()


def test_an_exception_of_a_library_is_logged_without_its_words() -> None:
    with captured_logs() as text:
        try:
            int("token abc")
        except ValueError:
            logging.getLogger("somewhere").exception("it failed")
    logged = json.loads(text.getvalue())
    assert (logged["event"], logged["error"], logged["level"]) == ("it failed", "ValueError", "error")
    assert "token" not in str(logged)


def test_a_library_that_logs_addresses_is_quiet() -> None:
    with captured_logs() as text:
        logging.getLogger("telegram.Bot").info("Calling Bot API endpoint with a hand")
    assert not text.getvalue()


@pytest.mark.parametrize("format_", ["json", "console"])
def test_a_level_leaves_out_what_is_below_it(format_: logs.Format) -> None:
    with captured_logs(format_, "warning") as text:
        structlog.stdlib.get_logger("x").info("quiet")
        structlog.stdlib.get_logger("x").warning("loud")
    assert [("loud" in line) for line in text.getvalue().splitlines()] == [True]


async def test_what_is_no_http_is_refused_and_not_quoted_in_the_log(
    engine: RunningEngine, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sec\x00ret\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.0 400")
    writer.close()
    assert "sec" not in caplog.text


class _WriteRecorder(io.StringIO):
    """A file that records each call of `write`."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return len(text)


async def test_lines_of_one_turn_of_the_loop_are_written_together_and_in_order() -> None:
    stream = _WriteRecorder()
    lines = logs.LineBuffer(stream)
    lines.write("one\n")
    lines.write("two\n")
    assert stream.writes == []
    await asyncio.sleep(0)
    assert stream.writes == ["one\ntwo\n"]
    lines.write("three\n")
    await asyncio.sleep(0)
    assert stream.writes == ["one\ntwo\n", "three\n"]


def test_a_line_outside_of_a_loop_is_written_at_once_and_those_that_a_dead_loop_left_with_it() -> None:
    stream = _WriteRecorder()
    lines = logs.LineBuffer(stream)
    lines.write("one\n")
    loop = asyncio.new_event_loop()
    loop.call_soon(lambda: (loop.stop(), lines.write("two\n")))
    loop.run_forever()
    loop.close()
    lines.write("three\n")
    assert "".join(stream.writes) == "one\ntwo\nthree\n"


def test_a_request_served_is_a_line_like_any_other_and_left_out_as_any_other() -> None:
    with captured_logs() as text:
        before = logs.request_id.set("abc-123")
        structlog.stdlib.get_logger("x").info("request", method="GET", route="/", status=200, ms=1.5)
        logs.log_request("x", "GET", "/", 200, 0.0015)
        logs.request_id.reset(before)
    one, other = map(json.loads, text.getvalue().splitlines())
    assert one.pop("timestamp") <= other.pop("timestamp")
    assert one == other
    with captured_logs("console") as text:
        logs.log_request("x", "GET", "/healthz", 200, 0.0015)
    assert "/healthz" in text.getvalue()
    with captured_logs(level="warning") as text:
        logs.log_request("x", "GET", "/", 200, 0.0015)
    assert not text.getvalue()


async def test_the_document_comes_compressed_and_is_not_sent_again_while_it_is_the_same(engine: RunningEngine) -> None:
    zipped = await engine.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert (zipped.headers["Content-Encoding"], zipped.headers["Vary"]) == ("gzip", "Accept-Encoding")
    plain = await engine.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.json["openapi"].startswith("3.1")
    known = {"If-None-Match": plain.headers["ETag"]}
    again = await engine.get("/openapi.json", headers=known)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", plain.headers["ETag"])


@pytest.fixture
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the cached pages of the API document."""
    monkeypatch.setattr(app.DOCUMENTATION, "_pages", {})


@pytest.mark.usefixtures("no_pages")
async def test_the_page_of_the_document_is_known_by_what_it_says_at_its_address(engine: RunningEngine) -> None:
    pages = [await engine.get("/docs", headers={"Host": host}) for host in ("a.example", "b.example")]
    assert pages[0].headers["ETag"] != pages[1].headers["ETag"]
    assert pages[0].headers["Vary"] == "Host, Accept-Encoding"
    known = {"If-None-Match": pages[0].headers["ETag"]}
    assert (await engine.get("/docs", headers={"Host": "a.example"} | known)).status == 304
    assert (await engine.get("/docs", headers={"Host": "b.example"} | known)).status == 200


@pytest.mark.usefixtures("no_pages")
async def test_the_page_of_the_document_names_as_many_addresses_as_an_engine_may_have(engine: RunningEngine) -> None:
    async def names(host: str) -> bool:
        answer = await engine.get("/docs", headers={"Host": host, "Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        return host in answer.body.decode()

    assert await names("known.example")
    assert [await names(f"made-up-{number}.example") for number in range(ADDRESSES)] == [True] * (ADDRESSES - 1) + [
        False
    ]
    assert await names("known.example")
