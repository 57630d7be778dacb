"""The amount of memory that a process may use, limited by the machine and by its container."""

from pathlib import Path

import pytest

from services.common.memory import usable_memory


@pytest.mark.parametrize(
    ("groups", "file", "limit", "usable"),
    [
        ("0::/", "sys/fs/cgroup/memory.max", "1073741824\n", 1 << 30),
        ("0::/locanda.slice/engine.service", "sys/fs/cgroup/locanda.slice/memory.max", "1048576\n", 1 << 20),
        ("0::/docker/abc", "sys/fs/cgroup/memory.max", "1048576\n", 1 << 20),
        ("0::/", "sys/fs/cgroup/memory.max", "max\n", None),
        ("5:cpu:/\n4:hugetlb,memory:/docker/abc", "sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n", 1 << 20),
        ("5:memory:/", "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n", None),
    ],
)
def test_the_limit_of_a_container_counts_where_it_is_less_than_the_machine(
    tmp_path: Path, groups: str, file: str, limit: str, usable: int | None
) -> None:
    for name, text in (("proc/self/cgroup", groups), (file, limit)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert usable_memory(tmp_path) == (usable or usable_memory(tmp_path / "nothing"))
