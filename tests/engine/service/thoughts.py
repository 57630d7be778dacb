"""Tasks for worker processes in tests; the processes import this file, so it imports nothing slow."""

import os
import signal
import time
from pathlib import Path


def niceness(_: bytes) -> bytes:
    return str(os.nice(0)).encode()


def own_id(_: bytes) -> bytes:
    return str(os.getpid()).encode()


def wait_for_file(path: bytes) -> bytes:
    """Return once the file exists."""
    while not Path(path.decode()).exists():
        time.sleep(0.01)
    return b""


def sleep(seconds: bytes) -> bytes:
    time.sleep(float(seconds))
    return b"slept"


def note(request: bytes) -> bytes:
    place, name = request.decode().split()
    with Path(place).open("a") as order:
        order.write(f"{name}\n")
    return b"noted"


def die(_: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def die_once(path: bytes) -> bytes:
    place = Path(path.decode())
    if place.exists():
        return b"alive"
    place.touch()
    return die(b"")


def fail(hand: bytes) -> bytes:
    raise ValueError(hand)


def take_memory(_: bytes) -> bytes:
    return bytes(1 << 31)
