"""Was a deal dealt as it had been committed? The proof is a file, or it is fetched."""

import msgspec

from shared import verify
from shared.client import EngineClient


def check_file(path: str) -> int:
    """Check a proof in a file, `-` for standard input; return the exit code."""
    return verify.main([path])


async def check_table(engine: EngineClient, table: str, deal: int, match: int | None) -> int:
    """Check a deal of a table. Raises `EngineError`."""
    proof = msgspec.json.encode(await engine.proof(table, deal, match=match))
    return verify.check(proof.decode())
