"""`locanda admin`: the operator's command line for a running server, over its administration API.

In an engine's container, which has no terminal client, run `python -m locanda.admin`.
"""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import aiohttp
import msgspec

from locanda.client.transport import SERVER, Call, RetryPolicy, Transport
from locanda.errors import EngineError
from locanda.messages import Maintenance
from locanda.messages import administration as wire
from locanda.messages.own_players import read_own_player

KEYS = ("LOCANDA_ADMIN_KEY", "ENGINE_ADMIN_KEY")
"""Environment variables with the key, in order of precedence. `<name>_FILE` may name a file with the key instead."""
NO_KEY = "There is no key: set LOCANDA_ADMIN_KEY to the engine's ENGINE_ADMIN_KEY."
OFF = "The server has no calls for operators at this address: ENGINE_ADMIN_KEY is not set, or a proxy closes them."
NOBODY = "Nobody answers at {server}."
OPEN_TO_ALL = "There is no key: everybody may open tables."
ID = re.compile(r"[A-Za-z0-9_-]{22}")
RETRY = RetryPolicy(budget=5.0)

T = TypeVar("T")
Rows = Iterable[Sequence[object]]


class Admin:
    """Client of the administration API."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def ask(self, method: str, path: str, type_: type[T], body: object = None, **query: object) -> T:
        """Send a request and return its decoded answer. Raises `EngineError`."""
        content = b"" if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"} if content else {}
        parameters = {name: str(value) for name, value in query.items() if value is not None}
        answer = await self._transport.fetch(Call(method, f"/v1/admin/{path}", headers, parameters, content))
        return msgspec.json.decode(answer or b"", type=type_)


# --- commands: each function sends requests and returns the lines to print


async def tables(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List tables; request pages until there are `--limit` tables."""
    found_tables: list[wire.AdminTable] = []
    unreadable, cursor = 0, None
    while True:
        query = {"game": args.game, "status": args.status, "cursor": cursor}
        page = await admin.ask("GET", "tables", wire.AdminTablePage, **query)
        found_tables += page.tables
        unreadable += page.unreadable
        cursor = page.next
        if cursor is None or len(found_tables) >= args.limit:
            break
    found_tables.sort(key=lambda table: table.opened)
    rows = [_row(table) for table in found_tables[: args.limit]]
    shown = columns(("TABLE", "GAME", "STATUS", "OPENED", "CHANGED", "DEAL", "COMPUTERS", "PEOPLE"), rows)
    more = [f"{unreadable} more cannot be read by this release."] if unreadable else []
    return shown + more + ([f"There are more: --limit {10 * args.limit}"] if cursor else [])


def _row(table: wire.AdminTable) -> Sequence[object]:
    ages, people = (age(table.opened), age(table.changed)), ", ".join(table.people)
    return (table.id, table.game, table.status, *ages, f"{table.match}.{table.deal}", table.computers, people)


async def close(admin: Admin, args: argparse.Namespace) -> list[str]:
    """Close a table."""
    await admin.ask("POST", f"tables/{args.table}/close", wire.Done)
    return ["Closed."]


async def remove(admin: Admin, args: argparse.Namespace) -> list[str]:
    """Remove a table."""
    await admin.ask("DELETE", f"tables/{args.table}", wire.Done)
    return ["Removed, with its deals."]


async def maintenance(admin: Admin, args: argparse.Namespace) -> list[str]:
    """Announce maintenance, or withdraw the announcement."""
    if args.end:
        await admin.ask("DELETE", "maintenance", wire.Done)
        return ["Nothing is announced any more."]
    body = wire.AnnounceMaintenance(args.begins, args.lasts, args.text)
    return [(await admin.ask("PUT", "maintenance", Maintenance, body)).text]


async def engines(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List the engines; drain or resume an engine."""
    if args.drain or args.resume:
        path = f"engines/{quote(args.drain or args.resume, safe='')}/drain"
        listing = await admin.ask("PUT" if args.drain else "DELETE", path, wire.Engines)
    else:
        listing = await admin.ask("GET", "engines", wire.Engines)
    rows = [
        (engine.name, engine.release, age(engine.started), engine.streams, "drains" if engine.draining else "serves")
        for engine in listing.engines
    ]
    return columns(("ENGINE", "RELEASE", "SINCE", "STREAMS", ""), rows)


async def keys(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List the API keys; create or revoke a key."""
    if args.add:
        made = await admin.ask("POST", "keys", wire.IssuedKey, wire.NewKey(args.add))
        return [made.key, "It is shown this once. Only holders of a key open tables."]
    if args.remove:
        listing = await admin.ask("DELETE", f"keys/{quote(args.remove, safe='')}", wire.ApiKeyList)
    else:
        listing = await admin.ask("GET", "keys", wire.ApiKeyList)
    rows = [(key.name, age(key.created), age(key.used) if key.used else "never") for key in listing.keys]
    return columns(("KEY", "MADE", "USED"), rows) + ([] if listing.required else [OPEN_TO_ALL])


async def bans(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List the bans; ban a client, or lift a ban."""
    if args.add:
        made = wire.NewBan(args.add, args.reason, args.minutes)
        listing = await admin.ask("POST", "bans", wire.BanList, made)
    elif args.remove:
        listing = await admin.ask("DELETE", f"bans/{quote(args.remove, safe='')}", wire.BanList)
    else:
        listing = await admin.ask("GET", "bans", wire.BanList)
    rows = [(ban.client, age(ban.since), time_of(ban.until), ban.reason) for ban in listing.bans]
    return columns(("CLIENT", "SINCE", "UNTIL", "REASON"), rows)


async def names(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List the blocked names; block a name, or allow it again."""
    if args.add:
        listing = await admin.ask("POST", "names", wire.BlockedNames, wire.NewBlockedName(args.add))
    elif args.remove:
        listing = await admin.ask("DELETE", f"names/{quote(args.remove, safe='')}", wire.BlockedNames)
    else:
        listing = await admin.ask("GET", "names", wire.BlockedNames)
    return listing.names


async def players(admin: Admin, args: argparse.Namespace) -> list[str]:
    """List the operator's own players (servers that choose moves); add or remove a player."""
    if args.add:
        line = sys.stdin.readline() if args.add == "-" else args.add
        listing = await admin.ask("POST", "players", wire.ListedPlayers, read_own_player(line))
    elif args.remove:
        listing = await admin.ask("DELETE", f"players/{quote(args.remove, safe='')}", wire.ListedPlayers)
    else:
        listing = await admin.ask("GET", "players", wire.ListedPlayers)
    rows = [
        (own.name, own.game or "all", age(own.since) if own.since else "settings", "yes" if own.signed else "no")
        for own in listing.players
    ]
    return columns(("PLAYER", "GAME", "SINCE", "SIGNED"), rows)


async def numbers(admin: Admin, args: argparse.Namespace) -> list[str]:
    """Show the statistics of the last days."""
    listing = await admin.ask("GET", "days", wire.Days, days=args.days)
    fields = wire.GameNumbers.__struct_fields__
    rows = [
        (day.day, game, *(getattr(numbers, field) for field in fields))
        for day in listing.days
        for game, numbers in day.games.items()
    ]
    return columns(("DAY", "GAME", *(field.upper().replace("_", " ") for field in fields)), rows)


async def acts(admin: Admin, args: argparse.Namespace) -> list[str]:
    """Show the audit log of operators' actions."""
    listing = await admin.ask("GET", "acts", wire.Acts, last=args.last)
    rows = [(time_of(act.at), act.act, act.about, act.client, act.request) for act in listing.acts]
    return columns(("TIME", "ACT", "ABOUT", "FROM", "REQUEST"), rows)


# --- the command line


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line arguments."""
    top = argparse.ArgumentParser(prog="locanda admin", description="See and govern a server while its engines run.")
    server = os.environ.get("LOCANDA_SERVER") or SERVER
    top.add_argument("--server", default=server, metavar="URL", help="an engine's address, or LOCANDA_SERVER")
    commands = top.add_subparsers(dest="command", required=True)

    def add(run: Any, help_: str) -> argparse.ArgumentParser:  # noqa: ANN401  (a command)
        command = commands.add_parser(run.__name__, help=help_)
        command.set_defaults(run=run)
        return command

    listing = add(tables, "list tables: their games and ages, never cards")
    listing.add_argument("--game")
    listing.add_argument("--status", choices=("open", "playing", "over"))
    listing.add_argument("--limit", type=int, default=1000, metavar="N")
    add(close, "end a table, as if everybody had left it").add_argument("table", type=str.strip, metavar="TABLE")
    add(remove, "close a table, and delete it with its deals").add_argument("table", type=str.strip, metavar="TABLE")
    announcing = add(maintenance, "announce maintenance: page, bot and terminal show it")
    announcing.add_argument("text", nargs="?", default="", help="what else to say")
    announcing.add_argument("--begins", type=int, default=0, metavar="MINUTES", help="from now; else at once")
    announcing.add_argument("--lasts", type=int, metavar="MINUTES", help="else until --end")
    announcing.add_argument("--end", action="store_true", help="take the announcement back")
    draining = add(engines, "list engines")
    draining.add_argument("--drain", metavar="ENGINE", help="let it take no new connections")
    draining.add_argument("--resume", metavar="ENGINE", help="let it take them again")
    player_help = "NAME=URL or NAME:GAME=URL, and behind it a secret that signs; - reads it from standard input"
    for run, help_, what, add_help in (
        (keys, "list API keys, and when each was used last", "NAME", None),
        (bans, "list the clients that are refused", "CLIENT", None),
        (names, "list the names that nobody may take", "NAME", None),
        (players, "list own players: servers that choose moves", "PLAYER", player_help),
    ):
        entries = add(run, help_)
        entries.add_argument("--add", metavar=what, help=add_help)
        entries.add_argument("--remove", metavar=what)
        if run is bans:
            entries.add_argument("--reason", default="", help="only operators see it")
            entries.add_argument("--minutes", type=int, help="for how long; else for good")
    add(numbers, "show the numbers of the last days").add_argument("--days", type=int, default=7, metavar="N")
    add(acts, "show what operators did").add_argument("--last", type=int, default=100, metavar="N")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (`sys.argv` by default); return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    # argparse would read a table id that begins with `-` as an option. A space in front prevents that.
    args = parser().parse_args([f" {word}" if ID.fullmatch(word) else word for word in words])
    key = admin_key(os.environ)
    if not key:
        print(NO_KEY, file=sys.stderr)
        return 1
    try:
        lines = asyncio.run(_run(args, key))
    except (EngineError, ValueError) as error:
        print(_why(error, args.server), file=sys.stderr)
        return 1
    print(*lines, sep="\n")
    return 0


async def _run(args: argparse.Namespace, key: str) -> list[str]:
    async with aiohttp.ClientSession() as session:
        headers = {"Authorization": f"Bearer {key}"}
        lines: list[str] = await args.run(Admin(Transport(args.server, session, RETRY, lambda: headers)), args)
        return lines


def admin_key(environment: Mapping[str, str]) -> str:
    """Return the operator's key from the environment, or from a file named there; empty if neither is set."""
    for name in KEYS:
        if environment.get(name):
            return environment[name].strip()
        if file := environment.get(f"{name}_FILE"):
            return Path(file).read_text(encoding="utf-8").strip()
    return ""


def _why(error: Exception, server: str) -> str:
    if not isinstance(error, EngineError):
        return str(error)
    if error.code == "unreachable":
        return NOBODY.format(server=server)
    if error.code in ("not_found", "no_problem"):
        return OFF
    problem = error.problem
    return f"{problem.title}{f': {problem.detail}' if problem.detail else ''}."


# --- output


def columns(titles: Sequence[str], rows: Rows) -> list[str]:
    """Format rows as aligned lines of text. Each column is as wide as its widest cell."""
    lines = [list(map(str, row)) for row in (titles, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]


def age(time: datetime) -> str:
    """Return the time that has passed since a moment, such as `3 h`."""
    seconds = max(0, round((datetime.now(UTC) - time).total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def time_of(time: datetime | None) -> str:
    """Format a time in UTC; `-` for None."""
    return "-" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


if __name__ == "__main__":
    sys.exit(main())
