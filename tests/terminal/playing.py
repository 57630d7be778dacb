"""Input and output in tests of the commands."""

import json
import re
import stat
from pathlib import Path

from tests.terminal.pseudo_terminal import (
    PseudoTerminal,
)

TABLE = re.compile(r"locanda play --table (\S+)")


def link_in(screen: str) -> str:
    match = TABLE.search(screen)
    assert match, screen
    return match[1]


def against_computer(server: str) -> tuple[str, ...]:
    """Return the command-line arguments with which Mara plays against one computer player."""
    return ("play", "gatto_rosso", "--server", server, "--name", "Mara", "--computers", "1")


def saved_seat(home: Path) -> tuple[str, str]:
    """Return the table and the token of the only saved seat. Check that only the owner can read its file."""
    (file,) = (home / ".local/state/locanda/seats").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return file.stem, json.loads(file.read_bytes())["token"]


async def quit_playing(terminal: PseudoTerminal) -> str:
    """Quit the command, and return the link of the table."""
    terminal.type_line("q")
    assert await terminal.wait_for_exit() == 0
    return link_in(await terminal.wait_for("seat is kept"))
