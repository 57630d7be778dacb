"""The engine's settings, from environment variables."""

from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_network
from typing import Annotated, ClassVar, Literal, TypeVar

from msgspec import Meta

from locanda.games.registry import GAME_NAMES
from locanda.messages.own_players import OwnPlayer, read_own_player
from services.common import settings
from services.common.redis_urls import RedisUrl
from services.common.settings import COMMON_EXPECTATIONS, SettingsError
from services.engine.outbound.addresses import Network

__all__ = ["EngineSettings", "Network", "SettingsError", "comma_separated", "load", "networks"]

KEY = "[\\x21-\\x2b\\x2d-\\x7e]{16,128}"
ADMIN_KEY = "[A-Za-z0-9._~+/-]{16,126}={0,2}"
T = TypeVar("T")
ORIGIN = "https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?"
MOST_PLAYERS = 12
"""Maximum number of own players in the settings, and separately of those that operators have added. A chat has room for
that many buttons.
"""


class EngineSettings(settings.ServiceSettings, frozen=True, kw_only=True):
    """The engine's settings. The environment variables have the same names in capitals."""

    EXPECTATIONS: ClassVar[Mapping[str, str]] = COMMON_EXPECTATIONS | {
        "engine_replicas": "must be a number from 0 to 9",
        "engine_host": "must be an address to listen on",
        "engine_port": "must be a port from 0 to 65535",
        "engine_workers": "must be a number of processes from 1 to 64",
        "engine_metrics_port": "must be a port from 1 to 65535, or 0 for none",
        "engine_think_ms": "must be a number of milliseconds from 0 to 60000",
        "engine_think_workers": "must be a number of processes from 0 to 64",
        "engine_think_cpu_ms": "must be a number of milliseconds from 1 to 1000",
        "engine_review_iterations": "must be a number from 100 to 100000",
        "engine_tables_per_minute": "must be a number from 0 (no limit) to 1000000",
        "engine_seats_per_minute": "must be a number from 0 (no limit) to 1000000",
        "engine_listed_tables": "must be a number from 0 (no limit) to 1000000",
        "engine_client_mb": "must be a number of megabytes from 0 (no limit) to 1000000",
        "engine_client_cpu_ms": "must be a number of milliseconds from 0 (no limit) to 1000",
        "engine_writes_per_second": "must be a number from 0 (no limit) to 1000000",
        "engine_streams": "must be a number from 0 (no limit) to 1000000",
        "engine_thoughts": "must be a number from 0 (no limit) to 1000000",
        "engine_request_seconds": "must be a number of seconds from 0.1 to 3600",
        "engine_api_keys": "must be keys of 16 to 128 printable ASCII characters, separated by commas, or empty",
        "engine_accounts_key": "must be a key of 16 to 128 letters, digits and ._~+/=-, or empty",
        "engine_admin_key": "must be a key of 16 to 128 letters, digits and ._~+/=-, or empty",
        "engine_cors_origins": "must be origins such as https://example.org, separated by commas, or *, or empty",
        "engine_web": "must be a folder with an index.html, or empty",
        "engine_players": "must be up to 12 players such as ada=https://bots.example/, separated by commas, or empty",
        "engine_own_players": "must be on or off",
        "engine_outbound_private": "must be networks such as 10.0.0.0/8, separated by commas, or empty",
        "engine_webhooks": "must be on or off",
        "engine_push": "must be on or off",
        "engine_trusted_proxies": "must be networks such as 10.0.0.0/8, separated by commas, or empty",
        "engine_proxy_header": "must be X-Forwarded-For or Forwarded",
    }

    redis_url: RedisUrl = ""
    """A server, a cluster, or sentinels. Empty: a store inside the process, whose games end with it."""
    engine_replicas: Annotated[int, Meta(ge=0, le=9)] = 0
    """Number of Redis replicas that must hold a write before it is confirmed."""
    engine_host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    """Address to listen on: this machine only, or 0.0.0.0 for every network."""
    engine_port: Annotated[int, Meta(ge=0, le=65_535)] = 8080
    """Port of the API and the page."""
    engine_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of engine processes; one for each core that Redis and the bot leave free."""
    engine_metrics_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """With several processes: the first one's metrics port; the others use the next ones."""
    engine_think_ms: Annotated[int, Meta(ge=0, le=60_000)] = 1000
    """Time before a computer player moves. Below 3 × `ENGINE_THINK_CPU_MS`, it reveals whether there was a choice."""
    engine_think_workers: Annotated[int, Meta(ge=0, le=64)] = 0
    """Number of search processes, besides one for moves at tables and hints; 0 for cores minus one."""
    engine_think_cpu_ms: Annotated[int, Meta(ge=1, le=1000)] = 200
    """Processor time for a move of level `hard`."""
    engine_review_iterations: Annotated[int, Meta(ge=100, le=100_000)] = 2000
    """Number of simulations in a deal's review, shared among its moves."""
    engine_tables_per_minute: Annotated[int, Meta(ge=0, le=1_000_000)] = 300
    """Tables that a client may open per minute."""
    engine_seats_per_minute: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    """Seats that a client may take per minute, for people or computer players."""
    engine_listed_tables: Annotated[int, Meta(ge=0, le=1_000_000)] = 40
    """Tables of a client that may be listed at the same time, open or in play."""
    engine_client_mb: Annotated[int, Meta(ge=0, le=1_000_000)] = 16
    """Megabytes of Redis for a client's tables, with logs, stored responses, subscriptions and evenings."""
    engine_client_cpu_ms: Annotated[int, Meta(ge=0, le=1000)] = 250
    """Event loop time for a client each second: a move takes 0.3 ms, a read 0.1, an event 0.01."""
    engine_writes_per_second: Annotated[int, Meta(ge=0, le=1_000_000)] = 20
    """Writes per second for a seat."""
    engine_streams: Annotated[int, Meta(ge=0, le=1_000_000)] = 2000
    """Event streams and long polls of a client at one engine."""
    engine_thoughts: Annotated[int, Meta(ge=0, le=1_000_000)] = 4
    """Suggestions, play-outs, hints, reviews and plans of rounds that a client may request at once."""
    engine_request_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 20.0
    """Time for a client to send a request's head, and again for its body."""
    engine_api_keys: Annotated[str, Meta(pattern=f"^({KEY}(\\s*,\\s*{KEY})*)?$")] = ""
    """Keys whose holders may open tables. Empty: anyone may."""
    engine_accounts_key: Annotated[str, Meta(pattern=f"^({ADMIN_KEY})?$")] = ""
    """Lets the bot charge each request to a chat. `make run` and `make up` create one. Empty: none."""
    engine_admin_key: Annotated[str, Meta(pattern=f"^({ADMIN_KEY})?$")] = ""
    """Key of `locanda admin` and its API. Empty: the API is disabled."""
    engine_cors_origins: Annotated[str, Meta(pattern=f"^(\\*|{ORIGIN}(\\s*,\\s*{ORIGIN})*)?$")] = ""
    """Origins whose pages may use the API from a browser; `*` for all."""
    engine_web: str = ""
    """Folder of the page for browsers; `make run`, docker compose and systemd set it."""
    engine_players: str = ""
    """The host's own players: `name=URL` or `name:game=URL`, then a secret (docs/own-players.md)."""
    engine_own_players: Literal["on", "off"] = "off"
    """Whether people may bring own players to their tables, by URL."""
    engine_outbound_private: str = ""
    """Your own networks to which the engine may send requests, also by http."""
    engine_webhooks: Literal["on", "off"] = "off"
    """Whether people may have notices of their table sent to their server."""
    engine_push: Literal["on", "off"] = "on"
    """Whether people may have notices pushed to their browser, through its push service."""
    engine_trusted_proxies: str = ""
    """Proxies whose forwarding header is trusted. Empty: clients connect directly."""
    engine_proxy_header: Literal["X-Forwarded-For", "Forwarded"] = "X-Forwarded-For"
    """Header in which proxies name the client."""


def load(environment: Mapping[str, str]) -> EngineSettings:
    """Return the engine's settings. Raises `SettingsError` for an invalid value."""
    engine_settings = settings.read(EngineSettings, environment)
    players = _read(engine_settings, "engine_players", own_players)
    if any(player.game not in (None, *GAME_NAMES) for player in players):
        raise SettingsError(f"ENGINE_PLAYERS names a game that is not here: there are {', '.join(GAME_NAMES)}.")
    for name in ("engine_outbound_private", "engine_trusted_proxies"):
        _read(engine_settings, name, networks)
    return engine_settings


def _read(engine_settings: EngineSettings, name: str, read: Callable[[str], Sequence[T]]) -> Sequence[T]:
    """Return the parsed value of a setting. Raises `SettingsError` if `read` fails."""
    try:
        return read(getattr(engine_settings, name))
    except ValueError:
        raise SettingsError(f"{name.upper()} {EngineSettings.EXPECTATIONS[name]}.") from None


def comma_separated(value: str) -> list[str]:
    """Return the parts of a comma-separated setting."""
    return [part.strip() for part in value.split(",") if part.strip()]


def own_players(value: str) -> list[OwnPlayer]:
    """Return the own players in a setting. Raises `ValueError` if the text is malformed."""
    players = [read_own_player(part) for part in comma_separated(value)]
    if len(players) > MOST_PLAYERS:
        raise ValueError("these are too many")
    return players


def networks(value: str) -> tuple[Network, ...]:
    """Return the networks in a comma-separated setting. Raises `ValueError` for a part that is no network."""
    return tuple(ip_network(part) for part in comma_separated(value))
