"""client.js in Node, without the page: a program plays matches, and repeats lost requests safely."""

import asyncio
import json
import re
from typing import Any

import pytest
from msgspec import structs

from locanda.games.registry import GAME_NAMES
from tests.client.misbehaving_server import DROP, HANG, answer, misbehaving_server, problem
from tests.e2e.processes import ROOT
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine, seat_players
from tests.programs import program

CLIENT = (ROOT / "services" / "web" / "client.js").as_uri()
QUICK = "{ first: 1, longest: 50, answer: 2000, silence: 300, budget: 2000 }"
EVENT = b'id: %d\nevent: change\ndata: {"version": %d}\n\n'


async def node(*arguments: str) -> str:
    """Run a script in Node, and return its output."""
    process = await asyncio.create_subprocess_exec(
        program("node"), *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0, errors.decode()
    return output.decode()


async def called(url: str, script: str) -> Any:
    """Run a script in which `engine` is a client, and return its result."""
    program = f"""
        const {{ Client, Problem }} = await import("{CLIENT}");
        const engine = new Client("{url}/", {{ retry: {QUICK} }});
        const run = async () => {{ {script} }};
        console.log(JSON.stringify((await run()) ?? null));
        process.exit(0);
    """
    return json.loads(await node("--input-type=module", "--eval", program))


@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_stranger_s_program_plays_a_match_to_its_end(engine: RunningEngine, game: str) -> None:
    *result, deal = (await node("examples/play_a_match.mjs", game, engine.url("/"))).splitlines()

    assert "Anna" in "".join(result)
    assert re.fullmatch(r"Deal \d+: \d+ moves, as committed to before", deal)


async def test_a_seat_subscribes_lists_and_ends_what_it_has() -> None:
    async with running_engine(structs.replace(NO_LIMITS, engine_webhooks="on")) as engine:
        players = await seat_players(engine, 1)
        where = json.dumps({"table": players.table, "token": players.tokens[0]})
        script = f"""
            const {{ table, token }} = {where};
            const asked = {{ url: "https://example.org/" }};
            const {{ subscription, secret }} = await engine.subscribe(table, asked, {{ token }});
            const {{ subscriptions }} = await engine.subscriptions(table, {{ token }});
            const test = await engine.testSubscription(table, subscription.id, {{ token }});
            const {{ deliveries }} = await engine.deliveries(table, subscription.id, {{ token }});
            const left = await engine.unsubscribe(table, subscription.id, {{ token }});
            return [subscription, secret, subscriptions, test.id, deliveries, left];
        """
        made, secret, listed, test, deliveries, left = await called(engine.url("").rstrip("/"), script)

    assert listed == [made]
    assert secret.startswith("whsec_")
    assert test.startswith(f"{made['id']}.t")
    assert {delivery["id"] for delivery in deliveries} <= {test}
    assert left == {"subscriptions": []}


async def test_a_seat_sets_when_the_people_of_its_table_meet_again(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    where = json.dumps({"table": players.table, "token": players.tokens[0]})
    script = f"""
        const {{ table, token }} = {where};
        const at = new Date(Math.ceil(Date.now() / 1000 + 86_400) * 1000);
        const {{ at: fixed }} = await engine.setEvening(table, "ramino", at, {{ token }});
        return [new Date(fixed) - at, await engine.setEvening(table, "ramino", null, {{ token }})];
    """
    assert await called(engine.url(""), script) == [0, {"game": "ramino", "at": None}]


async def test_the_lobby_is_followed_through_a_stream_that_breaks() -> None:
    first, second = (
        b'event: lobby\ndata: {"open": [%b], "playing": []}\n\n' % table for table in (b"", b'{"id": "x"}')
    )
    stream = "text/event-stream"
    async with misbehaving_server(answer(200, first, stream), answer(200, second, stream)) as server:
        script = "for await (const { open } of engine.lobby()) if (seen.push(open.length) === 2) return seen;"
        seen = await called(server.url, f"const seen = []; {script}")
    assert seen == [0, 1]
    assert {request.line for request in server.requests} == {"GET /v1/lobby HTTP/1.1"}


async def test_a_server_that_knows_no_remarks_is_followed_without_them() -> None:
    stream = answer(200, EVENT % (3, 3), "text/event-stream")
    async with misbehaving_server(problem(400, "malformed"), stream) as server:
        script = "for await (const { id } of engine.follow('x', { heard: () => {} })) return id;"
        assert await called(server.url, script) == 3
    paths = [request.line.split()[1] for request in server.requests]
    assert paths == ["/v1/tables/x/events?remarks=true", "/v1/tables/x/events"]


async def test_a_write_whose_answer_was_lost_is_sent_again_with_the_same_key() -> None:
    opened = answer(201, {"table": {"id": "x"}, "seat": 0, "token": "secret"})
    async with misbehaving_server(DROP, problem(503, "store_down"), answer(502), opened) as server:
        seated = await called(server.url, 'return engine.open({ game: "ramino", name: "Anna" });')

    assert seated["token"] == "secret"
    keys = {request.headers["Idempotency-Key"] for request in server.requests}
    bodies = {request.body for request in server.requests}
    assert len(server.requests) == 4
    assert len(keys) == len(bodies) == 1
    assert len(keys.pop()) >= 22


async def test_writes_have_keys_of_their_own() -> None:
    async with misbehaving_server(answer(201, {"table": {}, "seat": 0, "token": "secret"})) as server:
        await called(server.url, 'for (const name of ["Anna", "Bruno"]) await engine.sit("x", { name });')

    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 2


async def test_a_refusal_is_not_repeated_and_has_its_code_and_facts() -> None:
    refused = {"title": "No", "status": 422, "code": "must_beat", "facts": {"card": "7h"}, "text": "Too low."}
    script = """
        try { await engine.play("x", { type: "pass" }, { token: "secret", version: 17 }); }
        catch (error) { return { known: error instanceof Problem, passing: error.passing, ...error }; }
    """
    async with misbehaving_server(answer(422, refused)) as server:
        error = await called(server.url, script)

    assert error["known"]
    assert not error["passing"]
    assert (error["code"], error["facts"], error["text"]) == ("must_beat", {"card": "7h"}, "Too low.")
    (request,) = server.requests
    assert request.line == "POST /v1/tables/x/moves HTTP/1.1"
    assert (request.headers["Authorization"], request.headers["If-Match"]) == ("Bearer secret", '"17"')


async def test_an_engine_that_does_not_answer_is_told_as_a_problem() -> None:
    script = "try { await engine.games(); } catch (error) { return [error.code, error.passing]; }"
    async with misbehaving_server(DROP) as server:
        assert await called(server.url, script) == ["unreachable", True]
        assert len(server.requests) > 2


async def test_a_page_of_a_proxy_is_told_as_a_problem() -> None:
    script = "try { await engine.games(); } catch (error) { return error.code; }"
    async with misbehaving_server(answer(200, b"<html>", "text/html")) as server:
        assert await called(server.url, script) == "bad_answer"


def stream(*events: bytes) -> bytes:
    """Return the response of a stream that ends after some events."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
    return head + b"retry: 1000\n\n: keep-alive\n\n" + b"".join(events)


FOLLOWED = """
    const seen = [], signs = [];
    const connected = () => signs.push("open");
    const lost = (problem) => signs.push(problem?.code ?? "end");
    for await (const { id, event, table } of engine.follow("x", { token: "secret", connected, lost })) {
        seen.push([id, event, table.version]);
        if (id === 3) return { seen, signs };
    }
"""


async def test_a_stream_that_breaks_goes_on_where_it_broke() -> None:
    cut = stream(EVENT % (1, 1), (EVENT % (2, 2))[:-9])
    rest = stream(EVENT % (2, 2), EVENT % (3, 3))
    async with misbehaving_server(cut, DROP, problem(503, "store_down"), rest) as server:
        followed = await called(server.url, FOLLOWED)

    assert followed["seen"] == [[1, "change", 1], [2, "change", 2], [3, "change", 3]]
    assert followed["signs"] == ["open", "end", "unreachable", "store_down", "open"]
    assert [request.line.split()[1].partition("?")[2] for request in server.requests] == ["", *["after=1"] * 3]
    assert all(request.headers["Authorization"] == "Bearer secret" for request in server.requests)
    assert all("secret" not in request.line for request in server.requests)


async def test_a_stream_that_falls_silent_is_opened_again() -> None:
    async with misbehaving_server(HANG, stream(EVENT % (3, 3))) as server:
        script = FOLLOWED.replace("engine.follow", "(engine.retry.answer = 300, engine).follow")
        followed = await called(server.url, script)

    assert followed["seen"] == [[3, "change", 3]]
    # On a slow machine the second response may also be late, so only the first and the last sign are compared.
    assert (followed["signs"][0], followed["signs"][-1]) == ("unreachable", "open")


async def test_a_gap_in_the_events_is_told() -> None:
    gap = b'id: 3\nevent: gap\ndata: {"version": 3}\n\n'
    async with misbehaving_server(stream(gap)) as server:
        assert (await called(server.url, FOLLOWED))["seen"] == [[3, "gap", 3]]


async def test_a_stream_of_a_table_that_is_gone_ends_with_its_problem() -> None:
    script = f"try {{ {FOLLOWED} }} catch (error) {{ return error.code; }}"
    async with misbehaving_server(stream(EVENT % (1, 1)), problem(404, "no_such_table")) as server:
        assert await called(server.url, script) == "no_such_table"


async def test_a_stream_ends_when_its_caller_aborts() -> None:
    script = """
        const stop = new AbortController();
        setTimeout(() => stop.abort(), 50);
        for await (const _ of engine.follow("x", { signal: stop.signal })) return "an event";
        return "ended";
    """
    async with misbehaving_server(HANG) as server:
        assert await called(server.url, script) == "ended"
