"""What the API promises of every call: problems, retries, versions, streams."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from uuid import uuid4

import msgspec

from locanda.conformance.comparing import Mismatch, expect, same
from locanda.conformance.playthroughs import RefusedMove
from locanda.conformance.seats import SeatedPeople, seat_people
from locanda.conformance.server import TriedServer
from locanda.games.registry import WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.transport import ServerSentEvent

STRANGER = "A" * 43
NOBODY = "B" * 22
WRITES = 3
"""Moves that are watched in a stream."""


class TriedProtocol:
    """The calls of tables, tried with one game."""

    def __init__(self, server: TriedServer, game: str, refused: Sequence[RefusedMove]) -> None:
        self._server = server
        self._game = game
        self._refused = refused

    def _people(self) -> AbstractAsyncContextManager[SeatedPeople]:
        options = dict(WIRE_TYPES[self._game].PRESETS["long"])
        return seat_people(self._server, self._game, GAMES[self._game].suggested.start, options)

    async def catalogue(self) -> str:
        """Ask for the games, and for one of them, twice."""
        for path in ("/v1/games", f"/v1/games/{self._game}"):
            first = await self._server.ask("GET", path)
            first.ok()
            tag = first.headers.get("ETag")
            expect(tag, f"GET {path} has no `ETag`")
            again = await self._server.ask("GET", path, headers={"If-None-Match": str(tag)})
            expect(
                again.status == 304, f"GET {path} with its `ETag` in `If-None-Match` answers {again.status}, not 304"
            )
            expect(not again.body, f"GET {path} sends a body with 304")
        return "catalogue and games have an ETag, and are not sent twice"

    async def problems(self) -> str:
        """Send what is no request of the API."""
        ask, path = self._server.ask, f"/v1/games/{self._game}/deals"
        (await ask("GET", "/v1/games/no_such_game")).problem(404, "no_such_game")
        (await ask("GET", f"/v1/tables/{NOBODY}")).problem(404, "no_such_table")
        (await ask("POST", path, b'{"seats": ')).problem(400, "bad_json")
        (await ask("POST", path, b"{}", headers={"Content-Type": "text/plain"})).problem(415, "unsupported_media_type")
        for body, field in ({"seats": "two"}, "seats"), ({"seats": 2, "chairs": 2}, "chairs"), ({}, "seats"):
            found = (await ask("POST", path, body)).problem(400, "malformed")
            same(f"the problem of {body}: field", found.get("field"), field)
        (await ask("POST", path, {"seats": 2, "options": {"no_such_option": 1}})).problem(400, "malformed")
        most = GAMES[self._game].players.stop
        if most <= 10:
            (await ask("POST", path, {"seats": most})).problem(422, "impossible")
        english, italian = [
            (await ask("GET", "/v1/games/no_such_game", headers={"Accept-Language": language})).json["title"]
            for language in ("en", "it")
        ]
        expect(english != italian, f"the title of a problem is the same in English and Italian: {english!r}")
        return "requests that are none are refused by code, status and field, in two languages"

    async def seats(self) -> str:
        """Try what a seat may not do."""
        async with self._people() as people:
            path, ask = people.path, self._server.ask
            (await ask("GET", f"{path}/moves")).problem(401, "no_token")
            (await ask("GET", path, token=STRANGER)).problem(401, "wrong_token")
            (await people.write(1, "/start")).problem(403, "not_host")
            (await people.write(1, "/seats/0/seed", {"client_seed": "x"}, method="PUT")).problem(403, "not_your_seat")
            (await people.write(0, "/moves", {"move": {"type": "pass"}})).problem(409, "not_playing")
            (await ask("POST", f"{path}/seats", {"name": "Anna"})).problem(409, "name_taken")
            table = await people.start()
            (await people.write(0, "/start")).problem(409, "already_playing")
            (await ask("POST", f"{path}/seats", {"name": "Carla"})).problem(409, "not_open")
            turn = table["deal"]["turn"]
            other = (turn + 1) % len(people.tokens)
            move = (await people.see(turn))["moves"][0]
            (await people.write(other, "/moves", {"move": move})).problem(409, "not_your_turn")
            (await people.write(turn, "/moves", move)).problem(400, "malformed")
            (await ask("GET", f"{path}/deals/1")).problem(409, "match_not_over")
            await self._refuse_a_move(people, turn)
            same("the version after requests that were refused", (await people.see())["version"], table["version"])
        return "tokens, turns and the rights of the host: what is refused changes nothing"

    async def _refuse_a_move(self, people: SeatedPeople, turn: int) -> None:
        """Make the first move at the table that `check` refuses."""
        for refused in self._refused:
            body = {"move": refused.move}
            verdict = (await people.write(turn, "/moves/check", body)).ok()
            if not verdict["legal"]:
                problem = (await people.write(turn, "/moves", body)).problem(422, verdict["code"])
                same("facts of a refused move", problem.get("facts") or {}, verdict.get("facts") or {})
                return
        raise Mismatch(f"`check` at a table finds {len(self._refused)} moves legal, of which some are not")

    async def retries(self) -> str:
        """Send writes again under their keys."""
        key, body = str(uuid4()), {"game": self._game, "name": "Anna"}
        first, again = [
            await self._server.ask("POST", "/v1/tables", body, headers={"Idempotency-Key": key}) for _ in range(2)
        ]
        same("a table that is opened again under the same key", again.ok(201), first.ok(201))
        expect(again.headers.get("Idempotency-Replayed") == "true", "a repeated answer has no `Idempotency-Replayed`")
        other = {**body, "name": "Bruno"}
        answer = await self._server.ask("POST", "/v1/tables", other, headers={"Idempotency-Key": key})
        answer.problem(422, "key_reused")
        opened = SeatedPeople(self._server, self._game, first.json["table"]["id"], first.json["token"])
        await opened.write(0, "/seats/0", method="DELETE")
        async with self._people() as people:
            turn = (await people.start())["deal"]["turn"]
            move, key = (await people.see(turn))["moves"][0], str(uuid4())
            moved, repeated = [
                await people.write(turn, "/moves", {"move": move}, Idempotency_Key=key) for _ in range(2)
            ]
            same("a move that is sent again under its key", repeated.ok(), moved.ok())
            same("the version after a repeated move", (await people.see())["version"], moved.json["table"]["version"])
        return "a retry gets the first answer and does nothing; another request under its key is refused"

    async def versions(self) -> str:
        """Read and write with the version of a table."""
        async with self._people() as people:
            table = await people.start()
            version, turn = table["version"], table["deal"]["turn"]
            token = people.tokens[turn]
            seen = await self._server.ask("GET", people.path, token=token)
            same("the ETag of a table", seen.headers.get("ETag"), f'"{version}"')
            unchanged = await self._server.ask(
                "GET", people.path, token=token, headers={"If-None-Match": f'"{version}"'}
            )
            expect(unchanged.status == 304, f"a table that has not changed is answered {unchanged.status}, not 304")
            body = {"move": seen.json["moves"][0]}
            stale = (await people.write(turn, "/moves", body, If_Match=f'"{version - 1}"')).problem(412, "stale")
            same("the version in the problem `stale`", stale.get("version"), version)
            moved = (await people.write(turn, "/moves", body, If_Match=f'"{version}"')).ok()
            expect(moved["table"]["version"] > version, "a move does not raise the version of the table")
            polled = await self._server.ask("GET", f"{people.path}?after={version}&wait=5", token=token)
            same("the version that a long poll brings", polled.ok()["version"], moved["table"]["version"])
        return "versions: ETag and 304, If-Match and 412, a long poll"

    async def streams(self) -> str:
        """Follow a table, break off, and go on."""
        async with self._people() as people:
            table = await people.start()
            token, versions = people.tokens[0], [table["version"]]
            async with aclosing(self._server.stream(f"{people.path}/events", token=token)) as stream:
                await self._follow(stream, versions[:1])
                versions += [await self._move(people) for _ in range(WRITES)]
                await self._follow(stream, versions[1:])
            async with aclosing(
                self._server.stream(f"{people.path}/events", token=token, after=versions[1])
            ) as resumed:
                await self._follow(resumed, versions[2:])
            page = (await self._server.ask("GET", f"{people.path}/events?after={versions[0]}", token=token)).ok()
            same("the events of a page", [event["id"] for event in page["events"]], versions[1:])
        return "a stream shows each version once, resumes after the last one, and is the same as a page"

    @staticmethod
    async def _move(people: SeatedPeople) -> int:
        turn = (await people.see())["deal"]["turn"]
        move = (await people.see(turn))["moves"][0]
        version: int = (await people.play(turn, move))["table"]["version"]
        return version

    @staticmethod
    async def _follow(stream: AsyncGenerator[ServerSentEvent, None], versions: Sequence[int]) -> None:
        """Read so many events, which must be of these versions, and seen by seat 0."""
        for version in versions:
            event = await anext(stream, None)
            if event is None:
                raise Mismatch(f"the stream ends before the event of version {version}")
            same("the event of a stream", (event.event, event.id), ("change", str(version)))
            seen = msgspec.json.decode(event.data)
            same("the table in an event", (seen["version"], seen["you"]), (version, 0))
