"""A client checks a finished match against the commitment that its player saw and the seed that this player set."""

from functools import cache
from typing import Any

import msgspec
import pytest

from locanda import messages
from locanda.shuffle_check import KeptShuffle, match_errors
from services.engine.table import seating
from services.engine.table.state import AnyTable
from services.engine.table.view import view
from tests.engine.table.tables import after
from tests.engine.table.test_match import MATCHES, over, proofs_of

SEED = "seven tame geese"


@cache
def played() -> tuple[messages.Table, list[dict[str, Any]]]:
    """A finished match of three deals in the public view, and the proofs of its deals. Seat 1 has set a seed."""
    table: AnyTable = after(seating.give_seed(MATCHES["gatto_rosso"], 1, SEED))
    shown = msgspec.json.encode(view(over(table), None))
    return msgspec.json.decode(shown, type=messages.Table), proofs_of(table)


class Engine:
    """An engine that answers with the given proofs."""

    def __init__(self, proofs: list[dict[str, Any]]) -> None:
        self._proofs = proofs

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        return msgspec.convert(self._proofs[deal - 1], messages.Proof)


async def errors_with(proofs: list[dict[str, Any]] | None = None, **changes: Any) -> list[str]:
    """The errors that are found after these changes in a match with a true commitment and seed."""
    table, true = played()
    match_data: dict[str, Any] = {"over": table, "commitment": table.match.commitment, "seeds": {0: [""], 1: [SEED]}}
    return await match_errors(Engine(proofs or true), **match_data | changes)


async def test_a_true_match_agrees() -> None:
    assert await errors_with() == []
    assert await errors_with(seeds={}) == []
    assert await errors_with(seeds={1: ["never sent", SEED]}) == []


async def test_another_commitment_or_seed_than_before_is_found() -> None:
    assert len(await errors_with(commitment="0" * 64)) == 3
    assert await errors_with(seeds={1: ["mine"]}) == [
        f"deal {deal}: `client_seeds[1]` is not what was given for this seat" for deal in (1, 2, 3)
    ]


async def test_a_proof_that_is_not_the_table_s_is_found() -> None:
    table, true = played()
    for changed in (
        {"options": {"deals": 3}},
        {"rules": 2},
        {"match": msgspec.structs.replace(table.match, points=(0, 0, 1))},
        {"match": msgspec.structs.replace(table.match, server_seed="0" * 64)},
        {"seats": table.seats[:2]},
    ):
        assert await errors_with(over=msgspec.structs.replace(table, **changed)), changed
    assert await errors_with(proofs=[true[1], true[0], true[2]])
    hands = true[0]["start"]["hands"]
    dealt = true[0]["start"] | {"hands": [hands[1], hands[0], hands[2]]}
    assert "deal 1: `hands` is not what this seed deals" in await errors_with(
        proofs=[true[0] | {"start": dealt}, *true[1:]]
    )


async def test_a_proof_that_nobody_can_read_is_no_agreement() -> None:
    _, true = played()
    assert await errors_with(proofs=[true[0] | {"client_seeds": ["x" * 65, SEED, ""]}, *true[1:]])


@pytest.mark.parametrize(("confirmed", "possible"), [(True, ("a", "b")), (False, ("a", "b", ""))])
def test_a_seed_that_was_not_confirmed_may_be_missing(confirmed: bool, possible: tuple[str, ...]) -> None:
    assert KeptShuffle("", ("a", "b"), confirmed=confirmed).possible_seeds == possible
