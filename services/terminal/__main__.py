"""`locanda`, or `python -m services.terminal`."""

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Sequence

from services.terminal.arguments import language_of, parser
from services.terminal.desk import Desk
from services.terminal.failures import FailureError, failure
from services.terminal.hosting import Gathering
from services.terminal.paper import Paper, cleaned
from services.terminal.places import Place, Seats, directory, place
from services.terminal.player import Player
from services.terminal.proving import check_file, check_table
from services.terminal.sitting import choose_game, open_table, options, take_seat
from services.terminal.watching import watch
from shared.client import EngineClient, Patience
from shared.errors import EngineError
from shared.messages import OpenTable
from shared.translate import Words, spoken, translator

FAILED = 1
INTERRUPTED = 130
PATIENCE = Patience(tries=4)
"""A person would rather be told soon, and try again."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of the process."""
    language = language_of(os.environ)
    asking = parser(translator(language))
    asked = asking.parse_args(arguments)
    words = translator(asked.language or language)
    where = place(asked.table, asked.server) if asked.table else None
    if asked.table and where is None:
        asking.error(words.gettext("a table is named by its link, or by its id of 22 letters"))
    if asked.command == "verify" and asked.proof:
        return check_file(asked.proof)
    try:
        return asyncio.run(_serve(asked, where, words))
    except FailureError as error:
        print(cleaned(str(error)), file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILED


async def _serve(asked: argparse.Namespace, where: Place | None, words: Words) -> int:
    """Do what was asked for. Raises `FailureError`."""
    server = where.server if where else asked.server
    api_key = os.environ.get("LOCANDA_API_KEY") or None
    language = spoken(words)
    async with EngineClient.connect(server, api_key=api_key, language=language, patience=PATIENCE) as engine:
        try:
            if asked.command == "verify" and where:
                return await check_table(engine, where.table, asked.deal, asked.match)
            desk = Desk(engine, server, Paper(), words)
            desk.ears.listen()
            await (_watch(desk, where) if asked.command == "watch" and where else _play(desk, asked, where))
        except EngineError as error:
            raise FailureError(failure(error, None, server, words)) from error
    return 0


async def _watch(desk: Desk, where: Place) -> None:
    table = await desk.engine.table(where.table)
    await watch(desk, where, await desk.engine.game(table.game))


async def _play(desk: Desk, asked: argparse.Namespace, where: Place | None) -> None:
    seats, gathering = Seats(directory(os.environ)), Gathering(asked.friends, asked.computers)
    name = asked.name or _user()
    if where:
        seat, table = await take_seat(desk, where, seats, name)
    else:
        games = await desk.engine.games()
        game = next((game for game in games if game.game == asked.game), None) or await choose_game(desk, games)
        terms = options(desk, game, asked.option)
        wish = OpenTable(game.game, name, terms, asked.seconds or None, asked.listed)
        seat, table = await open_table(desk, wish, gathering, game, seats)
    await Player(desk, seat, seats, await desk.engine.game(table.game), gathering).play()


def _user() -> str:
    """Return the name under which the person is known to the machine."""
    try:
        return getpass.getuser().capitalize()
    except (ImportError, KeyError, OSError):
        return "Anna"


if __name__ == "__main__":
    sys.exit(main())
