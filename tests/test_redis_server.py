"""Tests of the real servers that other tests run."""

import socket
from pathlib import Path
from threading import Timer

import pytest

from tests.redis_server import RedisServer, free_port

pytestmark = pytest.mark.slow

DRAWS = 500


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
