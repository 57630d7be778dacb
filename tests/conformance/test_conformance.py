"""The engine keeps to its own play-throughs; a server that does not is found out, and in which way."""

import re
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from locanda import command as console
from locanda.conformance import command
from locanda.conformance.comparing import Mismatch, same, same_moves
from locanda.conformance.playthroughs import PlayThrough, RefusedMove, stored
from locanda.conformance.server import HttpAnswer, TriedServer
from locanda.conformance.tables import play_a_match
from locanda.explanations import refusals_of
from locanda.games.registry import GAME_NAMES, WIRE_TYPES, is_installed
from tests.conformance import made
from tests.engine.http.engine_server import running_engine

GAME = GAME_NAMES[0]
GOLDEN = list(stored())
Change = Callable[[HttpAnswer], HttpAnswer]


@pytest.mark.slow
def test_the_stored_play_throughs_are_those_of_the_rules_of_today() -> None:
    assert list(made()) == GOLDEN, "see tests/conformance/__init__.py"


def test_every_game_of_the_package_has_play_throughs_and_a_move_for_each_refusal() -> None:
    own = {name for name in GAME_NAMES if not is_installed(name)}
    assert {each.game for each in GOLDEN if isinstance(each, PlayThrough)} == own
    for name in own:
        codes = {each.code for each in GOLDEN if isinstance(each, RefusedMove) and each.game == name}
        assert set(refusals_of(WIRE_TYPES[name])) <= codes


@asynccontextmanager
async def tried_server(change: Change = lambda answer: answer) -> AsyncIterator[TriedServer]:
    """Run an engine, whose answers are changed on their way."""

    class Changed(TriedServer):
        async def ask(self, *args: Any, **rest: Any) -> HttpAnswer:
            return change(await super().ask(*args, **rest))

    async with running_engine() as engine:
        yield Changed(engine.url("").rstrip("/"), engine.session)


async def lines_about(server: TriedServer, wanted: list[str], deals: int | None) -> list[str]:
    """Try a server, and return what is printed."""
    lines: list[str] = []
    await command.try_all(await command.plan(server, GOLDEN, wanted, deals), lines.append)
    return lines


def failures(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("FAIL")]


@pytest.mark.slow
async def test_the_engine_holds_everything() -> None:
    async with tried_server() as server:
        lines = await lines_about(server, [], deals=1)
    assert not failures(lines), "\n".join(lines)
    assert all(any(name in line for line in lines) for name in GAME_NAMES)


@pytest.mark.long
async def test_the_engine_holds_every_play_through() -> None:
    async with tried_server() as server:
        lines = await lines_about(server, [], deals=None)
    assert not failures(lines), "\n".join(lines)


def changed(path: str, edit: Callable[[Any], None]) -> Change:
    """Return how to change the JSON of successful answers whose call ends so."""

    def change(answer: HttpAnswer) -> HttpAnswer:
        if not answer.call.endswith(path) or answer.status >= 300:
            return answer
        body = answer.json
        edit(body)
        return HttpAnswer(answer.call, answer.status, answer.headers, msgspec.json.encode(body))

    return change


def without(header: str) -> Change:
    """Return how to take a header away."""

    def change(answer: HttpAnswer) -> HttpAnswer:
        headers = {name: value for name, value in answer.headers.items() if name != header}
        return HttpAnswer(answer.call, answer.status, headers, answer.body)

    return change


def with_status(status: int, other: int) -> Change:
    """Return how to give answers of one status another one."""

    def change(answer: HttpAnswer) -> HttpAnswer:
        return HttpAnswer(answer.call, other if answer.status == status else answer.status, answer.headers, answer.body)

    return change


def show_a_hand(table: Any) -> None:
    if table["deal"] and table["you"] is None:
        table["deal"]["hand"] = ["7h"]


def show_more(table: Any) -> None:
    if table["deal"]:
        table["deal"]["stock_cards"] = ["7h"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "change", "said"),
    [
        ("playing", changed("/moves", lambda body: body["moves"].pop()), "moves lacks"),
        ("playing", changed("/moves", lambda body: body["moves"].append({"type": "fly"})), "is not legal"),
        ("playing", changed("/view", lambda body: body["view"].update(turn=9)), ".turn is 9"),
        ("playing", changed("/view", lambda body: body["view"].update(top="7h")), "more than the rules"),
        ("playing", changed("/play", lambda body: body["events"].reverse()), "events"),
        ("dealing", changed("/deals", lambda body: body["deal"]["hands"].reverse()), "the deal of"),
        ("playouts", changed("/playouts", lambda body: body["playouts"][0].update(result=None)), "result"),
        ("refusals", with_status(422, 400), "not the problem 422"),
        ("seats", with_status(409, 400), "not the problem 409"),
        ("retries", without("Idempotency-Replayed"), "Idempotency-Replayed"),
        ("versions", without("ETag"), "the ETag of a table"),
        ("catalogue", without("ETag"), "has no `ETag`"),
        ("problems", without("Content-Type"), "as nothing, not the problem"),
    ],
)
async def test_a_server_that_does_not_is_found_out(check: str, change: Change, said: str) -> None:
    async with tried_server(change) as server:
        checks, _ = await command.plan(server, GOLDEN, [GAME], 1)
        [tried] = [each for each in checks if each.run.__name__ == check]
        with pytest.raises(Mismatch, match=re.escape(said)):
            await tried.run()


def on_tables(edit: Callable[[Any], None]) -> Change:
    """Return how to change what is seen of tables."""

    def change(answer: HttpAnswer) -> HttpAnswer:
        if not answer.call.startswith("GET /v1/tables/") or b'"match"' not in answer.body or answer.status != 200:
            return answer
        body = answer.json
        if "seats" in body:
            edit(body)
        return HttpAnswer(answer.call, answer.status, answer.headers, msgspec.json.encode(body))

    return change


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "said"),
    [
        pytest.param(show_a_hand, "to a spectator: deal.hand", id="a-hand-to-a-spectator"),
        pytest.param(show_more, "nobody is to see more", id="a-field-more"),
    ],
)
async def test_a_server_that_shows_a_hidden_card_at_a_table_is_found_out(
    edit: Callable[[Any], None], said: str
) -> None:
    async with tried_server(on_tables(edit)) as server:
        with pytest.raises(Mismatch, match=said):
            await play_a_match(server, GAME)


# --- comparing


def test_further_fields_are_allowed_but_in_a_view() -> None:
    same("event", {"type": "pass", "new": 1}, {"type": "pass"})
    with pytest.raises(Mismatch, match=r"view\.new should not be there"):
        same("view", {"type": "pass", "new": 1}, {"type": "pass"}, whole=True)


@pytest.mark.parametrize(("found", "expected"), [(1, True), (0, False), (None, 0), ([1], [1, 2]), ("1", 1), ({}, [])])
def test_values_of_another_kind_are_not_the_same(found: Any, expected: Any) -> None:
    with pytest.raises(Mismatch, match="was expected"):
        same("value", found, expected)


def test_moves_are_compared_as_sets_in_which_null_and_left_out_are_the_same() -> None:
    one, other = {"type": "play", "card": "7h", "joker": None}, {"type": "pass"}
    same_moves("moves", [one, other], [other, {"card": "7h", "type": "play"}])
    with pytest.raises(Mismatch, match="twice"):
        same_moves("moves", [other, other], [other])


# --- the command


StubAnswer = tuple[int, Mapping[str, str], Any]
"""Status, headers and body."""


@asynccontextmanager
async def stub(answers: list[StubAnswer]) -> AsyncIterator[str]:
    """Run a server that gives these answers, the last one from then on."""

    async def answer(_: web.Request) -> web.Response:
        status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
        return web.json_response(body, status=status, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


async def test_a_busy_server_is_asked_again_after_its_pause() -> None:
    busy = {"Retry-After": "0"}
    answers: list[StubAnswer] = [(429, busy, {}), (503, busy, {}), (200, {}, {"a": 1})]
    async with stub(answers) as url, ClientSession() as session:
        server = TriedServer(url, session)
        assert (await server.ask("GET", "/v1/games")).ok() == {"a": 1}
        assert server.requests == 3


@pytest.mark.parametrize(("headers", "said"), [({}, "without `Retry-After`"), ({"Retry-After": "3600"}, "3600 s")])
async def test_a_busy_server_that_names_no_pause_or_a_long_one_is_found_out(
    headers: Mapping[str, str], said: str
) -> None:
    async with stub([(429, headers, {})]) as url, ClientSession() as session:
        with pytest.raises(Mismatch, match=said):
            await TriedServer(url, session).ask("GET", "/v1/games")


async def _run(url: str, capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    code = await command.run(Namespace(url=url, **{"game": [], "deals": None} | options), GOLDEN)
    output = capsys.readouterr()
    return code, output.out + output.err


async def test_where_nothing_can_be_tried_the_exit_code_is_two(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = await _run("http://127.0.0.1:9", capsys)
    assert (code, "does not answer" in said) == (2, True)
    code, said = await _run("127.0.0.1:8080", capsys)
    assert (code, "an engine's address looks like" in said) == (2, True)
    async with stub([(200, {}, {"hello": "world"})]) as url:
        code, said = await _run(url, capsys)
    assert (code, "does not answer a catalogue" in said) == (2, True)


@pytest.mark.slow
async def test_a_game_of_other_rules_is_named_and_not_tried(capsys: pytest.CaptureFixture[str]) -> None:
    async with running_engine() as engine:
        games = (await engine.get("/v1/games")).json
    for game in games["games"]:
        game["rules_version"] += 1
    async with stub([(200, {}, games)]) as url:
        code, said = await _run(url, capsys)
    assert code == 2
    assert f"{GAME}: the server plays by version" in said


@pytest.mark.slow
async def test_the_command_says_what_it_has_tried_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    async with running_engine() as engine:
        code, said = await _run(engine.url("").rstrip("/"), capsys, game=[GAME], deals=1)
    assert code == 0
    lines = [line for line in said.splitlines() if line.startswith("ok    ")]
    assert len(lines) == 11
    assert f"\n\n{len(lines)} of {len(lines)} checks hold, in " in said


def test_without_its_extra_the_command_says_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_babel(name: str) -> None:
        raise ModuleNotFoundError(f"No module named 'babel' for {name}", name="babel")

    monkeypatch.setattr(console, "import_module", without_babel)
    assert console.check_server() == 1
    assert capsys.readouterr().err == "babel is missing: pip install 'locanda[check]' brings it.\n"
