"""`locanda export`: writes finished matches as JSON lines, with a seat's view before every move.

    async with EngineClient.connect(url) as engine:
        async for match in exported_matches(engine, table, token):
            ...

Without asyncio: `for match in engine.iterate(exported_matches, table, token)` with an engine of `locanda.sync`.

The engine's proof of a deal contains the deal's start and moves. This package's rules compute the views and legal moves
from them. Players' names are left out.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec
from msgspec import Struct

from locanda.client import EngineClient
from locanda.client.transport import SERVER, engine_address
from locanda.command import print_what_the_encoding_lacks
from locanda.errors import EngineError, NotFoundError
from locanda.games.base import Result
from locanda.games.game import AnyGame
from locanda.games.points import rank_by_points
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from locanda.messages import JsonObject, Proof, Table
from locanda.messages.links import is_table_id, parse_link


class ExportError(ValueError):
    """A match cannot be exported; the message says why."""


class ExportedStep(Struct, frozen=True):
    """A move, with the view before it."""

    turn: int
    """The seat that made the move."""
    viewer: int
    """The seat of the view: the exported seat, or otherwise the seat on turn."""
    view: Any
    moves: list[Any]
    """The legal moves; empty if the viewer was not on turn."""
    move: Any
    events: list[Any]


class ExportedDeal(Struct, frozen=True):
    """A deal of a match, move by move."""

    steps: list[ExportedStep]
    end: Any
    """The view after the last move: the exported seat's, or otherwise a spectator's."""
    proof: Proof
    """The proof, which `locanda-verify` can check; its `result` is the deal's result."""


class ExportedMatch(Struct, frozen=True, kw_only=True):
    """A finished match."""

    table: str
    game: str
    rules: int
    """The version of the game's rules."""
    match: int
    """Number of the match at its table, counted from 1."""
    options: JsonObject
    """The options that differ from the game's defaults."""
    seats: int
    seat: int | None
    """The seat of all views; null if each view is that of the seat on turn."""
    result: Result
    deals: list[ExportedDeal]


class WantedTable(NamedTuple):
    """A table whose matches are to be exported."""

    server: str
    table: str
    token: str | None


class _Place(Struct, frozen=True):
    server: str
    table: str


class SeatOfTable(Struct, frozen=True):
    """A seat in a line of a `--seats` file, or in the terminal client's file, which has `place` instead of `table`."""

    token: str
    table: str = ""
    """A table's link, or its id."""
    place: _Place | None = None

    @property
    def link(self) -> str:
        """The table's link or id."""
        return self.table if self.place is None else f"{self.place.server}/t/{self.place.table}"


# --- matches


async def exported_matches(
    engine: EngineClient, table: str, token: str | None = None, *, seat: int | None = None
) -> AsyncGenerator[ExportedMatch, None]:
    """Yield the finished matches of a table as `seat` saw them; by default, as the token's seat did.

    Without `seat` and `token`, each view is that of the seat on turn. Raises `ExportError` if a match cannot be
    exported, and `EngineError` if a request fails.
    """
    now = await engine.table(table, token)
    game = GAMES.get(now.game)
    if game is None or game.rules != now.rules:
        raise ExportError(f"the rules of {now.game} that the server has, version {now.rules}, are not at hand")
    viewer = now.you if seat is None else seat
    if viewer is not None and viewer >= len(now.seats):
        raise ExportError(f"there is no seat {viewer} at table {table}")
    for number in range(1, now.match.number + 1):
        if number < now.match.number or now.match.result is not None:
            proofs = [proof async for proof in _proofs(engine, table, number)]
            if proofs:
                yield _match(game, now, number, proofs, viewer)


async def _proofs(engine: EngineClient, table: str, match: int) -> AsyncIterator[Proof]:
    deal = 1
    while True:
        try:
            yield await engine.proof(table, deal, match=match)
        except NotFoundError as error:
            if error.code != "no_such_deal":
                raise
            return
        deal += 1


def _match(game: AnyGame, table: Table, number: int, proofs: Sequence[Proof], viewer: int | None) -> ExportedMatch:
    last = proofs[-1].result
    points = tuple(map(sum, zip(*(proof.result.points for proof in proofs), strict=True)))
    return ExportedMatch(
        table=table.id,
        game=game.name,
        rules=game.rules,
        match=number,
        options=table.options,
        seats=len(points),
        seat=viewer,
        result=Result(rank_by_points(points, fewest_wins=game.fewest_wins), points, last.reason, last.teams),
        deals=[_deal(game, proof, viewer) for proof in proofs],
    )


def _deal(game: AnyGame, proof: Proof, seat: int | None) -> ExportedDeal:
    """Play the moves of a proof by the rules. Raises `ExportError` if a move is illegal or the results differ."""
    deal, steps = game.from_wire(proof.start), list[ExportedStep]()
    for number, made in enumerate(proof.moves):
        move = msgspec.convert(made.move, game.move_type)
        if deal.turn != made.seat or game.check(deal, move) is not None:
            raise ExportError(f"move {number} of deal {proof.deal} is against the rules that are at hand")
        viewer = made.seat if seat is None else seat
        following, events = game.play(deal, move, shuffle)
        legal = game.moves(deal) if viewer == made.seat else []
        steps.append(ExportedStep(made.seat, viewer, game.view(deal, viewer), legal, move, events))
        deal = following
    if game.result(deal) != proof.result:
        raise ExportError(f"deal {proof.deal} ends otherwise by the rules that are at hand")
    return ExportedDeal(steps, game.view(deal, seat), proof)


# --- the command


def wanted_tables(arguments: argparse.Namespace) -> Iterator[WantedTable]:
    """Yield each table named on the command line or in `--seats`. Raises `ExportError` for an invalid table or file."""
    for link in arguments.tables:
        yield WantedTable(*_parsed(link, arguments.server), None)
    for path in arguments.seats:
        for text in _texts(path):
            seat = _read_seat(text, path)
            yield WantedTable(*_parsed(seat.link, arguments.server), seat.token)


def _parsed(link: str, server: str) -> tuple[str, str]:
    parsed_link = parse_link(link.strip(), server)
    if parsed_link is None:
        raise ExportError(f"{link!r} is neither a link to a table nor the id of one")
    return parsed_link.server, parsed_link.table


def _texts(path: str) -> Iterable[bytes]:
    """Read the lines of a file, of standard input (`-`), or of a folder's JSON files. Raises `ExportError`."""
    try:
        if path == "-":
            return sys.stdin.buffer.read().splitlines()
        files = sorted(Path(path).glob("*.json")) if Path(path).is_dir() else [Path(path)]
        return [line for file in files for line in file.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        raise ExportError(f"{path} cannot be read: {error.strerror}") from None


def _read_seat(text: bytes, path: str) -> SeatOfTable:
    try:
        return msgspec.json.decode(text, type=SeatOfTable)
    except (msgspec.DecodeError, UnicodeDecodeError):  # not chained: the message would show the token in the line
        raise ExportError(f'{path}: a line is not {{"table": "LINK", "token": "TOKEN"}}') from None


async def export(tables: Sequence[WantedTable], seat: int | None, file: TextIO) -> int:
    """Write the matches of all tables; report failures on standard error. Return the exit code."""
    written, failed = 0, 0
    async with AsyncExitStack() as stack:
        engines: dict[str, EngineClient] = {}
        for server, table, token in tables:
            try:
                if server not in engines:
                    engines[server] = await stack.enter_async_context(EngineClient.connect(server))
                async for match in exported_matches(engines[server], table, token, seat=seat):
                    line = msgspec.json.encode(match).decode()
                    await asyncio.to_thread(print, line, file=file, flush=True)
                    written += 1
            except (EngineError, ExportError) as error:
                failed += 1
                print(f"{server}/t/{table}: {error}", file=sys.stderr)
    print(f"matches: {written}, tables: {len(tables) - failed}", file=sys.stderr)
    return 1 if failed else 0


def command_line_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line arguments."""
    parser = argparse.ArgumentParser(
        prog="locanda export",
        description="Write matches that are over as JSON, a line each: every move with what was seen before it, the "
        "results, the proofs. Players' names are left out.",
    )
    parser.add_argument("tables", nargs="*", metavar="LINK", help="the link of a table, or its id")
    seats_help = 'lines {"table": "LINK", "token": "TOKEN"}, - for standard input, or a folder of seats that the '
    parser.add_argument("--seats", action="append", default=[], metavar="FILE", help=f"{seats_help}terminal has saved")
    seat_help = "write what this seat saw; default: the seat of the token, or the seat on turn"
    parser.add_argument("--seat", type=int, choices=range(10), metavar="N", help=seat_help)
    parser.add_argument("--output", metavar="FILE", help="a file to write; else standard output")
    default = os.environ.get("LOCANDA_SERVER") or SERVER
    parser.add_argument("--server", default=default, type=engine_address, metavar="URL", help="of tables without one")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the matches that the command line asks for; return the exit code."""
    parser = command_line_parser()
    words = sys.argv[1:] if arguments is None else arguments
    # argparse reads a table id that begins with `-` as an option. A space in front prevents that.
    args = parser.parse_args([f" {word}" if word.startswith("-") and is_table_id(word) else word for word in words])
    if not args.tables and not args.seats:
        parser.error("name a table, or --seats")
    print_what_the_encoding_lacks()
    try:
        tables = list(wanted_tables(args))
        if args.output is None:
            return asyncio.run(export(tables, args.seat, sys.stdout))
        with Path(args.output).open("w", encoding="utf-8") as file:
            return asyncio.run(export(tables, args.seat, file))
    except (ExportError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
