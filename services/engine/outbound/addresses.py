"""Checks the addresses to which the engine may send requests (protection against SSRF)."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

INTERNET6 = IPv6Network("2000::/3")
"""The only IPv6 range with public unicast addresses."""
NO_HOSTS = (IPv4Network("192.0.0.0/24"), IPv6Network("2001::/23"), IPv6Network("2002::/16"))
"""Ranges for protocols, which some versions of `ipaddress` count as public. They include Teredo and 6to4, whose
addresses lead to the IPv4 address that they contain.
"""
NAT64 = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that stand for the IPv4 address in their last 32 bits."""


def is_admitted(address: str, listed: Sequence[Network], *, internet: bool) -> bool:
    """Return whether the engine may connect to an address: in a listed network or, with `internet`, public."""
    meant = _meant(ip_address(address))
    return any(meant in network for network in listed) or (internet and _is_of_the_internet(meant))


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address stands for, or else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address


def _is_of_the_internet(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is public: not private, loopback, link-local, reserved or multicast."""
    if any(address in network for network in NO_HOSTS) or (address.version == 6 and address not in INTERNET6):
        return False
    return address.is_global and not address.is_multicast
