"""The command line: what may be asked for, and how it is written."""

import argparse
import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from shared.games.registry import GAME_NAMES
from shared.translate import Language, Words, nearest
from shared.transport import base_url_of

SERVER = "http://127.0.0.1:8080"


def release() -> str:
    """Return the release that runs; a checkout that is not installed has none."""
    try:
        return version("locanda")
    except PackageNotFoundError:
        return "0"


def language_of(environment: Mapping[str, str]) -> Language:
    """Return the language of the locale (POSIX: the first of these that is set decides)."""
    found = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return nearest(found.replace("_", "-").replace(".", "-"))


def parser(words: Words) -> argparse.ArgumentParser:
    """Return the parser; its help is in the locale's language."""
    gettext = words.gettext
    asked = argparse.ArgumentParser(
        prog="locanda",
        description=gettext("Italian card games in the terminal, against computer players or with friends."),
    )
    asked.add_argument("--version", action="version", version=f"locanda {release()}")
    commands = asked.add_subparsers(dest="command", required=True, metavar="play | watch | verify")
    _play(commands, words)
    _watch(commands, words)
    _verify(commands, words)
    return asked


def _play(commands: Any, words: Words) -> None:  # noqa: ANN401  (argparse names no type for it)
    gettext = words.gettext
    play = commands.add_parser("play", help=gettext("open a table, or sit down at a friend's"))
    play.add_argument("game", nargs="?", choices=GAME_NAMES, help=gettext("asked for if left out"))
    play.add_argument("--table", metavar="LINK", help=gettext("a friend's table, or your own where you sat before"))
    _common(play, words)
    play.add_argument("--name", help=gettext("how the others know you"))
    play.add_argument("--computers", type=_count, metavar="N", help=gettext("seat N computer players, and start"))
    play.add_argument("--friends", type=_count, metavar="N", help=gettext("start once N friends have sat down"))
    play.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="KEY=VALUE",
        help=gettext("an option of the game, as its rules name it; may be repeated"),
    )
    play.add_argument("--seconds", type=_count, metavar="N", help=gettext("time for a turn; no limit if left out"))
    play.add_argument("--listed", action="store_true", help=gettext("let anybody find the table"))


def _watch(commands: Any, words: Words) -> None:  # noqa: ANN401  (as above)
    watch = commands.add_parser("watch", help=words.gettext("follow a table as a spectator"))
    watch.add_argument("table", metavar="LINK", help=words.gettext("the table's link or id"))
    _common(watch, words)


def _verify(commands: Any, words: Words) -> None:  # noqa: ANN401  (as above)
    gettext = words.gettext
    verify = commands.add_parser("verify", help=gettext("check that a deal was dealt as it had been committed"))
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("proof", nargs="?", metavar="PROOF.json", help=gettext("a downloaded proof, - for stdin"))
    what.add_argument("--table", metavar="LINK", help=gettext("fetch the proof from this table"))
    verify.add_argument("--deal", type=_count, default=1, metavar="N", help=gettext("which deal; else the first"))
    verify.add_argument("--match", type=_count, metavar="N", help=gettext("which match; else the last"))
    _common(verify, words)


def _common(command: argparse.ArgumentParser, words: Words) -> None:
    default = os.environ.get("LOCANDA_SERVER") or SERVER
    told = words.gettext("the engine's address (or LOCANDA_SERVER); {default} if left out").format(default=default)
    told_language = words.gettext("instead of the locale's language")
    command.add_argument("--language", choices=("it", "en"), help=told_language)
    command.add_argument("--server", type=_address, default=default, metavar="URL", help=told)


def _address(text: str) -> str:
    try:
        return base_url_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 999999")
    return int(text)


def _option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
