"""Whom a request of the engine's own goes to: what counts requests under way, however many names a server has."""

from ipaddress import ip_address
from urllib.parse import urlsplit

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


def target_of(url: str) -> str:
    """Return the target of a request to a URL: a push service, an address, or the end of a name."""
    host = host_of(url).rstrip(".")
    try:
        return ip_address(host).compressed
    except ValueError:
        return push_service_of(host) or ".".join(host.split(".")[-LABELS:])
