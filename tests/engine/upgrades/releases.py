"""Future releases: copies of the current code with textual changes, run as separate engines."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
STATE, CODEC = "services/engine/table/state.py", "services/engine/service/codec.py"
SEATING, OPTIONS = "services/engine/table/seating.py", "shared/locanda/games/gatto_rosso/types.py"

Changes = Mapping[str, tuple[tuple[str, str], ...]]
"""For each file, pairs of a text and its replacement."""

ADDED_FIELD: Changes = {
    STATE: (("    @property\n    def id(self)", "    mood: int = 0\n\n    @property\n    def id(self)"),),
    SEATING: (("        events=(msgspec", "        mood=7,\n        events=(msgspec"),),
}
"""Adds a field at the end of the table. The previous release keeps it, because the form stays the same."""
ADDED_OPTION: Changes = {
    OPTIONS: (
        (
            "    deals: Annotated[Deals",
            "    lucky: Annotated[bool, Meta(title='Lucky', description='Lucky.')] = False\n    deals: Annotated[Deals",
        ),
    ),
    CODEC: (
        ("FORM = 4\n", "FORM = 5\n"),
        ("    return 2 if leveled", "    return 5 if getattr(table.options, 'lucky', False) else 2 if leveled"),
    ),
}
"""Adds an option. A table that uses it is stored in a higher form."""


def make_release(directory: Path, *changes: Changes) -> Path:
    """Copy the current code with its compiled files, and apply the changes."""
    for name in ("services", "shared"):
        shutil.copytree(ROOT / name, directory / name)
    for file, replacements in (pair for change in changes for pair in change.items()):
        path = directory / file
        text = path.read_text()
        for old, new in replacements:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        path.write_text(text)
    return directory


@asynccontextmanager
async def engine_process(release: Path, redis_url: str, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the engine of a release, and kill it at the end."""
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.engine",
        cwd=release,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{release}{os.pathsep}{release / 'shared'}",
            "REDIS_URL": redis_url,
            "ENGINE_PORT": str(port),
            "ENGINE_HOST": "127.0.0.1",
            "ENGINE_THINK_MS": "0",
            "ENGINE_REQUESTS_PER_SECOND": "0",
            "ENGINE_CLIENT_CPU_MS": "0",
            "ENGINE_WRITES_PER_SECOND": "0",
            "LOG_LEVEL": "error",
        },
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
