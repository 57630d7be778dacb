"""The bot checks the shuffle of each match with the commitment that it saved, and reports it in the result."""

import asyncio
import re

import msgspec
import pytest
from msgspec import structs

from locanda.errors import unreachable
from locanda.messages import Proof
from services.engine.table.state import AnyTable, Transition, advance, with_seat
from services.telegram.evenings.evening import Evening
from services.telegram.following import results
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Person
from tests.emulator.chats import PATIENCE, Chat
from tests.emulator.state import Message
from tests.telegram.harness import BotHarness, all_stay, plays_until, plays_until_one_has_one_card, turn_of_somebody
from tests.telegram.lobby_steps import deal

AGREED, DIFFERENT, UNCHECKED = "✅ Mazzo controllato", "❌ La mescolata NON torna", "❔ Non ho potuto"


async def the_table(harness: BotHarness) -> ChatTable:
    chat_tables = Repositories(harness.redis).chat_tables
    [table] = await chat_tables.all()
    return table


async def play_out(harness: BotHarness, people: list[Person], group: Chat) -> Message:
    """Play a match to its end, and return the message with the result."""
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    return await group.sees(button="Ci sto")


async def proof_of(harness: BotHarness, match: int) -> Proof:
    table = await the_table(harness)
    return await harness.engine.proof(table.engine or "", 1, match=match)


async def test_each_match_agrees_with_its_own_fresh_seeds(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await play_out(harness, people, group)
    first = await group.sees(AGREED)
    await all_stay(people, group)
    await group.until(lambda place: place.shows(button="Ci sto") is None)
    await turn_of_somebody(people)
    await play_out(harness, people, group)
    await group.until(lambda place: sum(AGREED in message.text for message in place.messages) == 2)
    assert AGREED in first.text
    seeds = [*(await proof_of(harness, 1)).client_seeds, *(await proof_of(harness, 2)).client_seeds]
    assert all(seeds)
    assert len(set(seeds)) == 4


async def test_a_commitment_that_is_not_the_one_of_before_is_told(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    table = await the_table(harness)
    key = f"bot:table:{table.ref}:shuffles"
    assert await harness.redis.hexists(key, f"{table.engine}:1:commitment")
    await harness.close()
    await harness.redis.hset(key, f"{table.engine}:1:commitment", "0" * 64)  # a false commitment
    await harness.open()
    await play_out(harness, [anna, bruno], group)
    await group.sees(DIFFERENT)


@pytest.mark.slow
async def test_a_seed_that_the_engine_has_exchanged_is_told(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    proof = harness.engine.proof

    async def exchanged(table: str, deal: int, *, match: int | None = None) -> Proof:
        true = await proof(table, deal, match=match)
        return msgspec.structs.replace(true, client_seeds=("chosen until it suited", true.client_seeds[1]))

    monkeypatch.setattr(harness.engine, "proof", exchanged)
    await play_out(harness, [anna, bruno], group)
    await group.sees(DIFFERENT)


@pytest.mark.slow
async def test_a_check_that_fails_keeps_nobody_from_the_result_and_the_rematch(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, group: Chat
) -> None:
    hanging = asyncio.Event()

    async def fails(*_: object) -> list[str]:
        await hanging.wait()
        raise RuntimeError("of whatever kind")

    monkeypatch.setattr(results, "match_errors", fails)
    await deal([anna, bruno], group)
    end = await play_out(harness, [anna, bruno], group)
    assert "🥇" in end.text
    assert "✅" not in end.text
    hanging.set()
    await group.sees(UNCHECKED)
    await all_stay([anna, bruno], group)
    await turn_of_somebody([anna, bruno])


@pytest.mark.slow
@pytest.mark.parametrize("failure", [unreachable("refused"), TimeoutError()])
async def test_a_match_whose_proofs_do_not_come_during_an_upgrade_is_checked_after_it(
    harness: BotHarness,
    monkeypatch: pytest.MonkeyPatch,
    anna: Person,
    bruno: Person,
    group: Chat,
    failure: Exception,
) -> None:
    was_asked = asyncio.Event()

    async def gives_none(*_: object) -> list[str]:
        was_asked.set()
        raise failure

    with monkeypatch.context() as upgrading:
        upgrading.setattr(results, "match_errors", gives_none)
        await deal([anna, bruno], group)
        await play_out(harness, [anna, bruno], group)
        await asyncio.wait_for(was_asked.wait(), PATIENCE)
    await group.sees(AGREED)


@pytest.mark.slow
async def test_a_match_of_which_nothing_was_kept_is_not_called_agreed(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    """An earlier release stored no commitment and no client seeds."""
    await deal([anna, bruno], group)
    key = f"bot:table:{(await the_table(harness)).ref}:shuffles"
    await harness.close()
    await harness.redis.delete(key)
    await harness.open()
    await play_out(harness, [anna, bruno], group)
    await group.sees(UNCHECKED)


async def test_a_bot_that_stops_during_the_check_does_it_after_its_restart(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, group: Chat
) -> None:
    reached = asyncio.Event()

    async def hangs(*_: object) -> list[str]:
        reached.set()
        await asyncio.Event().wait()
        return []

    with monkeypatch.context() as patched:
        patched.setattr(results, "match_errors", hangs)
        await deal([anna, bruno], group)
        await play_out(harness, [anna, bruno], group)
        await asyncio.wait_for(reached.wait(), PATIENCE)
        await harness.kill()
    await harness.open()
    await group.sees(AGREED)


async def test_who_was_removed_on_the_page_comes_last_in_leaderboard_season_and_evening(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    """The match counts for everybody who began it, however they lost their seat."""
    await deal([anna, bruno, carla], group)
    assert harness.context
    table, repositories = await the_table(harness), harness.context.repositories
    evening = Evening("Ab3-Ef_820261126", group.id, None, table.game, "UTC", 1.0, 2.0, "over")
    await repositories.evenings.save(evening)
    await repositories.chat_tables.save(structs.replace(table, evening=evening.ref))
    tokens, engine = await repositories.seats.tokens(table.ref), table.engine or ""
    at = {(await harness.engine.table(engine, token)).you: token for token in tokens.values()}
    [away] = [seat.seat for seat in (await harness.engine.table(engine)).seats if seat.name == "Carla"]
    seat = None
    while seat != away:
        seen = await harness.engine.table(engine)
        assert seen.deal is not None
        assert seen.deal.turn is not None
        seat = seen.deal.turn
        await harness.engine.play(engine, at[seat], (await harness.engine.table(engine, at[seat])).moves[0])
    await harness.settle()

    async def goes_away(table_now: AnyTable) -> Transition:
        return advance(with_seat(table_now, away, structs.replace(table_now.seats[away], away=True)), [])

    await harness.administered.tables._transactions.act(engine, goes_away)
    await harness.engine.leave(engine, away, tokens[anna.id])
    assert "Anna ha tolto Carla dal tavolo" in (await group.sees("Anna ha tolto Carla")).text
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows("🏁"))
    await harness.settle()
    results = {
        standing.name: (standing.matches, standing.wins)
        for standing in await repositories.leaderboards.standings(group.id, table.game)
    }
    assert results["Carla"] == (1, 0)
    await anna.says(group, "/stagione")
    season = await group.sees("Stagione 1")
    assert re.search(r"🥉 Carla · 2 punti", season.text), season.text
    [played] = await repositories.evenings.matches(evening.ref)
    assert max(played.places, key=lambda user: played.places[user]) == carla.id
