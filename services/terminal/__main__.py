"""Entry point of the terminal client: parses the command line, connects to the engine, runs a command."""

import argparse
import asyncio
import dataclasses
import getpass
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from locanda import __version__, verify
from locanda.client import EngineClient, RetryPolicy
from locanda.client.transport import SERVER, engine_address
from locanda.command import examine_installation, print_what_the_encoding_lacks
from locanda.errors import EngineError, NotFoundError, UnauthorizedError
from locanda.games.registry import GAME_NAMES
from locanda.messages import LONGEST_TURN, GameInfo, OpenTable, Server, Table
from locanda.messages.links import TableLink, is_table_id, parse_link
from locanda.messages.own_players import OwnPlayer, read_own_player
from locanda.translations import Language, Translations, language_of, nearest_language, translations_in
from locanda.verify import dealing_file, hexadecimal, seat_and_seed

from .input import reading
from .lobby import StartCondition, check_options, choose_start, open_table, tables_to_return_to, take_seat
from .output import Output, without_control_characters
from .player import Player, watch
from .saved_seats import SavedSeats, directory
from .session import CommandError, Session

# --- the command line

COMMANDS = ("play", "watch", "verify", "export", "doctor", "admin")
COMMON_OPTIONS = ("--language", "--server")
"""Options that may also precede the command."""


def locale_language(environment: Mapping[str, str]) -> Language:
    """Return the language of the locale. As in POSIX, the first variable that is set decides."""
    name = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return nearest_language(name.replace("_", "-").replace(".", "-"))


def command_line_parser(translations: Translations) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    gettext = translations.gettext
    parser = argparse.ArgumentParser(
        prog="locanda",
        description=gettext("Italian card games in the terminal, against computer players or with friends."),
    )
    parser.add_argument("--version", action="version", version=f"locanda {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar=" | ".join(COMMANDS))
    _add_play(commands, translations)
    _add_watch(commands, translations)
    _add_verify(commands, translations)
    commands.add_parser("export", help=translations.gettext("write finished matches as JSON, with all views"))
    commands.add_parser("doctor", help=translations.gettext("check the services of a clone, as make doctor does"))
    commands.add_parser("admin", help=translations.gettext("administer your own server"))
    return parser


def _add_play(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (argparse has no public type)
    gettext = translations.gettext
    play = commands.add_parser("play", help=gettext("open a table, or join a friend's"))
    game_help = gettext("one of {games}, or the link of a table; asked for if left out")
    names = ", ".join(GAME_NAMES)
    play.add_argument("game", nargs="?", metavar="GAME|LINK", type=_game_or_link, help=game_help.format(games=names))
    play.add_argument(
        "--table", metavar="LINK", help=gettext("a friend's table, or one at which you had a seat before")
    )
    _add_common_options(play, translations, gettext("instead of the locale's language"))
    play.add_argument("--name", help=gettext("your name at the table"))
    play.add_argument(
        "--computers", type=_count, metavar="N", help=gettext("seat N computer players, and start the match")
    )
    level_help = gettext(
        "level of the computer players: easy, medium, hard, or one of the server's own players; default medium"
    )
    play.add_argument("--level", default="medium", help=level_help)
    own_help = gettext(
        "let your own server play for the computer players: NAME=URL, or a file with NAME=URL and a secret"
    )
    play.add_argument("--own-player", type=_own_player, metavar="NAME=URL", help=own_help)
    hints_help = gettext("let everybody at the table ask for hints (the default if you play only against computers)")
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
    play.add_argument("--seconds", type=_seconds, metavar="N", help=gettext("time for a turn; no limit if left out"))
    play.add_argument("--listed", action="store_true", help=gettext("let anybody find the table"))


def _add_watch(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (as above)
    watch = commands.add_parser("watch", help=translations.gettext("follow a table as a spectator"))
    watch.add_argument("table", metavar="LINK", help=translations.gettext("the table's link or id"))
    _add_common_options(watch, translations, translations.gettext("instead of the locale's language"))


def _add_verify(commands: Any, translations: Translations) -> None:  # noqa: ANN401  (as above)
    gettext = translations.gettext
    verify = commands.add_parser("verify", help=gettext("check that the cards of a deal were shuffled as committed"))
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("proof", nargs="?", metavar="PROOF.json", help=gettext("a downloaded proof, - for stdin"))
    what.add_argument("--table", metavar="LINK", help=gettext("fetch the proof from this table"))
    verify.add_argument("--deal", type=_count, default=1, metavar="N", help=gettext("which deal; else the first"))
    verify.add_argument("--match", type=_count, metavar="N", help=gettext("which match; else the last that is over"))
    seen_help = gettext("the commitment shown before the match; by default the one saved with your seat")
    verify.add_argument("--commitment", type=hexadecimal, metavar="HEX", help=seen_help)
    seed_help = gettext("the client seed that was given for a seat, counted from 0; may be repeated")
    verify.add_argument("--client-seed", action="append", type=seat_and_seed, metavar="SEAT=TEXT", help=seed_help)
    before_help = gettext("the proof of the previous deal, which determines dealer and tax")
    verify.add_argument("--before", metavar="PROOF.json", help=before_help)
    dealing_help = gettext(
        "the steps of dealing, from the game's page; only for a game that this package does not include"
    )
    verify.add_argument("--dealing", type=dealing_file, metavar="FILE.json", help=dealing_help)
    engine_help = gettext("an engine that checks the moves by its rules")
    verify.add_argument("--engine", type=_address, metavar="URL", help=engine_help)
    _add_common_options(verify, translations, gettext("instead of the locale's language"))


def _add_common_options(command: argparse.ArgumentParser, translations: Translations, language_help: str) -> None:
    default = os.environ.get("LOCANDA_SERVER") or SERVER
    server_help = translations.gettext("the engine's address (or LOCANDA_SERVER); {default} if left out").format(
        default=default
    )
    command.add_argument("--language", choices=("it", "en"), help=language_help)
    command.add_argument("--server", type=_address, default=default, metavar="URL", help=server_help)


def _game_or_link(text: str) -> str:
    if text not in GAME_NAMES and parse_link(text.strip(), SERVER) is None:
        raise argparse.ArgumentTypeError(f"{text!r}: {', '.join(GAME_NAMES)}")
    return text


def _address(text: str) -> str:
    try:
        return engine_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def ids_as_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with a space before table ids that begin with `-`, which argparse takes for options."""
    return [f" {word}" if word.startswith("-") and is_table_id(word) else word for word in arguments]


def with_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the command first. The default command is `play`."""
    options, rest = list[str](), [*arguments]
    while rest and rest[0].partition("=")[0] in COMMON_OPTIONS:
        taken = 1 if "=" in rest[0] else 2
        options, rest = options + rest[:taken], rest[taken:]
    if rest and rest[0] in COMMANDS:
        return [rest[0], *options, *rest[1:]]
    plays = not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version"))
    return ["play", *arguments] if plays else [*arguments]


def _up_to(most: int) -> Callable[[str], int]:
    """Return a parser of integers from 0 to `most`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or len(text) > 9 or int(text) > most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to {most}")
        return int(text)

    return parse


_count, _seconds = _up_to(999_999), _up_to(LONGEST_TURN)


def _option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _own_player(text: str) -> OwnPlayer:
    try:
        return read_own_player(text if "=" in text else Path(text).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# --- the commands

FAILED = 1
INTERRUPTED = 130
RETRY = RetryPolicy(budget=2.0)
"""Retry policy of calls. Its budget is shorter than the client's default, since a person can repeat the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, `sys.argv` by default. Return the exit code."""
    print_what_the_encoding_lacks()
    language = locale_language(os.environ)
    parser = command_line_parser(translations_in(language))
    # Without a command, `play` is used.
    args = parser.parse_args(with_command(ids_as_values(sys.argv[1:] if arguments is None else arguments)))
    if args.command == "doctor":
        return examine_installation()
    translations = translations_in(args.language or language)
    if args.command == "play" and args.game and args.game not in GAME_NAMES:
        args.table, args.game = args.game, None
    link = parse_link(args.table.strip(), args.server) if args.table else None
    if args.table and link is None:
        parser.error(translations.gettext("give a table as its link, or as its id of 22 characters"))
    if args.command == "verify" and args.proof:
        return verify.check_file(args, translations.gettext)
    try:
        return asyncio.run(_run(args, link, translations))
    except CommandError as error:
        print(without_control_characters(str(error)), file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILED


async def _run(args: argparse.Namespace, link: TableLink | None, translations: Translations) -> int:
    """Run a command that needs the engine; return the exit code. Raises `CommandError` if it cannot continue."""
    server = link.server if link else args.server
    api_key = os.environ.get("LOCANDA_API_KEY") or None
    language = language_of(translations)
    async with EngineClient.connect(server, api_key=api_key, language=language, retry=RETRY) as engine:
        session = Session(engine, server, Output(), translations)
        try:
            if args.command == "verify" and link:
                return await _verify(session, link, args)
            with reading(session.input, session.output):
                await _play_or_watch(session, args, link)
        except EngineError as error:
            raise CommandError(session.error_text(error)) from error
    return 0


async def _play_or_watch(session: Session, args: argparse.Namespace, link: TableLink | None) -> None:
    server = await _server(session.engine)
    if server and server.maintenance:
        session.output.line(server.maintenance.text)
    if args.command == "watch" and link:
        table = await session.engine.table(link.table)
        await watch(session, link, await session.engine.game(table.game))
    else:
        await _play(dataclasses.replace(session, public_url=server.public_url if server else None), args, link)


async def _verify(session: Session, link: TableLink, args: argparse.Namespace) -> int:
    """Check a proof from the engine against the command line's options and the values saved with the seat, if any."""
    engine, gettext = session.engine, session.translations.gettext
    match = args.match or _last_match_over(await engine.table(link.table))
    proof = await engine.proof(link.table, args.deal, match=match)
    published, saved = verify.published_by(args), SavedSeats(directory(os.environ)).find(link.table)
    kept = saved.kept.get(proof.match) if saved is not None else None
    if saved is not None and kept is not None:
        try:
            seat = (await engine.table(link.table, saved.token)).you
        except UnauthorizedError:
            seat = None
        seeds = published.client_seeds if seat is None else {seat: kept.possible_seeds, **published.client_seeds}
        published = verify.Published(published.commitment or kept.commitment, seeds, published.dealing)
    return await asyncio.to_thread(verify.check_text, msgspec.json.encode(proof).decode(), published, args, gettext)


def _last_match_over(table: Table) -> int:
    return table.match.number if table.status == "over" else max(1, table.match.number - 1)


async def _play(session: Session, args: argparse.Namespace, link: TableLink | None) -> None:
    seats = SavedSeats(directory(os.environ))
    condition = StartCondition(args.friends, args.computers, args.level, args.own_player)
    name = args.name or _user_name()
    chosen = link or await _choose(session, args, seats)
    if isinstance(chosen, TableLink):
        seat, table = await take_seat(session, chosen, seats, args.name, name)
    else:
        game = chosen
        options = check_options(session, game, args.option)
        request = OpenTable(
            game.game, name, options, args.seconds or None, args.listed, hints=args.hints or condition.alone
        )
        seat, table = await open_table(session, request, condition, game, seats)
    await Player(session, seat, seats, await session.engine.game(table.game), condition).play()


async def _server(engine: EngineClient) -> Server | None:
    try:
        return await engine.server()
    except NotFoundError:  # engines of release 0.1.0 do not have this call
        return None


async def _choose(session: Session, args: argparse.Namespace, seats: SavedSeats) -> GameInfo | TableLink:
    """Return the game on the command line or, if none is given, the game or table that the person chooses."""
    games = await session.engine.games()
    chosen_game = next((game for game in games if game.game == args.game), None)
    return chosen_game or await choose_start(session, games, await tables_to_return_to(session, seats))


def _user_name() -> str:
    """Return the operating system's user name as a player's name."""
    try:
        return getpass.getuser().capitalize()
    except (ImportError, KeyError, OSError):
        return "Anna"


if __name__ == "__main__":
    sys.exit(main())
