"""The memory available to a process."""

import os
from collections.abc import Iterator
from pathlib import Path

FILES = {"": ("sys/fs/cgroup", "memory.max"), "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes")}
"""Folder of the groups, and name of the file with a group's limit, by cgroup controller (empty for cgroups version 2).
"""


def usable_memory(root: Path = Path("/")) -> int:
    """Return this machine's memory in bytes, or less if a container or systemd unit limits it."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits(root)])


def _limits(root: Path) -> Iterator[int]:
    groups = root / "proc" / "self" / "cgroup"
    for line in groups.read_text().splitlines() if groups.exists() else ():
        _, controllers, path = line.split(":", 2)
        for controller in FILES.keys() & set(controllers.split(",")):
            folder, name = FILES[controller]
            group = root / folder / path.lstrip("/")
            for group_folder in (group, *group.parents):  # the limits of parent groups apply as well
                limit = group_folder / name
                if limit.is_file() and (text := limit.read_text().strip()).isdecimal():
                    yield int(text)
