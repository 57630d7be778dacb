"""The entry point: parses the command line, connects to the engine, and runs `play`, `watch` or `verify`."""

import argparse
import asyncio
import dataclasses
import getpass
import os
import sys
from collections.abc import Sequence

import msgspec

from locanda import verify
from locanda.client import EngineClient, RetryPolicy
from locanda.errors import EngineError, NotFoundError, UnauthorizedError
from locanda.messages import GameInfo, OpenTable, Table
from locanda.translations import Translations, language_of, translations_in

from .arguments import command_line_parser, locale_language
from .keyboard import reading
from .lobby import StartCondition, check_options, choose_start, open_table, tables_to_return_to, take_seat
from .output import Output, without_control_characters
from .player import Player, watch
from .saved_seats import SavedSeats, TableLink, directory, parse_link
from .session import CommandError, Session

FAILED = 1
INTERRUPTED = 130
RETRY = RetryPolicy(tries=4)
"""Fewer tries than the client's default: a person can repeat the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, `sys.argv` by default; return the exit code of the process."""
    language = locale_language(os.environ)
    parser = command_line_parser(translations_in(language))
    # Without a word, play: what was left last comes first.
    args = parser.parse_args((sys.argv[1:] if arguments is None else arguments) or ["play"])
    translations = translations_in(args.language or language)
    link = parse_link(args.table, args.server) if args.table else None
    if args.table and link is None:
        parser.error(translations.gettext("a table is named by its link, or by its id of 22 letters"))
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
    """Run a command that needs the engine; return the exit code. Raises `CommandError`."""
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
    if args.command == "watch" and link:
        table = await session.engine.table(link.table)
        await watch(session, link, await session.engine.game(table.game))
    else:
        public_url = await _public_url(session.engine)
        await _play(dataclasses.replace(session, public_url=public_url), args, link)


async def _verify(session: Session, link: TableLink, args: argparse.Namespace) -> int:
    """Check a proof that the engine has, by what the command line says and what was kept with the seat, if any."""
    engine, gettext = session.engine, session.translations.gettext
    match = args.match or _last_match_over(await engine.table(link.table))
    proof = await engine.proof(link.table, args.deal, match=match)
    given, saved = verify.published_by(args), SavedSeats(directory(os.environ)).find(link.table)
    kept = saved.kept.get(proof.match) if saved is not None else None
    if saved is not None and kept is not None:
        try:
            seat = (await engine.table(link.table, saved.token)).you
        except UnauthorizedError:
            seat = None
        seeds = given.client_seeds if seat is None else {seat: kept.possible_seeds, **given.client_seeds}
        given = verify.Published(given.commitment or kept.commitment, seeds)
    return await asyncio.to_thread(verify.check_text, msgspec.json.encode(proof).decode(), given, args, gettext)


def _last_match_over(table: Table) -> int:
    """Return the number of the table's last match that is over; of its first match where none is."""
    return table.match.number if table.status == "over" else max(1, table.match.number - 1)


async def _play(session: Session, args: argparse.Namespace, link: TableLink | None) -> None:
    seats, condition = SavedSeats(directory(os.environ)), StartCondition(args.friends, args.computers, args.level)
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


async def _public_url(engine: EngineClient) -> str | None:
    try:
        return (await engine.server()).public_url
    except NotFoundError:  # an engine of release 0.1.0
        return None


async def _choose(session: Session, args: argparse.Namespace, seats: SavedSeats) -> GameInfo | TableLink:
    """Return the game that the command line names; where it names none, what the person chooses."""
    games = await session.engine.games()
    found = next((game for game in games if game.game == args.game), None)
    return found or await choose_start(session, games, await tables_to_return_to(session, seats))


def _user_name() -> str:
    """Return the name of the operating system's user, as a player's name."""
    try:
        return getpass.getuser().capitalize()
    except (ImportError, KeyError, OSError):
        return "Anna"


if __name__ == "__main__":
    sys.exit(main())
