"""Promise 3 against a model: whatever fails, whenever it fails, a table's history is one line of confirmed steps.

Hypothesis draws games, moves, faults and the moments in which they strike; the model is in `history.py`.
`make faults` plays far more matches than the tests do, and counts.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from shared.messages import Proof
from tests.e2e.fire.asking import Answer, JsonObject, Write, send
from tests.e2e.fire.faults import BEFORE, FAULTS, Tally
from tests.e2e.fire.history import History, Viewer
from tests.e2e.fire.inn import REPLICAS, Inn, opened
from tests.e2e.fire.stream import Stream
from tests.redis_server import running_redis

T = TypeVar("T")

GAMES: dict[str, tuple[int, JsonObject]] = {
    "gatto_rosso": (4, {"deals": 2}),
    "ramino": (3, {"target": 1}),
    "diavoletto": (2, {}),
    "presidente": (4, {"deals": 2, "tax": True}),
}
"""Seats at most, and options for a short match."""

OBSERVED_EVERY = 4
"""Moves; a table remembers many more."""

HARD = settings(
    max_examples=max(1, settings().max_examples // 8),
    stateful_step_count=25,
    phases=[Phase.generate],  # what fails once in a race cannot be shrunk
    database=None,
)

numbers = st.integers(0, 999)
replicas = st.integers(0, REPLICAS - 1)
leads = st.integers(-3, 6)
"""Milliseconds from the request to the fault."""


@dataclass
class Fire:
    """What all matches share: the house, its loop, and the count of its faults."""

    inn: Inn
    runner: asyncio.Runner
    tally: Tally


@pytest.fixture(scope="module")
def fire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fire]:
    with (
        running_redis(tmp_path_factory.mktemp("redis")) as redis,
        asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner,
    ):
        context = opened(redis, tmp_path_factory.mktemp("engines"))
        fire = Fire(runner.run(context.__aenter__()), runner, Tally())
        yield fire
        runner.run(context.__aexit__(None, None, None))
        print(f"\n{fire.tally.table()}")


class TableUnderFire(RuleBasedStateMachine):
    """One match, from the first guest to the proof of its last deal.

    No rule has a precondition: what has become of a match depends on the race, and Hypothesis wants to draw the same
    whenever it begins the same.
    """

    def __init__(self, fire: Fire) -> None:
        super().__init__()
        self.inn, self.tally, self._runner = fire.inn, fire.tally, fire.runner
        self.history = History()
        self.writes: list[Write] = []
        self.tokens: dict[int, str] = {}
        self.path = ""
        self.stream: Stream | None = None

    def run(self, acting: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(acting)

    # --- what people do

    @initialize(
        game=st.sampled_from(sorted(GAMES)), seats=st.integers(2, 4), computer=st.integers(0, 3), data=st.data()
    )
    def gather(self, game: str, seats: int, computer: int, data: st.DataObject) -> None:
        most, options = GAMES[game]
        opening = Write("POST", "/v1/tables", {"game": game, "name": "Anna", "options": options})
        self.struck(opening, data)
        self.join(opening)
        for number in range(1, min(seats, most)):
            machine = number == 1 and not computer
            guest = {"name": f"Ospite {number}", "kind": "computer" if machine else "person"}
            sitting = Write("POST", f"{self.path}/seats", guest, self.tokens[0] if machine else None)
            self.struck(sitting, data)
            self.join(sitting)
        self.struck(Write("POST", f"{self.path}/start", token=self.tokens[0]), data)
        self.run(self.follow())

    def join(self, sitting: Write) -> None:
        assert sitting.confirmed
        told = sitting.confirmed.json
        self.path = f"/v1/tables/{told['table']['id']}"
        if told["token"]:
            self.tokens[told["seat"]] = told["token"]

    async def follow(self) -> None:
        self.stream = Stream(self.inn, self.path, self.history, 0)

    def struck(self, write: Write, data: st.DataObject) -> None:
        fault = data.draw(st.none() | st.sampled_from(sorted(FAULTS)))
        number, lead = data.draw(replicas), data.draw(leads)
        self.writes.append(write)
        self.run(self.strike(write, fault, number, lead) if fault else self.inn.definitely(write, number))
        assert write.confirmed

    @rule(pick=numbers, number=replicas, named=st.booleans())
    def play(self, pick: int, number: int, named: bool) -> None:
        if write := self.move(pick, named):
            self.run(self.inn.definitely(write, number))

    @rule(pick=numbers, fault=st.sampled_from(sorted(FAULTS)), number=replicas, lead=leads, named=st.booleans())
    def play_while_something_fails(self, pick: int, fault: str, number: int, lead: int, named: bool) -> None:
        if write := self.move(pick, named):
            self.run(self.strike(write, fault, number, lead))

    @rule(pick=numbers, number=replicas, patience=st.floats(0, 0.008))
    def play_without_patience(self, pick: int, number: int, patience: float) -> None:
        if write := self.move(pick, named=True):
            self.run(self.give_up(write, number, patience))

    @rule(picks=st.lists(numbers, min_size=2, max_size=4), named=st.booleans())
    def everybody_moves_at_once(self, picks: list[int], named: bool) -> None:
        """Who is on turn sends several moves, each to two replicas; the others, who are not, try the same."""
        moves = [write for pick in picks if (write := self.move(pick, named))]
        for seat in self.tokens:
            if moves and seat != moves[0].seat:
                moves.append(self.write_move(seat, moves[0].move, None))
        self.run(self.race(moves))

    @rule(pick=numbers, number=replicas)
    def ask_again_for_something_old(self, pick: int, number: int) -> None:
        self.run(self.inn.definitely(self.writes[pick % len(self.writes)], number))
        self.tally.count("asked again, maybe long after")

    @rule(pick=numbers, number=replicas)
    def use_a_key_for_something_else(self, pick: int, number: int) -> None:
        confirmed = [write for write in self.writes if write.confirmed]
        old = confirmed[pick % len(confirmed)]
        other = Write(old.method, old.path, {"another": "body"}, old.token, key=old.key)
        if old.body and "move" in old.body:
            other.body = {"move": {"type": "another move"}}
        answer = self.run(self.inn.definitely(other, number))
        assert answer.status in (400, 422)
        assert other.confirmed is None

    @rule(number=replicas, lead=leads, fault=st.sampled_from(sorted(FAULTS)))
    def somebody_leaves(self, number: int, lead: int, fault: str) -> None:
        if len(self.tokens) < 3:
            return
        seat = max(self.tokens)
        leaving = Write("DELETE", f"{self.path}/seats/{seat}", token=self.tokens[seat])
        self.writes.append(leaving)
        self.run(self.strike(leaving, fault, number, lead))
        if leaving.confirmed:
            del self.tokens[seat]

    # --- how it is done

    def move(self, pick: int, named: bool) -> Write | None:
        """A move of the person on turn, if any is."""
        return self.run(self.next_move(pick, named))

    async def next_move(self, pick: int, named: bool) -> Write | None:
        deal = (await self.inn.see(self.path)).json["deal"]
        if deal is None or deal["turn"] not in self.tokens:
            return None
        table = (await self.inn.see(self.path, self.tokens[deal["turn"]])).json
        if not table["moves"]:  # a computer player has moved meanwhile
            return None
        move = table["moves"][pick % len(table["moves"])]
        return self.write_move(table["you"], move, table["version"] if named else None)

    def write_move(self, seat: int, move: JsonObject | None, version: int | None) -> Write:
        write = Write("POST", f"{self.path}/moves", {"move": move}, self.tokens[seat], version, seat, move)
        self.writes.append(write)
        return write

    async def strike(self, write: Write, fault: str, number: int, lead: int) -> None:
        """Let the fault come some milliseconds after the request, or before it."""
        replica = self.inn.replicas[number]
        lead = -1 if fault in BEFORE else lead
        striking = asyncio.create_task(_later(lead, FAULTS[fault](self.inn, replica)))
        answer = await _later(-lead, send(self.inn.session, replica.url, write))
        await striking
        await self.settle(write, answer, fault, number + 1)

    async def give_up(self, write: Write, number: int, patience: float) -> None:
        answer = await send(self.inn.session, self.inn.replicas[number].url, write, patience)
        await self.settle(write, answer, "client gave up and asked elsewhere", number + 1)

    async def settle(self, write: Write, answer: Answer | None, fault: str, number: int) -> None:
        """Ask elsewhere where the answer is not definite, and count whether the request had taken effect by then."""
        if answer and answer.definite:
            self.tally.count(fault)
            return
        version = (await self.inn.see(self.path)).json["version"] if self.path else 0
        await self.inn.definitely(write, number)
        taken = write.made is not None and write.made <= version
        self.tally.count(fault, "no answer, taken" if taken else "no answer, not taken")

    async def race(self, writes: list[Write]) -> None:
        twice = [(write, number) for write in writes for number in range(2)]
        await asyncio.gather(*(self.inn.definitely(write, number) for write, number in twice))
        self.tally.count("several clients at once")

    # --- what must hold

    @invariant()
    def the_history_is_a_line(self) -> None:
        if self.stream:
            self.run(self.observe())
            self.history.check_line()
            self.history.check_writes(self.writes)

    async def observe(self) -> None:
        """Let everybody look at everything that is new to him."""
        for viewer, token in self.viewers():
            known = max((version for version, views in self.history.seen.items() if viewer in views), default=0)
            events = (await self.inn.see(f"{self.path}/events?after={known}", token)).json["events"]
            for event in events:
                if event["event"] == "change":
                    self.history.see(viewer, event["table"])

    def viewers(self) -> list[tuple[Viewer, str | None]]:
        return [(None, None), *self.tokens.items()]

    def teardown(self) -> None:
        if self.stream:
            try:
                self.run(self.finish())
            finally:
                self.run(self.stream.close())

    async def finish(self) -> None:
        """Play the match to its end, ask again for all that was asked, and compare all that was seen with the log."""
        await self.streamed()
        await self.play_out(Random(self.history.last))
        for write in self.writes:
            await self.inn.definitely(write)
        await self.observe()
        await self.streamed()
        over = (await self.inn.see(self.path)).json
        proofs = [await self.proof(deal) for deal in range(1, over["match"]["deal"] + 1)]
        self.history.check_line()
        self.history.check_writes(self.writes)
        self.history.check_moves(self.writes, proofs)
        self.tally.count("matches played to their end")
        self.tally.count("moves confirmed", times=sum(1 for write in self.writes if write.move and write.confirmed))

    async def play_out(self, chance: Random) -> None:
        while (await self.inn.see(self.path)).json["status"] == "playing":
            for _ in range(OBSERVED_EVERY):
                if write := await self.next_move(chance.randrange(1000), named=True):
                    await self.inn.definitely(write)
            await self.observe()
            await self.streamed()

    async def streamed(self) -> None:
        """Wait until the stream has told all that is known."""
        assert self.stream
        await self.stream.until(self.history.last)

    async def proof(self, deal: int) -> Proof:
        return msgspec.json.decode((await self.inn.see(f"{self.path}/deals/{deal}")).body, type=Proof)


async def _later(milliseconds: int, acting: Any) -> Any:
    await asyncio.sleep(max(0, milliseconds) / 1000)
    return await acting


def test_whatever_fails_the_history_is_one_line_of_confirmed_steps(fire: Fire) -> None:
    run_state_machine_as_test(lambda: TableUnderFire(fire), settings=HARD)  # type: ignore[arg-type]  # any callable will do
    log = fire.runner.run(fire.inn.logs())
    assert "internal_error" not in log
    assert "_failed" not in log
