"""Target of an outgoing request: the unit of limits on simultaneous requests, coarser than a host name."""

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from services.engine.outbound.addresses import Network, is_admitted

PUSH_SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")
"""Hosts of the browsers' push services; their subdomains count too."""
LABELS = 2
"""How many labels at the end of a host name count. Below a suffix such as `co.uk`, unrelated hosts share a target. That
does little harm, since one caller can use only some of a target's request slots; and no list of suffixes is needed."""


def host_of(url: str) -> str:
    """Return the host of a URL; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def push_service_of(host: str) -> str | None:
    """Return the push service that a host belongs to, or None."""
    return next((service for service in PUSH_SERVICES if f".{host}".endswith(f".{service}")), None)


def refusal_of(url: str, listed: Sequence[Network]) -> str | None:
    """Return why requests to a URL are never sent; None if they may be, or if that depends on how its name resolves."""
    https = url.lower().startswith("https:")
    if not https and not listed:
        return "it must begin with https:"
    try:
        address = ip_address(host_of(url))
    except ValueError:
        return None
    return None if is_admitted(str(address), listed, internet=https) else "the engine sends nothing to this address"


def target_of(url: str) -> str:
    """Return the target of a URL: a push service, an address, or the last labels of the host name."""
    host = host_of(url).rstrip(".")
    try:
        return ip_address(host).compressed
    except ValueError:
        return push_service_of(host) or ".".join(host.split(".")[-LABELS:])
