"""The target of a request that the engine sends; requests under way are counted by target, not by server name."""

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from services.engine.outbound.addresses import Network, is_admitted

PUSH_SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")
"""The hosts of the push services of browsers, and those below them."""
LABELS = 2
"""Labels of a name that count. Of a suffix such as `co.uk`, under which strangers have names, all share one target:
an asker has fewer places than a target, so neighbours do not wait for each other, and no list of suffixes is needed."""


def host_of(url: str) -> str:
    """Return the host of a URL, empty without one."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def push_service_of(host: str) -> str | None:
    """Return the push service that a host belongs to, None for any other host."""
    return next((service for service in PUSH_SERVICES if f".{host}".endswith(f".{service}")), None)


def refusal_of(url: str, listed: Sequence[Network]) -> str | None:
    """Return why no request to a URL ever leaves; None if it may, or where only a lookup of its name can tell."""
    https = url.lower().startswith("https:")
    if not https and not listed:
        return "it must begin with https:"
    try:
        address = ip_address(host_of(url))
    except ValueError:
        return None
    return None if is_admitted(str(address), listed, internet=https) else "the engine sends nothing to this address"


def target_of(url: str) -> str:
    """Return the target of a request to a URL: a push service, an address, or the end of a name."""
    host = host_of(url).rstrip(".")
    try:
        return ip_address(host).compressed
    except ValueError:
        return push_service_of(host) or ".".join(host.split(".")[-LABELS:])
