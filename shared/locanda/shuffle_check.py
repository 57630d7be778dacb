"""A client's own check of a finished match: the proofs of its deals, against what its player saw and gave before."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct

from locanda import verify
from locanda.messages import JsonObject, Proof, Table
from locanda.verify import say


class ProofSource(Protocol):
    """The one method of `EngineClient` that the check needs."""

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> Proof:
        """Return the proof of a finished deal's shuffle. Raises `EngineError`."""
        ...


class KeptShuffle(Struct, frozen=True, omit_defaults=True):
    """A client's record of one match before its start: the commitment, and the seeds it gave for one seat."""

    commitment: str
    client_seeds: tuple[str, ...] = ()
    """All seeds that were sent: when answers were lost, it is unknown which of them the seat has."""
    confirmed: bool = False
    """Whether the engine has confirmed one of them; until then the seat may have none."""

    @property
    def possible_seeds(self) -> tuple[str, ...]:
        """The client seeds; the proof must contain one of them."""
        return self.client_seeds if self.confirmed else (*self.client_seeds, "")


async def match_errors(
    engine: ProofSource, over: Table, commitment: str, seeds: Mapping[int, Iterable[str]]
) -> list[str]:
    """Return a sentence for each part of a match's proofs that differs from what was shown; empty if all agree.

    `verify.translated` translates them. `over` is the table at the match's end, `commitment` what the table showed
    before the match, and `seeds` the client seeds by seat, one of which was given. Raises `EngineError` if the engine
    gives no proof.
    """
    published = verify.Published(commitment, {seat: tuple(seeds_of_seat) for seat, seeds_of_seat in seeds.items()})
    proofs: list[JsonObject] = []
    for deal in range(1, over.match.deal + 1):
        answer = await engine.proof(over.id, deal, match=over.match.number)
        proofs.append(msgspec.json.decode(msgspec.json.encode(answer)))
    errors: list[str] = []
    for deal, proof in enumerate(proofs, 1):
        await asyncio.sleep(0)  # a deal takes about a millisecond, which blocks the event loop
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
    """Yield the errors in the proof of one deal, in itself and compared with the table."""
    shown = {"table": over.id, "game": over.game, "rules": over.rules, "match": over.match.number, "deal": deal}
    shown["server_seed"] = over.match.server_seed
    yield from (say("`{name}` is not what the table shows", name=name) for name in shown if proof[name] != shown[name])
    if not verify.same(proof["start"]["options"], over.options):
        yield say("`options` are not those of the table")
    if len(proof["client_seeds"]) != len(over.seats):
        yield say("there is not one client seed for each seat")
    yield from verify.examine(proof, published).errors
