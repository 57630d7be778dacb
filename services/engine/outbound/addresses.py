"""Addresses that the engine may connect to with its own requests to other people's servers."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

INTERNET6 = IPv6Network("2000::/3")
"""The only addresses of IPv6 that are given to hosts of the internet."""
NO_HOSTS = (IPv4Network("192.0.0.0/24"), IPv6Network("2001::/23"), IPv6Network("2002::/16"))
"""Addresses of protocols, which `ipaddress` takes for the internet's in some versions of Python; among them Teredo and
6to4, whose addresses lead to one of IPv4 that they contain."""
NAT64 = IPv6Network("64:ff9b::/96")
"""Networks of IPv6 addresses that stand for the IPv4 address in their last 32 bits."""


def is_admitted(address: str, listed: Sequence[Network], *, internet: bool) -> bool:
    """Whether the engine connects to an address: one in a listed network, or, with `internet`, one of the internet."""
    meant = _meant(ip_address(address))
    return any(meant in network for network in listed) or (internet and _is_of_the_internet(meant))


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the address of IPv4 that one of IPv6 stands for, or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address


def _is_of_the_internet(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to one internet host: not private, loopback, link-local, reserved or multicast."""
    if any(address in network for network in NO_HOSTS) or (address.version == 6 and address not in INTERNET6):
        return False
    return address.is_global and not address.is_multicast
