"""People at a table of the server that is tried."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from locanda.conformance.comparing import expect
from locanda.conformance.server import HttpAnswer, TriedServer
from locanda.messages import JsonObject


class SeatedPeople:
    """A table, and the tokens of the people at it, by seat."""

    def __init__(self, server: TriedServer, game: str, table: str, host_token: str) -> None:
        self.server = server
        self.game = game
        self.path = f"/v1/tables/{table}"
        self.tokens = [host_token]

    async def see(self, seat: int | None = None) -> JsonObject:
        """Return the table as a seat, or a spectator, sees it."""
        answer = await self.server.ask("GET", self.path, token=None if seat is None else self.tokens[seat])
        table: JsonObject = answer.ok()
        return table

    async def write(
        self, seat: int, path: str, body: object = None, *, method: str = "POST", **headers: str
    ) -> HttpAnswer:
        """Send a write of a seat; each has a key of its own unless one is given."""
        sent = {"Idempotency-Key": str(uuid4())} | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.server.ask(method, self.path + path, body, token=self.tokens[seat], headers=sent)

    async def start(self) -> JsonObject:
        """Start the match."""
        table: JsonObject = (await self.write(0, "/start")).ok()
        return table

    async def play(self, seat: int, move: JsonObject) -> JsonObject:
        """Make a move, and return the answer."""
        moved: JsonObject = (await self.write(seat, "/moves", {"move": move})).ok()
        return moved

    async def proof(self, deal: int) -> JsonObject:
        """Return the proof of a deal."""
        proof: JsonObject = (await self.server.ask("GET", f"{self.path}/deals/{deal}")).ok()
        return proof


@asynccontextmanager
async def seat_people(
    server: TriedServer,
    game: str,
    seats: int,
    options: JsonObject,
    client_seeds: Mapping[int, str] | None = None,
) -> AsyncIterator[SeatedPeople]:
    """Open a table, let people sit down there, and at the end leave it."""
    body: Any = {"game": game, "name": "Anna", "options": options}
    opened = (await server.ask("POST", "/v1/tables", body, headers={"Idempotency-Key": str(uuid4())})).ok(201)
    people = SeatedPeople(server, game, opened["table"]["id"], opened["token"])
    try:
        for seat in range(1, seats):
            seed = (client_seeds or {}).get(seat)
            guest = {"name": f"Ospite {seat}", **({"client_seed": seed} if seed else {})}
            seated = (await server.ask("POST", f"{people.path}/seats", guest)).ok(201)
            expect(seated["seat"] == seat, f"who sits down after {seat} others gets seat {seated['seat']}")
            people.tokens.append(seated["token"])
        yield people
    finally:
        for seat in reversed(range(len(people.tokens))):
            await people.write(seat, f"/seats/{seat}", method="DELETE")
