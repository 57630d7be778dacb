"""The folder in which the commands keep files, such as saved seats."""

from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return its path: `locanda` in XDG_STATE_HOME if that is an absolute path, otherwise in ~/.local/state."""
    folder = Path(environment.get("XDG_STATE_HOME", ""))
    return (folder if folder.is_absolute() else Path.home() / ".local" / "state") / "locanda"
