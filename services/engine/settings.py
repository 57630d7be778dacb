"""The engine's settings, from the environment."""

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
"""The most own players in the settings, and as many added by operators: a chat has room for that many buttons."""


class EngineSettings(settings.ServiceSettings, frozen=True, kw_only=True):
    """The engine's settings; the names in the environment are these in capitals."""

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
        "engine_api_keys": "must be keys of 16 to 128 printable ASCII characters, with commas between them, or empty",
        "engine_accounts_key": "must be a key of 16 to 128 letters, digits and ._~+/=-, or empty",
        "engine_admin_key": "must be a key of 16 to 128 letters, digits and ._~+/=-, or empty",
        "engine_cors_origins": "must be origins such as https://example.org, with commas between them, or *, or empty",
        "engine_web": "must be a folder with an index.html, or empty",
        "engine_players": "must be up to 12 players such as ada=https://bots.example/, with commas between, or empty",
        "engine_own_players": "must be on or off",
        "engine_outbound_private": "must be networks such as 10.0.0.0/8, with commas between them, or empty",
        "engine_webhooks": "must be on or off",
        "engine_push": "must be on or off",
        "engine_trusted_proxies": "must be networks such as 10.0.0.0/8, with commas between them, or empty",
        "engine_proxy_header": "must be X-Forwarded-For or Forwarded",
    }

    redis_url: RedisUrl = ""
    """One server, a cluster, or the primary that sentinels name. Empty: the store is inside the process, and games last
    as long as it does; `make run` and docker compose bring a Redis of their own."""
    engine_replicas: Annotated[int, Meta(ge=0, le=9)] = 0
    """How many replicas of Redis must hold a transition before it is confirmed."""
    engine_host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    """Where the engine listens: this machine alone, or 0.0.0.0 for all who reach it."""
    engine_port: Annotated[int, Meta(ge=0, le=65_535)] = 8080
    """The port of the API and the page."""
    engine_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many processes serve at the address; one for each core, of those that Redis and the bot leave."""
    engine_metrics_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """With several processes: a port of the first one, for its metrics; the others have the next ports. 0 for none."""
    engine_think_ms: Annotated[int, Meta(ge=0, le=60_000)] = 1000
    """How long computer players seem to think. The search goes on within this time: with less than three times
    `ENGINE_THINK_CPU_MS`, the time of a move tells whether the player had a choice."""
    engine_think_workers: Annotated[int, Meta(ge=0, le=64)] = 0
    """How many processes search for computer players, beside one that takes only moves at tables and hints; 0
    for one less than there are cores."""
    engine_think_cpu_ms: Annotated[int, Meta(ge=1, le=1000)] = 200
    """How much processor time `hard` may take for a move."""
    engine_review_iterations: Annotated[int, Meta(ge=100, le=100_000)] = 2000
    """How many simulations a review of a deal takes in all, shared out among its moves."""
    engine_tables_per_minute: Annotated[int, Meta(ge=0, le=1_000_000)] = 300
    """How many tables a client may open a minute."""
    engine_seats_per_minute: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    """How many seats a client may take a minute, for people or computer players."""
    engine_listed_tables: Annotated[int, Meta(ge=0, le=1_000_000)] = 40
    """How many tables that a client has opened may be in the list at a time, those in play included."""
    engine_client_mb: Annotated[int, Meta(ge=0, le=1_000_000)] = 16
    """How many megabytes of Redis the tables that a client has opened may take, with their logs, answers, subscriptions
    and evenings."""
    engine_client_cpu_ms: Annotated[int, Meta(ge=0, le=1000)] = 250
    """How many milliseconds of processor time an engine spends for a client each second, on its event loop: a move
    takes some 0.3, a look 0.1, an event for a listener 0.01."""
    engine_writes_per_second: Annotated[int, Meta(ge=0, le=1_000_000)] = 20
    """How often a seat may change its table a second."""
    engine_streams: Annotated[int, Meta(ge=0, le=1_000_000)] = 2000
    """How many event streams and long polls a client may hold at an engine."""
    engine_thoughts: Annotated[int, Meta(ge=0, le=1_000_000)] = 4
    """How many things a client may ask of the processes at a time: suggestions, play-outs, hints, reviews,
    plans of rounds."""
    engine_request_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 20.0
    """How long a client may take to send the head of a request, and how long to send its body."""
    engine_api_keys: Annotated[str, Meta(pattern=f"^({KEY}(\\s*,\\s*{KEY})*)?$")] = ""
    """Keys that allow their holders to open tables; empty for everybody."""
    engine_accounts_key: Annotated[str, Meta(pattern=f"^({ADMIN_KEY})?$")] = ""
    """The key of clients that act for many people, such as the bot: each of their requests may name the account to
    which it is charged. Empty for none; `make run` and `make up` make one for the bot."""
    engine_admin_key: Annotated[str, Meta(pattern=f"^({ADMIN_KEY})?$")] = ""
    """The key of `locanda admin`, and of the API behind it; empty for none: then nobody has such calls."""
    engine_cors_origins: Annotated[str, Meta(pattern=f"^(\\*|{ORIGIN}(\\s*,\\s*{ORIGIN})*)?$")] = ""
    """The origins whose pages may use the API from a browser; `*` for all, empty for none."""
    engine_web: str = ""
    """The folder of the page that is served to browsers; `make run`, docker compose and systemd set it. Empty
    for none."""
    engine_players: str = ""
    """Own players, servers that choose moves (docs/own-players.md): of each its name, `:` and its game if it plays but
    one, its address, and the secret with which requests to it are signed, if there is one."""
    engine_own_players: Literal["on", "off"] = "off"
    """Whether people may bring own players to their tables, by the addresses of their servers."""
    engine_outbound_private: str = ""
    """Networks of your own whose servers the engine may send requests to, by http too; empty for none. Without them it
    reaches servers of the internet alone, by https."""
    engine_webhooks: Literal["on", "off"] = "off"
    """Whether people at tables may have notices of their table sent to a server of theirs."""
    engine_push: Literal["on", "off"] = "on"
    """Whether people at tables may have notices of their table pushed to their browser, also while the page is
    closed; the engine sends them to the push services of those who make browsers."""
    engine_trusted_proxies: str = ""
    """The proxies whose forwarding header is trusted; empty where clients connect directly."""
    engine_proxy_header: Literal["X-Forwarded-For", "Forwarded"] = "X-Forwarded-For"
    """The one header in which proxies name the client."""


def load(environment: Mapping[str, str]) -> EngineSettings:
    """Return the engine's settings. Raises `SettingsError`."""
    engine_settings = settings.read(EngineSettings, environment)
    players = _read(engine_settings, "engine_players", own_players)
    if any(player.game not in (None, *GAME_NAMES) for player in players):
        raise SettingsError(f"ENGINE_PLAYERS names a game that is not here: there are {', '.join(GAME_NAMES)}.")
    for name in ("engine_outbound_private", "engine_trusted_proxies"):
        _read(engine_settings, name, networks)
    return engine_settings


def _read(engine_settings: EngineSettings, name: str, read: Callable[[str], Sequence[T]]) -> Sequence[T]:
    """Return the parsed value of a setting. Raises `SettingsError`."""
    try:
        return read(getattr(engine_settings, name))
    except ValueError:
        raise SettingsError(f"{name.upper()} {EngineSettings.EXPECTATIONS[name]}.") from None


def comma_separated(value: str) -> list[str]:
    """Return the parts of a setting that has commas between them."""
    return [part.strip() for part in value.split(",") if part.strip()]


def own_players(value: str) -> list[OwnPlayer]:
    """Return the own players of a setting. Raises `ValueError`."""
    players = [read_own_player(part) for part in comma_separated(value)]
    if len(players) > MOST_PLAYERS:
        raise ValueError("these are too many")
    return players


def networks(value: str) -> tuple[Network, ...]:
    """Return the networks of a setting that has commas between them. Raises `ValueError`."""
    return tuple(ip_network(part) for part in comma_separated(value))
