"""From a path to the calls on it.

By hand: aiohttp's own application and router take some thirty steps for each request, a tenth of a look at a table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

C = TypeVar("C")


@dataclass(slots=True)
class _Place(Generic[C]):
    """Where a path has come to after some of its parts."""

    calls: dict[str, C] = field(default_factory=dict)
    """By their method."""
    fixed: dict[str, "_Place[C]"] = field(default_factory=dict)
    """Where the next part leads, if it is one of these words …"""
    named: "tuple[str, _Place[C]] | None" = None
    """… or else the name of what it stands for, and where that leads."""


class Paths(Generic[C]):
    """The tree of all paths. A part such as `{table}` stands for anything but nothing."""

    def __init__(self) -> None:
        self._root: _Place[C] = _Place()
        self._added: list[tuple[str, str]] = []

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield each method and path that was added."""
        return iter(self._added)

    def add(self, method: str, path: str, call: C) -> None:
        """Let a path lead to a call."""
        place = self._root
        for part in path.split("/"):
            place = _step(place, part)
        place.calls[method] = call
        self._added.append((method, path))

    def find(self, path: str) -> tuple[Mapping[str, C], dict[str, str]]:
        """Return the calls on a path by their method, none where it leads nowhere, and what its parts name."""
        place = self._root
        names: dict[str, str] = {}
        for part in path.split("/"):
            following = place.fixed.get(part)
            if following is None:
                if place.named is None or not part:
                    return {}, names
                name, following = place.named
                names[name] = part
            place = following
        return place.calls, names


def _step(place: _Place[C], part: str) -> _Place[C]:
    if not part.startswith("{"):
        return place.fixed.setdefault(part, _Place())
    if place.named is None:
        place.named = part[1:-1], _Place()
    return place.named[1]
