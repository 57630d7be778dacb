"""Where the commands keep files of their own."""

from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of what the commands keep (XDG Base Directory Specification: a relative path is ignored)."""
    given = Path(environment.get("XDG_STATE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".local" / "state") / "locanda"
