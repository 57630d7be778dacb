"""Identifies clients behind trusted proxies, checks API keys, and limits each client.

There are limits of writes per second, tables opened and seats taken per minute, listed tables, and simultaneous
questions to computer players. `admission` limits processor time.
"""

import hmac
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil
from typing import Any, Literal, TypeAlias

import structlog
from aiohttp import hdrs, web
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError

from services.common.redis_urls import REDIS_ERRORS, open_client
from services.engine.http.problems.responses import HttpProblemError
from services.engine.service.accounts import Group, group_of
from services.engine.service.administration import Administration
from services.engine.service.tokens import digest
from services.engine.settings import Network

# --- clients and API keys

API_KEY_HEADER = "X-API-Key"
API_KEY_CHALLENGE = {"WWW-Authenticate": f'ApiKey realm="tables", header="{API_KEY_HEADER}"'}

ACCOUNT_HEADER = "X-Account"
"""Header with the account of a request, from a client that acts for many people."""
ACCOUNTS_KEY_HEADER = "X-Accounts-Key"
ACCOUNT = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)

IPV6_CLIENT_BITS = 64
"""Prefix length that identifies an IPv6 client, who may use any address in that network."""


class Clients:
    """Identifies clients by address. A forwarding header counts only if a trusted proxy has sent it."""

    def __init__(
        self, trusted: Sequence[Network] = (), header: str = "X-Forwarded-For", accounts_key: str = ""
    ) -> None:
        self._trusted = trusted
        self._header = header
        self._accounts_key = digest(accounts_key) if accounts_key else b""
        self._unknown_key_logged = False

    def of(self, request: web.BaseRequest) -> str:
        """Return the key that identifies the client for limits.

        The key is the account that the request names, if the request has the right accounts key; else the client's IPv4
        address, or the network of its IPv6 address.
        """
        return self._account(request) or self._address(request)

    def group(self, client: str) -> Group:
        """Return the client's account, as a group of the fair queue."""
        return group_of(client, self._accounts_key)

    def peer(self, peername: object) -> str:
        """Return the client key of a socket's peer; empty for a trusted proxy, or without an address."""
        address = str(peername[0]) if isinstance(peername, tuple) and peername else ""
        return "" if self._trusts(address) else client_key(address)

    def _account(self, request: web.BaseRequest) -> str:
        """Return the account that a request names, if the request has the right accounts key; else empty."""
        name = request.headers.get(ACCOUNT_HEADER, "") if self._accounts_key else ""
        if not ACCOUNT.fullmatch(name):
            return ""
        key = digest(request.headers.get(ACCOUNTS_KEY_HEADER, ""))
        if hmac.compare_digest(key, self._accounts_key):
            return f"account {name}"
        if not self._unknown_key_logged:
            log.warning(
                "accounts_key_unknown", detail="a client names accounts with a key that is not ENGINE_ACCOUNTS_KEY"
            )
            self._unknown_key_logged = True
        return ""

    def _address(self, request: web.BaseRequest) -> str:
        remote = request.remote or ""
        return client_key(self._behind(request, remote) if self._trusted else remote)

    def _behind(self, request: web.BaseRequest, remote: str) -> str:
        """Return the client's address: from the engine backwards, the first address that is not a trusted proxy's."""
        hops = self._hops(request)
        while hops and self._trusts(remote) and parse_address(hops[-1]):
            remote = hops.pop()
        return remote

    def _hops(self, request: web.BaseRequest) -> list[str]:
        """Return the addresses in the configured header, the only one that clients cannot forge."""
        if self._header == "Forwarded":
            return [hop.get("for", "") for hop in request.forwarded]
        return ",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ())).split(",")

    def _trusts(self, hop: str) -> bool:
        address = parse_address(hop)
        return address is not None and any(address in network for network in self._trusted)


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """Return the client key of an address: an IPv4 address itself, or the network of an IPv6 address."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed) >> 128 - IPV6_CLIENT_BITS << 128 - IPV6_CLIENT_BITS, IPV6_CLIENT_BITS)))
    return str(parsed or "")


@lru_cache(maxsize=4096)
def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; None for other texts."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ip_address(text)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


class ApiKeys:
    """The API keys from settings and Redis, stored as SHA-256. If there are none, everybody may open tables."""

    def __init__(self, keys: Iterable[str], administration: Administration) -> None:
        self._digests = [digest(key) for key in keys]
        self._administration = administration

    @property
    def required(self) -> bool:
        """Whether opening a table needs a key."""
        return bool(self._digests or self._administration.set.keys)

    def require(self, key: str | None) -> None:
        """Refuse a request without a valid key, if keys are required; record when a key in Redis was used."""
        if not self.required:
            return
        named = [(name, api_key.digest) for name, api_key in self._administration.set.keys.items()]
        own_digest = digest(key or "")
        # Every key is compared, so that the time does not reveal which key matched.
        known = [*named, *(("", own) for own in self._digests)]
        matching = [name for name, own in known if hmac.compare_digest(own_digest, own)]
        if not matching:
            raise HttpProblemError("no_key", headers=API_KEY_CHALLENGE)
        for name in filter(None, matching):
            self._administration.note_use(name)


# --- limits

log = structlog.stdlib.get_logger("engine.http")

POLICY_HEADER = "RateLimit-Policy"
REMAINING_HEADER = "RateLimit"
REDIS_TIMEOUT = 0.5
"""Seconds after which a limit in Redis is ignored."""

UNLISTED_SECONDS = 60
"""`Retry-After` for a client with too many listed tables. The real time is unknown."""

LimitedAction: TypeAlias = Literal["tables", "seats"]
"""Actions limited to a number per minute."""


@dataclass(frozen=True, slots=True)
class LimitPolicy:
    """A limit, and how responses describe it (draft-ietf-httpapi-ratelimit-headers-11)."""

    name: str
    quota: int
    """Maximum number of actions in a window; 0 for no limit."""
    allowed: str
    """What the limit allows, in words, such as `open {quota} tables a minute`."""
    window: int | None = None
    """Length of the window in seconds; None for a limit of simultaneous requests."""

    def headers(self, remaining: int, reset: int | None = None) -> dict[str, str]:
        """Return the headers with the limit, the remaining quota, and the seconds until it resets."""
        scope = 'qu="concurrent-requests"' if self.window is None else f"w={self.window}"
        end = "" if reset is None else f";t={reset}"
        return {
            POLICY_HEADER: f'"{self.name}";q={self.quota};{scope}',
            REMAINING_HEADER: f'"{self.name}";r={max(0, remaining)}{end}',
        }

    def exceeded(self, wait: int) -> HttpProblemError:
        """Return the error for a client over the limit, which may retry after `wait` seconds."""
        headers = self.headers(0, None if self.window is None else wait)
        detail = f"a client may {self.allowed.format(quota=self.quota)}"
        return HttpProblemError("too_many_requests", detail, headers={"Retry-After": str(wait), **headers})


class ClientLimits:
    """Limits of each client. Tables and seats are counted in Redis for all replicas; the rest by each one."""

    def __init__(
        self,
        redis_url: str,
        *,
        tables: int = 0,
        seats: int = 0,
        writes: int = 0,
        thoughts: int = 0,
        listed: int = 0,
    ) -> None:
        self._storage = SharedStorage(redis_url) if redis_url else MemoryStorage()
        self._limiter = FixedWindowRateLimiter(self._storage)
        self._per_minute: dict[LimitedAction, LimitPolicy] = {
            "tables": LimitPolicy("tables", tables, "open {quota} tables a minute", 60),
            "seats": LimitPolicy("seats", seats, "take {quota} seats a minute", 60),
        }
        self.write = SecondCounter(LimitPolicy("writes", writes, "change a table {quota} times a second", 1)).count
        """Counts a write. Raises `ProblemError` `too_many_requests`."""
        self.thought = ThoughtCounter(thoughts).held
        """Counts a request to a computer player while the context lasts. Raises `ProblemError` `too_many_requests`."""
        self.listing = ListedTables(listed).listing
        """Counts a table that is being listed. Raises `ProblemError` `too_many_requests`."""

    async def spend(self, what: LimitedAction, client: str) -> dict[str, str]:
        """Count an action (unless Redis is down), and return the limit's headers. Raises `ProblemError` above it."""
        policy = self._per_minute[what]
        if not policy.quota:
            return {}
        item = RateLimitItemPerMinute(policy.quota)
        try:
            allowed = await self._limiter.hit(item, what, client)
            window = await self._limiter.get_window_stats(item, what, client)
        except StorageError as error:
            log.warning("limits_down", error=type(error.storage_error).__name__)
            return {}
        reset = max(1, ceil(window.reset_time - time.time()))
        if not allowed:
            raise policy.exceeded(reset)
        return policy.headers(window.remaining, reset)

    async def close(self) -> None:
        """Close the connections to Redis, or stop the timer of the in-memory counters."""
        if isinstance(self._storage, SharedStorage):
            await self._storage.close()
        elif self._storage.timer:
            self._storage.timer.cancel()


class SecondCounter:
    """Counts events by client or seat in the current second.

    The package `limits` is not used, since its in-memory storage restarts a thread after each idle moment. One count
    costs 2.6 µs in a tight loop, but over 80 µs at a thousand requests a second.
    """

    def __init__(self, policy: LimitPolicy) -> None:
        self._policy = policy
        self._counted: Counter[str] = Counter()
        self._until = 0.0

    def count(self, who: str) -> None:
        """Count an event. Raises `ProblemError` `too_many_requests` above the limit.

        Only that problem has the RateLimit headers, since they would be a large part of a small response (section 6.2
        of the draft).
        """
        if not self._policy.quota:
            return
        now = time.monotonic()
        if now >= self._until:
            self._counted.clear()
            self._until = now + 1
        self._counted[who] += 1
        if self._counted[who] > self._policy.quota:
            raise self._policy.exceeded(1)


class ThoughtCounter:
    """Counts each client's unanswered requests to computer players."""

    def __init__(self, quota: int) -> None:
        self._policy = LimitPolicy("thoughts", quota, "ask computer players {quota} questions at a time")
        self._held: Counter[Group] = Counter()

    @contextmanager
    def held(self, account: Group) -> Iterator[None]:
        """Count a request while the context lasts. Raises `ProblemError` `too_many_requests` above the limit."""
        if self._policy.quota and self._held[account] >= self._policy.quota:
            raise self._policy.exceeded(1)
        self._held[account] += 1
        try:
            yield
        finally:
            self._held[account] -= 1
            if not self._held[account]:
                del self._held[account]


class ListedTables:
    """Limits how many tables of a client are listed at a time, open or in play. The lists are in Redis."""

    def __init__(self, quota: int) -> None:
        self._policy = LimitPolicy("listed", quota, "list {quota} tables at a time")
        self._listing: Counter[Group] = Counter()
        """Number of tables being listed now, by client."""

    @asynccontextmanager
    async def listing(self, group: Group, count: Callable[[Group], Awaitable[int]]) -> AsyncIterator[None]:
        """Let a client list a table while the context lasts; `count` returns how many it lists already."""
        self._listing[group] += 1
        try:
            if self._policy.quota and await count(group) + self._listing[group] > self._policy.quota:
                raise self._policy.exceeded(UNLISTED_SECONDS)
            yield
        finally:
            self._listing[group] -= 1
            self._listing += Counter()


class SharedStorage(RedisStorage):
    """Storage of the package `limits`, in Redis at any URL that the settings accept."""

    def __init__(self, redis_url: str) -> None:
        self._client = open_client(
            redis_url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT, driver_info=None
        )
        # The library accepts fewer forms of URL than our settings. So it gets a simple URL, and then our own client.
        super().__init__("async+redis://", wrap_exceptions=True, implementation="redispy", key_prefix="locanda:limits")

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """The errors of a Redis client, including those of a cluster."""
        return REDIS_ERRORS

    def configure_bridge(self) -> None:
        """Pass our Redis client to the library."""
        bridge: Any = self.bridge  # the attributes of `bridge` are typed for the library's own clients
        bridge.storage = self._client
        bridge.connection_getter = lambda _readonly: self._client

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
