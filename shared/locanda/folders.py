"""The folders of the commands' own files."""

from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder for the commands' files (XDG Base Directory Specification: a relative path is ignored)."""
    folder = Path(environment.get("XDG_STATE_HOME", ""))
    return (folder if folder.is_absolute() else Path.home() / ".local" / "state") / "locanda"
