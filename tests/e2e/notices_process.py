"""An engine process that retries notices after very short pauses."""

from services.engine import process
from services.engine.service import notifier
from services.engine.store import notices


def main(arguments: list[str]) -> int:
    """Run the engine; return the process's exit code."""
    notices.LEASE = 2_000
    notifier.FIRST_PAUSE = 200
    return process.main(arguments)
