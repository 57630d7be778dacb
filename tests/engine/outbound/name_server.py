"""A name server on this machine.

Names resolve to this machine, but slow names get no answer, and some names do not exist.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import IPv4Address

LOCAL = IPv4Address("127.0.0.1")
HEAD = 12
"""The number of bytes before the question in a DNS message."""
A = 1
"""The type of DNS questions for IPv4 addresses."""
NOBODY = 3


class NameServer(asyncio.DatagramProtocol):
    """Answers questions about names.

    Names that begin with `slow` get no answer; names that begin with `nobody` do not exist.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.held: set[str] = set()
        """Names that were asked for and got no answer."""
        self.address = ""

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        """Keep the socket."""
        self._transport = transport
        self.address = "{}:{}".format(*transport.get_extra_info("sockname"))

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer a question."""
        name, end = _name(data)
        self.asked.add(name)
        if name.startswith("slow"):
            self.held.add(name)
            return
        question, kind = data[HEAD : end + 4], int.from_bytes(data[end : end + 2], "big")
        answers = int(kind == A and not name.startswith("nobody"))
        flags = 0x8180 | (NOBODY if name.startswith("nobody") else 0)
        head = data[:2] + b"".join(part.to_bytes(2, "big") for part in (flags, 1, answers, 0, 0))
        record = b"\xc0\x0c\x00\x01\x00\x01" + (60).to_bytes(4, "big") + b"\x00\x04" + LOCAL.packed
        self._transport.sendto(head + question + record * answers, addr)


def _name(data: bytes) -> tuple[str, int]:
    """Return the name in a question, and the position of its end."""
    labels, at = [], HEAD
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels).lower(), at + 1


@asynccontextmanager
async def name_server() -> AsyncIterator[NameServer]:
    """Run a name server on a free port."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(NameServer, (str(LOCAL), 0))
    try:
        yield server
    finally:
        transport.close()
