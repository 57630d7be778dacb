"""The memory limit of a process."""

import os
from collections.abc import Iterator
from pathlib import Path

FILES = {"": ("sys/fs/cgroup", "memory.max"), "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes")}
"""By controller (empty for version 2 of cgroups), the folder of its groups and the file with a group's limit."""


def usable_memory(root: Path = Path("/")) -> int:
    """Return the bytes of this machine's memory, or fewer where a container or a unit of systemd may have fewer."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits(root)])


def _limits(root: Path) -> Iterator[int]:
    groups = root / "proc" / "self" / "cgroup"
    for line in groups.read_text().splitlines() if groups.exists() else ():
        _, controllers, path = line.split(":", 2)
        for controller in FILES.keys() & set(controllers.split(",")):
            folder, name = FILES[controller]
            group = root / folder / path.lstrip("/")
            for group_folder in (group, *group.parents):  # the limits of all groups above it hold, too
                limit = group_folder / name
                if limit.is_file() and (text := limit.read_text().strip()).isdecimal():
                    yield int(text)
