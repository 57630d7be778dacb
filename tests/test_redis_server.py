"""Tests of the helpers that run real servers for tests."""

import socket
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from tests.forked import ROOT
from tests.redis_server import RedisServer, ask, free_port, until

pytestmark = pytest.mark.slow

DRAWS = 500
TESTS = """
import sys, time
from pathlib import Path
from tests.redis_server import RedisServer

server = RedisServer(Path(sys.argv[1]))
server.start()
print(server.port, flush=True)
time.sleep(600)
"""


def test_a_free_port_is_given_to_nobody_else_and_opens_for_a_server_that_names_it() -> None:
    ports = [free_port() for _ in range(DRAWS)]

    assert len(set(ports)) == DRAWS
    for port in ports:
        socket.create_server(("127.0.0.1", port)).close()


def test_a_server_starts_again_though_its_port_is_taken_for_a_moment(tmp_path: Path) -> None:
    server = RedisServer(tmp_path)
    other = socket.create_server(("127.0.0.1", server.port))
    Timer(0.3, other.close).start()
    server.start()
    assert server.ask("PING").startswith("+PONG")
    server.kill()


def test_a_server_ends_with_tests_that_are_killed(tmp_path: Path) -> None:
    tests = subprocess.Popen([sys.executable, "-c", TESTS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert tests.stdout is not None
    port = int(tests.stdout.readline())
    assert ask(port, "PING").startswith("+PONG")
    tests.kill()
    tests.communicate()
    until(lambda: not _serves(port))


def _serves(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
