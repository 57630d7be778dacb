"""Replays of deals from their logs. They do not depend on stored states."""

import asyncio
from random import Random

import pytest
from msgspec import structs

from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.service import codec, computers
from services.engine.service.computers import Replays
from services.engine.store.errors import DamagedError
from services.engine.table import history, playing
from services.engine.table.history import leads_to
from services.engine.table.state import AnyTable, DealStart, TransitionContext, game_of, turn_of
from tests.engine.table.tables import NOW, opened, person


class Logged:
    """A table, and the log of its current deal."""

    def __init__(self, name: str, table_id: str = "A" * 22, seed: int = 1) -> None:
        self.rng = Random(seed)
        table = opened(person("Bruno"), game=GAMES[name])
        match = structs.replace(table.match, table=table_id)
        begun = playing.start(structs.replace(table, match=match), 0, TransitionContext(NOW))
        self.table: AnyTable = begun.table
        self.lines = [codec.encode_line(line) for line in begun.log]

    def play(self, moves: int) -> None:
        """Make this number of moves, or fewer if the deal ends."""
        for _ in range(moves):
            move = self.rng.choice(game_of(self.table).moves(self.table.deal))
            moved = playing.play(self.table, turn_of(self.table) or 0, move, TransitionContext(NOW))
            if moved.table.match.deal != self.table.match.deal or moved.table.status == "over":
                return
            self.table = moved.table
            self.lines += [codec.encode_line(line) for line in moved.log if not isinstance(line.entry, DealStart)]


@pytest.mark.parametrize("name", GAME_NAMES)
async def test_what_is_remembered_changes_nothing(name: str) -> None:
    logged, remembering, before = Logged(name), Replays(), 0
    for moves in (0, 1, 3, 0, 5, 2):
        logged.play(moves)
        known = remembering.known(logged.table)
        replay = await remembering.of(logged.table, logged.lines[known:], known)
        assert replay == await Replays().of(logged.table, logged.lines)
        assert replay
        assert known + 2 >= before
        before = len(logged.lines)
        assert leads_to(replay, logged.table, 0)
        assert replay.deal == logged.table.deal


async def test_another_past_is_replayed_anew() -> None:
    one, other, remembering = Logged("gatto_rosso"), Logged("gatto_rosso", seed=4), Replays()
    one.play(8)
    other.play(8)
    assert one.lines[0] == other.lines[0]
    assert one.lines != other.lines
    await remembering.of(one.table, one.lines)
    known = remembering.known(other.table)
    assert await remembering.of(other.table, other.lines[known:], known) is None
    assert remembering.known(other.table) == 0
    assert await remembering.of(other.table, other.lines) == await Replays().of(other.table, other.lines)


async def test_a_log_does_not_lead_to_another_deal() -> None:
    one, other = Logged("gatto_rosso"), Logged("gatto_rosso", seed=4)
    one.play(8)
    other.play(8)
    replay = await Replays().of(one.table, one.lines)
    assert replay
    assert not leads_to(replay, other.table, 0)


async def test_a_damaged_line_is_not_remembered() -> None:
    logged, remembering = Logged("gatto_rosso"), Replays()
    logged.play(4)
    with pytest.raises(DamagedError):
        await remembering.of(logged.table, [*logged.lines, b"\x00"])
    replay = await remembering.of(logged.table, logged.lines)
    assert replay
    assert replay.deal == logged.table.deal


async def test_a_long_log_is_replayed_a_piece_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOVES_AT_ONCE", 4)
    logged, turns = Logged("gatto_rosso"), list[int]()
    logged.play(12)

    async def another() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    waiting = asyncio.create_task(another())
    replay = await Replays().of(logged.table, logged.lines)
    waiting.cancel()
    assert replay
    assert replay.deal == logged.table.deal
    assert len(turns) >= 2


async def test_a_few_tables_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "REMEMBERED", 2)
    remembering = Replays()
    for letter in "ABC":
        logged = Logged("gatto_rosso", letter * 22)
        await remembering.of(logged.table, logged.lines)
    assert [*remembering._kept] == ["B" * 22, "C" * 22]
