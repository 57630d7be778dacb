"""The command line's commands and arguments, with help in the language of the locale."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from locanda import __version__
from locanda.games.registry import GAME_NAMES
from locanda.translations import Language, Translations, nearest_language
from locanda.transport import engine_address
from locanda.verify import hexadecimal, seat_and_seed

SERVER = "http://127.0.0.1:8080"


def locale_language(environment: Mapping[str, str]) -> Language:
    """Return the language of the locale (POSIX: the first of these variables that is set decides)."""
    found = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return nearest_language(found.replace("_", "-").replace(".", "-"))


def command_line_parser(translations: Translations) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    gettext = translations.gettext
    parser = argparse.ArgumentParser(
        prog="locanda",
        description=gettext("Italian card games in the terminal, against computer players or with friends."),
    )
    parser.add_argument("--version", action="version", version=f"locanda {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="play | watch | verify")
    _add_play(commands, translations)
    _add_watch(commands, translations)
    _add_verify(commands, translations)
    return parser


def _add_play(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (argparse names no type for it)
    gettext = translations.gettext
    play = commands.add_parser("play", help=gettext("open a table, or sit down at a friend's"))
    play.add_argument("game", nargs="?", choices=GAME_NAMES, help=gettext("asked for if left out"))
    play.add_argument("--table", metavar="LINK", help=gettext("a friend's table, or your own where you sat before"))
    _add_common_options(play, translations, gettext("instead of the locale's language"))
    play.add_argument("--name", help=gettext("how the others know you"))
    play.add_argument("--computers", type=_count, metavar="N", help=gettext("seat N computer players, and start"))
    level_help = gettext("of the computer players; medium if left out")
    play.add_argument("--level", choices=("easy", "medium", "hard"), default="medium", help=level_help)
    hints_help = gettext("let everybody at the table ask for hints; so it is where you play computers alone")
    play.add_argument("--hints", action="store_true", help=hints_help)
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


def _add_watch(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (as above)
    watch = commands.add_parser("watch", help=translations.gettext("follow a table as a spectator"))
    watch.add_argument("table", metavar="LINK", help=translations.gettext("the table's link or id"))
    _add_common_options(watch, translations, translations.gettext("instead of the locale's language"))


def _add_verify(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (as above)
    gettext = translations.gettext
    verify = commands.add_parser("verify", help=gettext("check that a deal was dealt as it had been committed"))
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("proof", nargs="?", metavar="PROOF.json", help=gettext("a downloaded proof, - for stdin"))
    what.add_argument("--table", metavar="LINK", help=gettext("fetch the proof from this table"))
    verify.add_argument("--deal", type=_count, default=1, metavar="N", help=gettext("which deal; else the first"))
    verify.add_argument("--match", type=_count, metavar="N", help=gettext("which match; else the last that is over"))
    seen_help = gettext("the commitment that the table showed before the match; else the one kept with your seat")
    verify.add_argument("--commitment", type=hexadecimal, metavar="HEX", help=seen_help)
    seed_help = gettext("the client seed that was given for a seat, counted from 0; may be repeated")
    verify.add_argument("--client-seed", action="append", type=seat_and_seed, metavar="SEAT=TEXT", help=seed_help)
    before_help = gettext("the proof of the deal before, from which dealer and tax follow")
    verify.add_argument("--before", metavar="PROOF.json", help=before_help)
    engine_help = gettext("an engine whose rules play the moves again")
    verify.add_argument("--engine", type=_address, metavar="URL", help=engine_help)
    _add_common_options(verify, translations, gettext("instead of the locale's language"))


def _add_common_options(command: argparse.ArgumentParser, translations: Translations, language_help: str) -> None:
    default = os.environ.get("LOCANDA_SERVER") or SERVER
    server_help = translations.gettext("the engine's address (or LOCANDA_SERVER); {default} if left out").format(
        default=default
    )
    command.add_argument("--language", choices=("it", "en"), help=language_help)
    command.add_argument("--server", type=_address, default=default, metavar="URL", help=server_help)


def _address(text: str) -> str:
    try:
        return engine_address(text)
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
