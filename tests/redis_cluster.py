"""A real Redis Cluster for tests on loopback: three primaries with replicas, which tests may kill and restart.

Its methods block, so tests call them before the loop runs, or in a thread.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.redis_server import RedisServer, free_port, running_redis, until

PRIMARIES = 3
SLOTS = 16_384
NODE_TIMEOUT = 1500
"""Milliseconds after which a silent node counts as dead."""


class Cluster:
    """Servers that share all slots."""

    def __init__(self, nodes: Sequence[RedisServer]) -> None:
        self.nodes = nodes
        self.url = f"redis+cluster://127.0.0.1:{nodes[0].port}"

    @property
    def alive(self) -> list[RedisServer]:
        """The running nodes."""
        return [node for node in self.nodes if node.alive]

    def primary_of(self, key: str) -> RedisServer:
        """Return the node that serves a key. Other nodes answer with a redirection."""
        return next(node for node in self.alive if node.ask(f"EXISTS {key}").startswith(":"))

    def replica_of(self, primary: RedisServer) -> RedisServer:
        """Return the node that replicates a primary."""
        return next(node for node in self.alive if f"master_port:{primary.port}" in node.ask("INFO replication"))

    def settled(self) -> None:
        """Wait until every slot is served, every running replica follows its primary, and no node rewrites its file.

        A primary that restarts believes that it is still a primary until the other nodes correct it.
        """
        until(lambda: all("cluster_state:ok" in node.ask("CLUSTER INFO") for node in self.alive))
        until(lambda: self._in_place([node.ask("INFO replication") for node in self.alive]))
        until(lambda: all("aof_rewrite_in_progress:0" in node.ask("INFO persistence") for node in self.alive))

    def _in_place(self, replies: Sequence[str]) -> bool:
        primaries = [replication for replication in replies if "role:master" in replication]
        replicas = [replication for replication in replies if "master_link_status:up" in replication]
        followers = sum(primary.count("state=online") for primary in primaries)
        return (len(primaries), len(replicas)) == (PRIMARIES, len(replies) - PRIMARIES) and followers == len(replicas)


@contextmanager
def running_cluster(directory: Path, replicas: int = 1) -> Iterator[Cluster]:
    """Run a cluster with this number of replicas for each primary."""
    with ExitStack() as stack:
        buses = [free_port() for _ in range(PRIMARIES * (1 + replicas))]
        nodes = [stack.enter_context(running_redis(_directory(directory, bus), *_settings(bus))) for bus in buses]
        _form(nodes, buses)
        cluster = Cluster(nodes)
        cluster.settled()
        yield cluster


@pytest.fixture
def mortal_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster for one test, which the test may damage."""
    with running_cluster(tmp_path) as cluster:
        yield cluster


def _directory(directory: Path, bus: int) -> Path:
    path = directory / str(bus)
    path.mkdir()
    return path


def _settings(bus: int) -> list[str]:
    settings = {
        "cluster-enabled": "yes",
        "cluster-port": str(bus),
        "cluster-node-timeout": str(NODE_TIMEOUT),
        "cluster-replica-validity-factor": "0",
        "cluster-allow-replica-migration": "no",
        "repl-diskless-sync-delay": "0",
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def _form(nodes: Sequence[RedisServer], buses: Sequence[int]) -> None:
    first, *others = nodes
    for node in others:
        _ok(node.ask(f"CLUSTER MEET 127.0.0.1 {first.port} {buses[0]}"))
    for number, primary in enumerate(nodes[:PRIMARIES]):
        begin, end = (SLOTS * edge // PRIMARIES for edge in (number, number + 1))
        _ok(primary.ask(f"CLUSTER ADDSLOTSRANGE {begin} {end - 1}"))
    for number, replica in enumerate(nodes[PRIMARIES:]):
        identity = nodes[number % PRIMARIES].ask("CLUSTER MYID").split()[1]
        until(partial(_follows, replica, identity))
    until(lambda: all(f"cluster_known_nodes:{len(nodes)}" in node.ask("CLUSTER INFO") for node in nodes))


def _follows(replica: RedisServer, primary: str) -> bool:
    """Make a node a replica of another one, as soon as it knows that node."""
    return replica.ask(f"CLUSTER REPLICATE {primary}").startswith("+OK")


def _ok(reply: str) -> None:
    assert reply.startswith("+OK"), reply
