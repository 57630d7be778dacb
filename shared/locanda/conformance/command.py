"""The command: what is tried in which order, what is printed, and the exit code."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import NamedTuple

import aiohttp
import msgspec

from locanda.command import print_what_the_encoding_lacks
from locanda.conformance.comparing import Mismatch
from locanda.conformance.playthroughs import Golden, PlayThrough, RefusedMove, stored
from locanda.conformance.protocol import TriedProtocol
from locanda.conformance.rules import TriedRules, spread
from locanda.conformance.server import TriedServer
from locanda.games.rules import GAMES
from locanda.messages import Catalogue, GameInfo

HOLDS, DIFFERS, NOT_TRIED = range(3)
"""The exit codes."""


class Check(NamedTuple):
    """Something that is tried."""

    subject: str
    """The game, or what is common to all."""
    run: Callable[[], Awaitable[str]]
    """Tries it, and returns what was tried. Raises `Mismatch`."""


class Plan(NamedTuple):
    """What is to be tried of a server."""

    checks: list[Check]
    untried: list[str]
    """A line for each game that cannot be tried."""


async def plan(server: TriedServer, golden: Sequence[Golden], wanted: Sequence[str], deals: int | None) -> Plan:
    """Return what is to be tried of the games that a server has. Raises `Mismatch`."""
    body = (await server.ask("GET", "/v1/games")).ok()
    try:
        offered: dict[str, GameInfo] = {each.game: each for each in msgspec.convert(body, Catalogue).games}
    except msgspec.ValidationError as error:
        raise Mismatch(f"GET /v1/games does not answer a catalogue: {error}") from None
    result, first = Plan([], []), True
    for game in wanted or offered:
        played = [each for each in golden if isinstance(each, PlayThrough) and each.game == game]
        refused = [each for each in golden if isinstance(each, RefusedMove) and each.game == game]
        if why := _untried(offered.get(game), played):
            result.untried.append(f"{game}: {why}")
            continue
        if first:
            result.checks.extend(_of_every_call(TriedProtocol(server, game, refused)))
            first = False
        rules = TriedRules(server, game, list(spread(played, deals)), refused)
        result.checks.extend(_of_game(game, rules))
    return result


def _untried(offered: GameInfo | None, played: Sequence[PlayThrough]) -> str:
    """Return why a game cannot be tried; empty where it can."""
    if offered is None:
        return "the server does not have it"
    if not played:
        return "there are no play-throughs of it here"
    if offered.rules_version != (known := played[0].rules):
        return f"the server plays by version {offered.rules_version} of its rules, the play-throughs by {known}"
    return ""


def _of_every_call(protocol: TriedProtocol) -> Iterator[Check]:
    for run in (
        protocol.catalogue,
        protocol.problems,
        protocol.seats,
        protocol.retries,
        protocol.versions,
        protocol.streams,
    ):
        yield Check("calls", run)


def _of_game(game: str, rules: TriedRules) -> Iterator[Check]:
    for run in (rules.dealing, rules.playing, rules.refusals, rules.playouts, rules.match):
        yield Check(game, run)


async def try_all(found: Plan, say: Callable[[str], None]) -> int:
    """Try everything, say how it went, and return how many checks have failed."""
    width, failed = max(len(check.subject) for check in found.checks), 0
    for check in found.checks:
        began = time.monotonic()
        try:
            outcome, text = "ok  ", await check.run()
        except Mismatch as error:
            outcome, text = "FAIL", str(error)
        except (KeyError, IndexError, TypeError, ValueError) as error:  # an answer without what it must have
            outcome, text = "FAIL", f"an answer has not the form of the API: {type(error).__name__} {error}"
        failed += outcome == "FAIL"
        say(f"{outcome}  {check.subject:{width}}  {text}  ({time.monotonic() - began:.1f} s)")
    for line in found.untried:
        say(f"–     {line}")
    return failed


async def run(arguments: argparse.Namespace, golden: Sequence[Golden]) -> int:
    """Try a server, print how it went, and return the exit code."""
    connector, key = aiohttp.TCPConnector(limit=0), os.environ.get("LOCANDA_API_KEY") or None
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        try:
            server = TriedServer(arguments.url, session, key)
            found = await plan(server, golden, arguments.game, arguments.deals)
            if not found.checks:
                return _not_tried("; ".join(found.untried) or "the server has no games")
            failed = await try_all(found, lambda line: print(line, flush=True))
        except (aiohttp.ClientError, TimeoutError) as error:
            return _not_tried(f"{arguments.url} does not answer: {str(error) or type(error).__name__}")
        except (Mismatch, ValueError) as error:
            return _not_tried(str(error))
    passed = len(found.checks) - failed
    print(f"\n{passed} of {len(found.checks)} checks hold, in {server.requests} requests.")
    return DIFFERS if failed else HOLDS


def _not_tried(why: str) -> int:
    print(f"locanda-check: {why}", file=sys.stderr)
    return NOT_TRIED


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1000")
    return int(text)


def command_line_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="locanda-check",
        description="Try whether a server keeps to Locanda's API and to the rules of the games. It opens a few tables, "
        "and leaves them.",
        epilog="Exit codes: 0 everything holds; 1 something does not; 2 nothing could be tried. Where only holders of "
        "a key open tables, LOCANDA_API_KEY has it.",
    )
    parser.add_argument("url", metavar="URL", help="the server, such as http://127.0.0.1:8080")
    parser.add_argument("--game", action="append", default=[], choices=GAMES, help="only this one; may be repeated")
    parser.add_argument("--deals", type=_count, metavar="N", help="of each game, so many deals at most; else all")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the server that the command line names; return the exit code."""
    print_what_the_encoding_lacks()
    return asyncio.run(run(command_line_parser().parse_args(arguments), list(stored())))
