"""The stateless calls of a game, compared with its play-throughs."""

import asyncio
from collections.abc import Iterable, Sequence

from locanda.conformance.comparing import Mismatch, expect, same, same_moves
from locanda.conformance.playthroughs import PlayThrough, RefusedMove
from locanda.conformance.server import TriedServer
from locanda.conformance.tables import play_a_match
from locanda.messages import JsonObject

AT_ONCE = 8
"""So many deals are played at the same time."""


class TriedRules:
    """The calls of one game."""

    def __init__(
        self, server: TriedServer, game: str, deals: Sequence[PlayThrough], refused: Sequence[RefusedMove]
    ) -> None:
        self._server = server
        self._game = game
        self._deals = deals
        self._refused = refused

    async def dealing(self) -> str:
        """Deal the cards of each play-through from its seed."""
        for golden in self._deals:
            deal = (await self._ask("deals", _start(golden))).get("deal")
            same(f"the deal of {_named(golden)}", deal, golden.start)
        return f"{len(self._deals)} deals from seeds"

    async def playing(self) -> str:
        """Play each play-through, and compare every moment of it."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def play(golden: PlayThrough) -> None:
            async with slots:
                await self._play(golden)

        try:
            async with asyncio.TaskGroup() as tasks:
                for golden in self._deals:
                    tasks.create_task(play(golden))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        moves = sum(len(golden.steps) for golden in self._deals)
        return f"{len(self._deals)} deals move by move: {moves} moves, their events, what is legal, what is seen"

    async def _play(self, golden: PlayThrough) -> None:
        deal, result = golden.start, None
        for number, step in enumerate(golden.steps):
            where = f"{_named(golden)}, before move {number}: "
            legal = await self._ask("moves", {"deal": deal})
            same(f"{where}turn", legal.get("turn"), step.turn)
            same_moves(f"{where}moves", legal.get("moves"), step.moves)
            view = (await self._ask("view", {"deal": deal, "seat": step.viewer})).get("view")
            viewer = "a spectator" if step.viewer is None else f"seat {step.viewer}"
            same(f"{where}the view of {viewer}", view, step.view, whole=True)
            played = await self._ask("play", {"deal": deal, "move": step.move})
            same(f"{_named(golden)}, move {number}: events", played.get("events"), step.events)
            deal, result = played.get("deal", {}), played.get("result")
            last = number == len(golden.steps) - 1
            expect(last or result is None, f"{_named(golden)}, move {number}: the deal has a result before its end")
        same(f"{_named(golden)}: the deal at its end", deal, golden.end)
        same(f"{_named(golden)}: result", result, golden.result)

    async def refusals(self) -> str:
        """Try moves that are against the rules, by `check` and by `play`."""
        for refused in self._refused:
            body = {"deal": refused.deal, "move": refused.move}
            what = f"{refused.move}, which is refused as `{refused.code}`"
            verdict = await self._ask("check", body)
            same(f"check of {what}", verdict, {"legal": False, "code": refused.code, "facts": refused.facts})
            answer = await self._server.ask("POST", self._path("play"), body)
            problem = answer.problem(409 if refused.code == "deal_over" else 422, refused.code)
            same(f"facts of {what}", problem.get("facts") or {}, refused.facts)
        codes = {refused.code for refused in self._refused}
        return f"{len(self._refused)} moves against the rules, of {len(codes)} kinds"

    async def playouts(self) -> str:
        """Play each play-through in one request; a move out of place is named."""
        bodies = [{"start": _start(golden), "moves": [step.move for step in golden.steps]} for golden in self._deals]
        done = 0
        while done < len(bodies):
            body = {"playouts": bodies[done:], "show": ["deal", "events"]}
            answer = await self._ask("playouts", body)
            ended = [each for each in answer.get("playouts", []) if each.get("done")]
            expect(ended, "playouts brings no deal to its end")
            for golden, end in zip(self._deals[done:], ended, strict=False):
                self._compare(golden, end)
            done += len(ended)
        return f"{len(bodies)} deals, many in one request"

    async def match(self) -> str:
        """Play a match at a table."""
        return await play_a_match(self._server, self._game)

    @staticmethod
    def _compare(golden: PlayThrough, end: JsonObject) -> None:
        same(f"{_named(golden)} as a play-out: result", end.get("result"), golden.result)
        same(f"{_named(golden)} as a play-out: deal", end.get("deal"), golden.end)
        events = [event for step in golden.steps for event in step.events]
        same(f"{_named(golden)} as a play-out: events", end.get("events"), events)

    def _path(self, call: str) -> str:
        return f"/v1/games/{self._game}/{call}"

    async def _ask(self, call: str, body: JsonObject) -> JsonObject:
        answer = (await self._server.ask("POST", self._path(call), body)).ok()
        if not isinstance(answer, dict):
            raise Mismatch(f"POST {self._path(call)} does not answer an object")
        return answer


def _start(golden: PlayThrough) -> JsonObject:
    return {"options": golden.options, "seats": golden.seats, "dealer": golden.dealer, "seed": golden.seed}


def _named(golden: PlayThrough) -> str:
    options = ", ".join(f"{name} {_word(value)}" for name, value in golden.options.items())
    return f"{golden.game} for {golden.seats}{' with ' if options else ''}{options} (seed …{golden.seed[-4:]})"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def spread(deals: Sequence[PlayThrough], most: int | None) -> Iterable[PlayThrough]:
    """Return so many of the deals at most, evenly spread over their variants."""
    if most is None or most >= len(deals):
        return deals
    return [deals[number * len(deals) // most] for number in range(most)]
