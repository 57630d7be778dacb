"""The fault campaign: a state machine that plays matches while faults strike, checked against a model of the table.

Hypothesis draws the games, the moves, the faults and the milliseconds at which they strike; `history.py` is the model.
A confirmed move must never be lost or made twice. `make faults` plays many more matches and prints the counts.
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

from locanda.messages import JsonObject, Proof
from tests.e2e.fault_campaign.faults import ARMED_BEFORE, FAULTS, FaultCounts
from tests.e2e.fault_campaign.history import History, SeatOrSpectator
from tests.e2e.fault_campaign.replicas import REPLICAS, Replicas, running_replicas
from tests.e2e.fault_campaign.requests import ReceivedResponse, WriteRequest, send
from tests.e2e.fault_campaign.stream import SpectatorStream
from tests.redis_server import running_redis

T = TypeVar("T")

GAMES: dict[str, tuple[int, JsonObject]] = {
    "gatto_rosso": (4, {"deals": 2}),
    "ramino": (3, {"target": 1}),
    "diavoletto": (2, {}),
    "presidente": (4, {"deals": 2, "tax": True}),
}
"""The maximum number of seats in each game, and options for a short match."""

OBSERVED_EVERY = 4
"""The number of moves between two checks by all viewers. The engine keeps many more events."""

RECOGNIZED = 12
"""The number of a caller's writes that are repeated. The engine keeps the last 16 replies, and some writes race with
others.
"""

CAMPAIGN = settings(
    max_examples=max(1, settings().max_examples // 8),
    stateful_step_count=25,
    phases=[Phase.generate],  # failures that depend on a race cannot be shrunk
    database=None,
)

numbers = st.integers(0, 999)
replicas = st.integers(0, REPLICAS - 1)
leads = st.integers(-3, 6)
"""Milliseconds from the request to the fault. If negative, the fault comes first."""


@dataclass
class FaultCampaign:
    """Shared by all matches: the replicas, the event loop, and the counts of faults."""

    replicas: Replicas
    runner: asyncio.Runner
    counts: FaultCounts


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultCampaign]:
    with (
        running_redis(tmp_path_factory.mktemp("redis")) as redis,
        asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner,
    ):
        context = running_replicas(redis, tmp_path_factory.mktemp("engines"))
        campaign = FaultCampaign(runner.run(context.__aenter__()), runner, FaultCounts())
        yield campaign
        runner.run(context.__aexit__(None, None, None))
        print(f"\n{campaign.counts.table()}")


class MatchUnderFaults(RuleBasedStateMachine):
    """One match, from the first guest to the proof of its last deal.

    No rule has a precondition: the state of a match depends on races, and Hypothesis must draw the same rules
    whenever it starts the same.
    """

    def __init__(self, campaign: FaultCampaign) -> None:
        super().__init__()
        self.replicas, self.counts, self._runner = campaign.replicas, campaign.counts, campaign.runner
        self.history = History()
        self.writes: list[WriteRequest] = []
        self.tokens: dict[int, str] = {}
        self.path = ""
        self.stream: SpectatorStream | None = None

    def run(self, acting: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(acting)

    # --- the players

    @initialize(
        game=st.sampled_from(sorted(GAMES)), seats=st.integers(2, 4), computer=st.integers(0, 3), data=st.data()
    )
    def gather(self, game: str, seats: int, computer: int, data: st.DataObject) -> None:
        most, options = GAMES[game]
        opening = WriteRequest("POST", "/v1/tables", {"game": game, "name": "Anna", "options": options})
        self.send_with_fault(opening, data)
        self.join(opening)
        for number in range(1, min(seats, most)):
            is_computer = number == 1 and not computer
            guest = {"name": f"Ospite {number}", "kind": "computer" if is_computer else "person"}
            sitting = WriteRequest("POST", f"{self.path}/seats", guest, self.tokens[0] if is_computer else None)
            self.send_with_fault(sitting, data)
            self.join(sitting)
        self.send_with_fault(WriteRequest("POST", f"{self.path}/start", token=self.tokens[0]), data)
        self.run(self.follow())

    def join(self, sitting: WriteRequest) -> None:
        assert sitting.confirmed
        seated = sitting.confirmed.json
        self.path = f"/v1/tables/{seated['table']['id']}"
        if seated["token"]:
            self.tokens[seated["seat"]] = seated["token"]

    async def follow(self) -> None:
        self.stream = SpectatorStream(self.replicas, self.path, self.history, 0)

    def send_with_fault(self, write: WriteRequest, data: st.DataObject) -> None:
        fault = data.draw(st.none() | st.sampled_from(sorted(FAULTS)))
        number, lead = data.draw(replicas), data.draw(leads)
        self.writes.append(write)
        self.run(self.strike(write, fault, number, lead) if fault else self.replicas.send(write, number))
        assert write.confirmed

    @rule(pick=numbers, number=replicas, named=st.booleans())
    def play(self, pick: int, number: int, named: bool) -> None:
        if write := self.move(pick, named):
            self.run(self.replicas.send(write, number))

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
        """The player on turn sends several moves, each to two replicas; the other players send them too."""
        moves = [write for pick in picks if (write := self.move(pick, named))]
        for seat in self.tokens:
            if moves and seat != moves[0].seat:
                moves.append(self.write_move(seat, moves[0].move, None))
        self.run(self.race(moves))

    @rule(pick=numbers, number=replicas)
    def ask_again_for_something_old(self, pick: int, number: int) -> None:
        old = self.recognized()
        self.run(self.replicas.send(old[pick % len(old)], number))
        self.counts.count("asked again, maybe long after")

    @rule(pick=numbers, number=replicas)
    def use_a_key_for_something_else(self, pick: int, number: int) -> None:
        confirmed = [write for write in self.writes if write.confirmed]
        old = confirmed[pick % len(confirmed)]
        other = WriteRequest(old.method, old.path, {"another": "body"}, old.token, key=old.key)
        if old.body and "move" in old.body:
            other.body = {"move": {"type": "another move"}}
        answer = self.run(self.replicas.send(other, number))
        assert answer.status in (400, 422)
        assert other.confirmed is None

    @rule(number=replicas, lead=leads, fault=st.sampled_from(sorted(FAULTS)))
    def somebody_leaves(self, number: int, lead: int, fault: str) -> None:
        if len(self.tokens) < 3:
            return
        seat = max(self.tokens)
        leaving = WriteRequest("DELETE", f"{self.path}/seats/{seat}", token=self.tokens[seat])
        self.writes.append(leaving)
        self.run(self.strike(leaving, fault, number, lead))
        if leaving.confirmed:
            del self.tokens[seat]

    # --- how the test makes requests and faults

    def move(self, pick: int, named: bool) -> WriteRequest | None:
        """Return a move of the person on turn, or None if no person is on turn."""
        return self.run(self.next_move(pick, named))

    async def next_move(self, pick: int, named: bool) -> WriteRequest | None:
        deal = (await self.replicas.get(self.path)).json["deal"]
        if deal is None or deal["turn"] not in self.tokens:
            return None
        table = (await self.replicas.get(self.path, self.tokens[deal["turn"]])).json
        if not table["moves"]:  # a computer player has moved meanwhile
            return None
        move = table["moves"][pick % len(table["moves"])]
        return self.write_move(table["you"], move, table["version"] if named else None)

    def write_move(self, seat: int, move: JsonObject | None, version: int | None) -> WriteRequest:
        write = WriteRequest("POST", f"{self.path}/moves", {"move": move}, self.tokens[seat], version, seat, move)
        self.writes.append(write)
        return write

    async def strike(self, write: WriteRequest, fault: str, number: int, lead: int) -> None:
        """Inject the fault some milliseconds after the request, or before it."""
        replica = self.replicas.each[number]
        lead = -1 if fault in ARMED_BEFORE else lead
        striking = asyncio.create_task(_later(lead, FAULTS[fault](self.replicas, replica)))
        answer = await _later(-lead, send(self.replicas.session, replica.url, write))
        await striking
        await self.settle(write, answer, fault, number + 1)

    async def give_up(self, write: WriteRequest, number: int, patience: float) -> None:
        answer = await send(self.replicas.session, self.replicas.each[number].url, write, patience)
        await self.settle(write, answer, "client gave up and asked elsewhere", number + 1)

    async def settle(self, write: WriteRequest, answer: ReceivedResponse | None, fault: str, number: int) -> None:
        """Repeat a request without a definite response, and count whether the first attempt had taken effect."""
        if answer and answer.definite:
            self.counts.count(fault)
            return
        version = (await self.replicas.get(self.path)).json["version"] if self.path else 0
        await self.replicas.send(write, number)
        taken = write.made is not None and write.made <= version
        self.counts.count(fault, "no answer, taken" if taken else "no answer, not taken")

    async def race(self, writes: list[WriteRequest]) -> None:
        twice = [(write, number) for write in writes for number in range(2)]
        await asyncio.gather(*(self.replicas.send(write, number) for write, number in twice))
        self.counts.count("several clients at once")

    # --- invariants

    @invariant()
    def versions_form_one_history(self) -> None:
        if self.stream:
            self.run(self.observe())
            self.history.check_versions()
            self.history.check_writes(self.writes)

    def recognized(self) -> list[WriteRequest]:
        """Return the writes that the engine recognizes when they are repeated: the last writes of each caller."""
        of_caller: dict[str | None, list[WriteRequest]] = {}
        for write in self.writes:
            of_caller.setdefault(write.token, []).append(write)
        return [write for own in of_caller.values() for write in own[-RECOGNIZED:]]

    async def observe(self) -> None:
        """Let each viewer fetch the events that they have not seen yet."""
        for viewer, token in self.viewers():
            known = max((version for version, views in self.history.seen.items() if viewer in views), default=0)
            events = (await self.replicas.get(f"{self.path}/events?after={known}", token)).json["events"]
            for event in events:
                if event["event"] == "change":
                    self.history.record(viewer, event["table"])

    def viewers(self) -> list[tuple[SeatOrSpectator, str | None]]:
        return [(None, None), *self.tokens.items()]

    def teardown(self) -> None:
        if self.stream:
            try:
                self.run(self.finish())
            finally:
                self.run(self.stream.close())

    async def finish(self) -> None:
        """Finish the match, repeat the writes that are still recognized, and compare everything with the log."""
        await self.streamed()
        await self.play_out(Random(self.history.last))
        for write in self.recognized():
            await self.replicas.send(write)
        await self.observe()
        await self.streamed()
        over = (await self.replicas.get(self.path)).json
        proofs = [await self.proof(deal) for deal in range(1, over["match"]["deal"] + 1)]
        self.history.check_versions()
        self.history.check_writes(self.writes)
        self.history.check_moves(self.writes, proofs)
        self.counts.count("matches played to their end")
        self.counts.count("moves confirmed", times=sum(1 for write in self.writes if write.move and write.confirmed))

    async def play_out(self, chance: Random) -> None:
        while (await self.replicas.get(self.path)).json["status"] == "playing":
            for _ in range(OBSERVED_EVERY):
                if write := await self.next_move(chance.randrange(1000), named=True):
                    await self.replicas.send(write)
            await self.observe()
            await self.streamed()

    async def streamed(self) -> None:
        """Wait until the stream has delivered the newest known version."""
        assert self.stream
        await self.stream.until(self.history.last)

    async def proof(self, deal: int) -> Proof:
        return msgspec.json.decode((await self.replicas.get(f"{self.path}/deals/{deal}")).body, type=Proof)


async def _later(milliseconds: int, acting: Any) -> Any:
    await asyncio.sleep(max(0, milliseconds) / 1000)
    return await acting


@pytest.mark.costly
def test_whatever_fails_a_table_has_one_history_of_confirmed_steps(campaign: FaultCampaign) -> None:
    run_state_machine_as_test(lambda: MatchUnderFaults(campaign), settings=CAMPAIGN)  # type: ignore[arg-type]  # any callable will do
    log = campaign.runner.run(campaign.replicas.logs())
    assert "internal_error" not in log
    assert "_failed" not in log
