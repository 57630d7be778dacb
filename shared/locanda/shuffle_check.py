"""Verifies the shuffles of a finished match: compares their proofs with values that the client saw before the match."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct

from locanda import verify
from locanda.messages import JsonObject, Proof, Table
from locanda.verify import say


class ProofSource(Protocol):
    """The part of `EngineClient` that the check needs."""

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> Proof:
        """Return the proof of a finished deal's shuffle. Raises `EngineError`."""
        ...


class KeptShuffle(Struct, frozen=True, omit_defaults=True):
    """Values that a client keeps before a match: the commitment, and the client seeds that it sent for a seat."""

    commitment: str
    client_seeds: tuple[str, ...] = ()
    """All seeds sent. If responses were lost, the client does not know which of these the seat has."""
    confirmed: bool = False
    """Whether the engine has confirmed one of the seeds. Until then the seat may have no seed."""

    @property
    def possible_seeds(self) -> tuple[str, ...]:
        """The seeds that the seat may have; the proof must contain one of these."""
        return self.client_seeds if self.confirmed else (*self.client_seeds, "")


async def match_errors(
    engine: ProofSource, over: Table, commitment: str, seeds: Mapping[int, Iterable[str]]
) -> list[str]:
    """Return a sentence for each contradiction between a match's proofs and the values shown before; empty if none.

    `over` is the table at the end of the match. `commitment` is the one that the table showed before the match, and
    `seeds` has the possible client seeds by seat. `verify.translated` translates the sentences. Raises `EngineError` if
    the engine does not return a proof.
    """
    published = verify.Published(commitment, {seat: tuple(seeds_of_seat) for seat, seeds_of_seat in seeds.items()})
    proofs: list[JsonObject] = []
    for deal in range(1, over.match.deal + 1):
        answer = await engine.proof(over.id, deal, match=over.match.number)
        proofs.append(msgspec.json.decode(msgspec.json.encode(answer)))
    errors: list[str] = []
    for deal, proof in enumerate(proofs, 1):
        await asyncio.sleep(0)  # checking a deal blocks the event loop for about a millisecond
        try:
            errors += [_of_deal(deal, error) for error in _deal_errors(over, deal, proof, published)]
            if deal > 1:
                errors += [_of_deal(deal, error) for error in verify.errors_after(proof, proofs[deal - 2])]
        except (ValueError, LookupError, TypeError) as error:
            errors.append(_of_deal(deal, str(error)))
    points = [sum(of_seat) for of_seat in zip(*(proof["result"]["points"] for proof in proofs), strict=False)]
    if points != list(over.match.points):
        errors.append(say("the points of the deals do not add up to those of the match"))
    return errors


def _of_deal(deal: int, error: str) -> str:
    return say("deal {deal}: {error}", deal=deal, error=error)


def _deal_errors(over: Table, deal: int, proof: JsonObject, published: verify.Published) -> Iterable[str]:
    shown = {"table": over.id, "game": over.game, "rules": over.rules, "match": over.match.number, "deal": deal}
    shown["server_seed"] = over.match.server_seed
    yield from (say("`{name}` is not what the table shows", name=name) for name in shown if proof[name] != shown[name])
    if not verify.same(proof["start"]["options"], over.options):
        yield say("`options` are not those of the table")
    if len(proof["client_seeds"]) != len(over.seats):
        yield say("there is not one client seed for each seat")
    yield from verify.examine(proof, published).errors
