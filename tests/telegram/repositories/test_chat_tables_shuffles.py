"""The repository of shuffles."""

from locanda.shuffle_check import KeptShuffle
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE

REF, ENGINE, OTHER = CHAT_TABLE.ref, "E" * 22, "F" * 22


async def test_the_first_commitment_and_the_first_seed_count(repositories: Repositories) -> None:
    shuffles = repositories.shuffles
    for commitment, seed in (("c0", "mine"), ("c1", "another")):
        await shuffles.keep_commitment(REF, ENGINE, 1, commitment)
        assert await shuffles.keep_seed(REF, ENGINE, 1, ANNA, seed) == "mine"
    assert await shuffles.kept(REF, ENGINE, 1) == ("c0", {ANNA: KeptShuffle("c0", ("mine",))})
    await shuffles.confirm_seed(REF, ENGINE, 1, ANNA)
    assert await shuffles.kept(REF, ENGINE, 1) == ("c0", {ANNA: KeptShuffle("c0", ("mine",), confirmed=True)})


async def test_each_match_of_each_table_of_the_engine_has_its_own(repositories: Repositories) -> None:
    shuffles = repositories.shuffles
    await shuffles.keep_commitment(REF, ENGINE, 1, "c0")
    await shuffles.keep_seed(REF, ENGINE, 1, ANNA, "mine")
    await shuffles.record_outcome(REF, ENGINE, 1, "agreed")
    for engine, match in ((ENGINE, 2), (OTHER, 1), (ENGINE, 11)):
        assert await shuffles.kept(REF, engine, match) == (None, {})
        assert await shuffles.outcome(REF, engine, match) is None
    assert await shuffles.outcome(REF, ENGINE, 1) == "agreed"


async def test_seeds_are_forgotten_with_the_seat_and_all_with_the_table(repositories: Repositories) -> None:
    shuffles = repositories.shuffles
    await repositories.chat_tables.save(CHAT_TABLE)
    await shuffles.keep_commitment(REF, ENGINE, 1, "c0")
    for user in (ANNA, BRUNO):
        await shuffles.keep_seed(REF, ENGINE, 1, user, "seed")
        await shuffles.confirm_seed(REF, ENGINE, 1, user)
    await repositories.seats.forget(REF, ANNA)
    assert await shuffles.kept(REF, ENGINE, 1) == ("c0", {BRUNO: KeptShuffle("c0", ("seed",), confirmed=True)})
    await repositories.chat_tables.delete(CHAT_TABLE)
    assert await shuffles.kept(REF, ENGINE, 1) == (None, {})
