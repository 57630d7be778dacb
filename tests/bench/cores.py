"""Which process runs on which core, and what it has used of it."""

import os
from pathlib import Path

SERVER = 0
OTHERS = 1
TICKS = os.sysconf("SC_CLK_TCK")


def pin(pid: int, core: int) -> None:
    """Let a process run on one core alone; where there are fewer, anywhere."""
    if core in os.sched_getaffinity(0):
        os.sched_setaffinity(pid, {core})


def seconds_used(pid: int) -> float:
    """Return the processor time of a process so far: its own and the kernel's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
