"""Addresses and networks, as proxies and settings write them."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

SITE = 64
"""The bits of an IPv6 address that tell customers apart: each has as many addresses as he likes behind them."""


def networks(text: str) -> tuple[Network, ...]:
    """Return the networks of a list with commas between them. Raises `ValueError`."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


@lru_cache(maxsize=4096)
def site(told: str) -> str:
    """Return by what the holder of an address is known: the address itself; of IPv6, the network."""
    found = address(told)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found) >> 128 - SITE << 128 - SITE, SITE)))
    return str(found or "")


@lru_cache(maxsize=4096)
def address(told: str) -> Address | None:
    """Return the address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`, none of anything else."""
    text = told.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
