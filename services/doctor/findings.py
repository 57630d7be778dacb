"""What a check of an installation finds: what is so, and what to do where that is not well."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. It holds no secret: it may be sent to whoever helps."""

    level: Level
    what: str
    todo: str = ""
    """What to do, where it is not well; empty otherwise."""

    def __str__(self) -> str:
        """Return the lines to print."""
        line = f"{self.level:<6} {self.what}"
        return f"{line}\n       → {self.todo}" if self.todo else line


def judged(well: bool, what: str, otherwise: str, todo: str, *, level: Level = "wrong") -> Finding:  # noqa: FBT001
    """Return that something is well, or what is the case otherwise, and what to do then."""
    return Finding("ok", what) if well else Finding(level, otherwise, todo)
