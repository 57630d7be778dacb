"""Checks of an installation: Redis, the engine, the public address and Telegram."""

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

import aiohttp
import msgspec
from redis.exceptions import AuthenticationError, ResponseError

from locanda import __version__
from services.common.redis_urls import REDIS_ERRORS, ClusterClient, RedisUrlError, open_client
from services.common.settings import COMMON_EXPECTATIONS, PublicUrl

# --- findings

Level: TypeAlias = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check. It contains no secret, so people can share it when they ask for help."""

    level: Level
    what: str
    todo: str = ""
    """The remedy; empty if all is well."""

    def __str__(self) -> str:
        """Return the lines to print for the finding."""
        line = f"{self.level:<6} {self.what}"
        return f"{line}\n       → {self.todo}" if self.todo else line


def judged(well: bool, what: str, otherwise: str, todo: str, *, level: Level = "wrong") -> Finding:  # noqa: FBT001
    """Return a finding: with the text `what` if `well`, else with the text `otherwise` and the remedy `todo`."""
    return Finding("ok", what) if well else Finding(level, otherwise, todo)


# --- Redis: durability, memory, clock

OLDEST = (6, 2)
"""The oldest release of Redis with which the store's scripts were tested."""
MOST_REDIS_SKEW = 2.0
"""Maximum difference in seconds between Redis' clock and this machine's."""
MOST_FULL = 0.8
UNWRITTEN = "Look at its log and at the room on its disk; nothing can be played until it writes again."
SECONDS = 5.0

Info = Mapping[str, Any]


AWAY = (
    "Nothing can be played without it. Is it running, is its address right? The Redis of "
    "make run runs only while make run does: start that first."
)
AWAY_IN_COMPOSE = (
    "Nothing can be played without it: docker compose logs redis says why, at its end. "
    "Where its data is damaged, make up-restore BACKUP=… FORCE=1 brings a backup back."
)


async def redis_findings(url: str, replicas: int, away: str = AWAY) -> AsyncIterator[Finding]:
    """Check the Redis at a URL. `replicas` is `ENGINE_REPLICAS`; `away` is the remedy if Redis does not answer."""
    if not url:
        todo = "Start make run first, which brings a Redis of its own, as docker compose does; or set REDIS_URL."
        yield Finding("note", "REDIS_URL is empty: a service started alone keeps its games in memory.", todo)
        return
    try:
        client = open_client(url, decode_responses=True, socket_connect_timeout=SECONDS, socket_timeout=SECONDS)
    except RedisUrlError as error:
        yield Finding("wrong", f"REDIS_URL is {error}.", "Write it as .env.example shows.")
        return
    try:
        if isinstance(client, ClusterClient):
            await client.ping()
            yield Finding("ok", "The Redis Cluster answers. The settings of its nodes are not checked.")
            return
        async for finding in _server_findings(client, replicas):
            yield finding
    except (AuthenticationError, ResponseError):
        todo = "Correct the password in REDIS_URL; with docker compose REDIS_PASSWORD, and then make roll."
        yield Finding("wrong", "Redis refuses the password.", todo)
    except REDIS_ERRORS as error:
        yield Finding("wrong", f"Redis does not answer ({type(error).__name__}).", away)
    finally:
        await client.aclose()


BEAT = "locanda:beat"
"""Key in which engines write the time in milliseconds, about once a second (services/engine/store/keys.py)."""
MOST_SILENT = 10.0


async def shared_redis(url: str, engine: str) -> AsyncIterator[Finding]:
    """Check that the engine at the address `engine` uses the Redis at `url`."""
    try:
        client = open_client(url, decode_responses=True, socket_connect_timeout=SECONDS, socket_timeout=SECONDS)
    except RedisUrlError:
        return
    try:
        beat = float(await client.hget(BEAT, "at") or 0)
    except (ValueError, *REDIS_ERRORS):
        return
    finally:
        await client.aclose()
    todo = "Another program may have its port, or its REDIS_URL is not the one here."
    yield judged(
        abs(time.time() - beat / 1000) < MOST_SILENT,
        "An engine uses this Redis.",
        f"No engine uses this Redis: the engine at {engine} uses another one.",
        todo,
    )


async def _server_findings(client: Any, replicas: int) -> AsyncIterator[Finding]:  # noqa: ANN401 - redis-py's client
    info: Info = await client.info()
    version = str(info["redis_version"])
    numbers = tuple(int(part) for part in version.split(".")[:2])
    yield judged(
        numbers >= OLDEST,
        f"Redis {version} answers.",
        f"Redis {version} is older than the releases tested with Locanda.",
        "Use Redis 7 or newer.",
    )
    yield _is_primary(info)
    seconds, micros = await client.time()
    skew = abs(seconds + micros / 1e6 - time.time())
    yield judged(
        skew < MOST_REDIS_SKEW,
        "The clocks of Redis and of this machine agree.",
        f"The clocks of Redis and of this machine differ by {skew:.0f} seconds.",
        "Let NTP set both: people see the wrong time left for their turns.",
        level="note",
    )
    for finding in (*_durability(info), _replication(info, replicas)):
        yield finding
    async for finding in _settings(client, info):
        yield finding


def _is_primary(info: Info) -> Finding:
    return judged(
        info.get("role") == "master",
        "It takes writes.",
        "It is a replica, which takes no writes.",
        "Let REDIS_URL name the primary, or sentinels (redis+sentinel://).",
    )


def _durability(info: Info) -> list[Finding]:
    written = info.get("aof_last_write_status") == "ok" and info.get("aof_last_bgrewrite_status") == "ok"
    return [
        judged(
            info.get("aof_enabled") == 1,
            "It writes an append-only file.",
            "It writes no append-only file: what was played since the last snapshot is lost when it ends.",
            "redis-cli CONFIG SET appendonly yes, and appendonly yes in redis.conf.",
        ),
        judged(written, "Its last writes have succeeded.", "Its last write to the append-only file failed.", UNWRITTEN),
    ]


def _replication(info: Info, replicas: int) -> Finding:
    connected = int(info.get("connected_slaves", 0))
    return judged(
        connected >= replicas,
        f"It has {connected} replicas, and ENGINE_REPLICAS is {replicas}.",
        f"It has {connected} replicas, but ENGINE_REPLICAS is {replicas}: no move is confirmed.",
        "Start the replicas, or lower ENGINE_REPLICAS.",
    )


async def _settings(client: Any, info: Info) -> AsyncIterator[Finding]:  # noqa: ANN401 - redis-py's client
    try:
        settings = await client.config_get("appendfsync", "maxmemory-policy", "maxmemory")
    except ResponseError:
        todo = "Make sure that its memory policy is noeviction."
        yield Finding("note", "Its settings cannot be read (CONFIG is not allowed).", todo)
        return
    policy = settings["maxmemory-policy"]
    yield judged(
        policy == "noeviction",
        "It evicts nothing when its memory is full.",
        f"When its memory is full, it evicts tables (maxmemory-policy {policy}).",
        "redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.",
    )
    yield judged(
        settings["appendfsync"] == "always",
        "It confirms writes when they are on disk.",
        f"It may lose the last second when its machine fails (appendfsync {settings['appendfsync']}).",
        "redis-cli CONFIG SET appendfsync always, unless that second does not matter to you.",
        level="note",
    )
    most, used = int(settings["maxmemory"]), int(info["used_memory"])
    yield judged(
        most > 0 and used < MOST_FULL * most,
        f"It uses {used >> 20} of {most >> 20} MB.",
        f"It uses {used >> 20} of {most >> 20} MB." if most else "Its memory has no limit (maxmemory 0).",
        "Give it more memory: docs/scaling.md says what a table takes."
        if most
        else "Set maxmemory below the machine's memory: otherwise the system ends Redis instead of refusing one table.",
        level="wrong" if most else "note",
    )


# --- the engine, the public address and Telegram, over HTTP

TIMEOUT = aiohttp.ClientTimeout(total=10)
ERRORS = (aiohttp.ClientError, TimeoutError, ValueError)
MOST_SKEW = 5.0
MOST_WAITING = 100
"""Maximum number of updates that may wait for a webhook."""


async def engine_findings(session: aiohttp.ClientSession, url: str, key: str) -> AsyncIterator[Finding]:
    """Check the engine at a URL. `key` is the bot's API key; empty if it has none."""
    try:
        # If a proxy blocks /readyz, the list of tables shows whether Redis serves the engine.
        async with session.get(f"{url}/readyz", timeout=TIMEOUT) as answer:
            closed, ready, date = answer.status == 404, answer.status == 200, answer.headers.get("Date")
            health = await answer.json() if ready and answer.content_type == "application/json" else {}
        if closed:
            async with session.get(f"{url}/v1/tables", timeout=TIMEOUT) as answer:
                ready = answer.status == 200
        async with session.get(f"{url}/v1/server", timeout=TIMEOUT) as answer:
            release = str((await answer.json()).get("release", "before 0.2")) if answer.status == 200 else "before 0.2"
        body = {"game": "-", "name": "-"}
        headers = {"X-API-Key": key} if key else {}
        async with session.post(f"{url}/v1/tables", json=body, headers=headers, timeout=TIMEOUT) as answer:
            refused = answer.status == 401
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
        yield Finding("wrong", "ENGINE_URL must be an http or https URL.", "Write it as http://127.0.0.1:8080.")
        return
    except ERRORS as error:
        todo = "Is it running? Where it listens elsewhere, give its ENGINE_PORT or ENGINE_URL here too, as in .env."
        yield Finding("wrong", f"No engine answers at {url} ({type(error).__name__}).", todo)
        return
    todo = "Its Redis does not serve it, or it is closing: see above, and its log."
    yield judged(ready, f"The engine at {url} serves.", f"The engine at {url} does not serve.", todo)
    yield judged(
        release == __version__,
        f"Its release is {release}, like that of this program.",
        f"Its release is {release}, and that of this program {__version__}.",
        "docs/upgrade.md says which may run side by side.",
        level="note",
    )
    for finding in _games(health):
        yield finding
    if date:
        yield _clock("Its clock", date)
    todo = "Set ENGINE_API_KEY to one of ENGINE_API_KEYS."
    yield judged(not refused, "It lets the bot open tables.", "It refuses to open tables with this key.", todo)


def _games(health: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the games that the engine plays, by package, and the games that it leaves out."""
    sources: dict[str, list[str]] = {}
    for game, source in health.get("games", {}).items():
        sources.setdefault(source, []).append(game)
    for source, games in sources.items():
        yield Finding("ok", f"It plays {', '.join(games)} of {source}.")
    for game, why in health.get("left_out", {}).items():
        yield Finding("wrong", f"It leaves out {game}: {why}.", "Install a package that fits this release.")


def _clock(whose: str, date: str) -> Finding:
    """Compare a clock with this machine's. `date` is the `Date` header of a response (RFC 9110, whole seconds)."""
    skew = abs(parsedate_to_datetime(date).timestamp() - time.time())
    return judged(
        skew < MOST_SKEW,
        f"{whose} and this machine's agree.",
        f"{whose} and this machine's differ by {skew:.0f} seconds.",
        "Let NTP set them: people see the wrong time left for their turns.",
        level="note",
    )


async def public_findings(session: aiohttp.ClientSession, url: str) -> AsyncIterator[Finding]:
    """Check the public address by sending requests to it."""
    if not url:
        todo = "Set PUBLIC_URL to play with people elsewhere; docs/ten-minutes.md says how."
        yield Finding("note", "PUBLIC_URL is empty: links to tables work on this machine alone.", todo)
        return
    try:
        msgspec.convert(url, PublicUrl)
    except msgspec.ValidationError:
        yield Finding("wrong", f"PUBLIC_URL {COMMON_EXPECTATIONS['public_url']}.", "The services do not start with it.")
        return
    todo = "Anyone who listens on the network can read hands and tokens: serve https, as the profile public does."
    yield judged(url.startswith("https://"), f"{url} is encrypted.", f"{url} is not encrypted.", todo, level="note")
    try:
        async with session.get(f"{url}/v1/server", timeout=TIMEOUT) as answer:
            served_url = (await answer.json()).get("public_url") if answer.status == 200 else None
        async with session.get(f"{url}/metrics", timeout=TIMEOUT) as answer:
            closed = answer.status != 200
    except aiohttp.ClientConnectorDNSError as error:
        todo = "Set its A record, for IPv6 AAAA, to the address of this server; it may take an hour to be known."
        yield Finding("wrong", f"The name {error.host} has no address.", todo)
        return
    except aiohttp.ClientConnectorCertificateError as error:
        todo = (
            "Ports 80 and 443 must lead here from everywhere; docker compose logs public names what the authority saw."
        )
        why = getattr(error.certificate_error, "verify_message", "") or "for another name"
        yield Finding("wrong", f"The certificate of {url} is not trusted: {why}.", todo)
        return
    except ERRORS as error:
        todo = (
            "Does its name lead to this machine, are ports 80 and 443 open, and does the proxy run? From inside some "
            "home networks a public address cannot be reached: try it from a phone without Wi-Fi."
        )
        yield Finding("wrong", f"Nobody answers at {url} ({type(error).__name__}).", todo)
        return
    todo = "Let the proxy lead to the engine, and start the engine with the same PUBLIC_URL."
    yield judged(served_url == url, f"{url} leads to the engine.", f"{url} leads to something else.", todo)
    todo = "Close /metrics at the proxy, as deploy/Caddyfile does: it tells how busy the engine is."
    yield judged(closed, "/metrics is closed there.", "/metrics is open to everybody there.", todo)


async def telegram_findings(
    session: aiohttp.ClientSession, api: str, token: str, webhook: str
) -> AsyncIterator[Finding]:
    """Check a bot's token and webhook with Telegram. Errors are not printed: their URLs contain the token."""
    if not token:
        todo = "Get one from @BotFather and set TELEGRAM_TOKEN, to play in chats."
        yield Finding("note", "TELEGRAM_TOKEN is empty: the bot waits.", todo)
        return
    try:
        me, _ = await _ask(session, api, token, "getMe")
        info, date = await _ask(session, api, token, "getWebhookInfo")
    except ERRORS as error:
        todo = "Does this machine reach it, also through its firewall? Is TELEGRAM_API_URL right, if it is set?"
        yield Finding("wrong", f"Telegram does not answer ({type(error).__name__}).", todo)
        return
    if me is None or info is None:
        todo = "Get a valid one from @BotFather (/token), and set TELEGRAM_TOKEN."
        yield Finding("wrong", "Telegram does not know the token.", todo)
        return
    yield Finding("ok", f"Telegram knows the bot: @{me.get('username')}.")
    todo = "@BotFather, /setjoingroups: else nobody can add it to a group."
    yield judged(bool(me.get("can_join_groups")), "It may join groups.", "It may join no group.", todo)
    if date:
        yield _clock("Telegram's clock", date)
    for finding in _webhook(info, webhook):
        yield finding


async def _ask(
    session: aiohttp.ClientSession, api: str, token: str, method: str
) -> tuple[Mapping[str, Any] | None, str | None]:
    """Return the result of a Bot API method (None if the token is invalid), and the `Date` header of the response."""
    async with session.get(f"{api.rstrip('/')}/bot{token}/{method}", timeout=TIMEOUT) as answer:
        if answer.status in (401, 404):
            return None, None
        return (await answer.json())["result"], answer.headers.get("Date")


def _webhook(info: Mapping[str, Any], wanted: str) -> list[Finding]:
    hook = str(info.get("url", ""))
    if not wanted:
        todo = "Another program uses this token, or the bot has not started since TELEGRAM_WEBHOOK_URL was emptied."
        return [judged(not hook, "The bot polls.", "The bot should poll, but Telegram has a webhook.", todo)]
    todo = "Start the bot: it tells Telegram TELEGRAM_WEBHOOK_URL by itself."
    checks = [judged(hook == wanted, "Telegram has the webhook.", "Telegram has no webhook, or another one.", todo)]
    if error := info.get("last_error_message"):
        todo = "Does the proxy lead TELEGRAM_WEBHOOK_URL to the bot, with a certificate that is valid?"
        checks.append(Finding("note", f"Telegram's last failure to deliver: {error}.", todo))
    waiting = int(info.get("pending_update_count", 0))
    todo = "The bot is down or too slow: see its log."
    checks.append(judged(waiting < MOST_WAITING, f"{waiting} updates wait.", f"{waiting} updates wait.", todo))
    return checks
