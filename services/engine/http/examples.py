"""Examples for the document: a small table, really played, with fixed secrets in the place of random ones."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from services.engine import fairness, proofs
from services.engine.games.registry import GAMES
from services.engine.match import Match
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, DealStart, Moment, MoveMade, Seat, Terms, turn_of
from services.engine.table.view import listing, view
from shared import messages
from shared.games import gatto_rosso

GAME = GAMES[gatto_rosso.NAME]
ID = "exampleTableExampleABC"
TOKEN = "exampleTokenExampleTokenExampleTokenExample"  # noqa: S105  (an example)
SECRET = bytes(32)
AT = Moment(1_800_000_000_000)


@cache
def examples() -> dict[str, Any]:
    """Return an example for each message that has one, by the message's name, as JSON."""
    found = [*_requests(), *_of_rules(), *_of_tables()]
    return {type(example).__name__: msgspec.json.decode(msgspec.json.encode(example)) for example in found}


def _requests() -> list[Struct]:
    return [
        messages.OpenTable("gatto_rosso", "Anna", {"cats": True}, turn_seconds=60, listed=True),
        messages.ChangeTable(options={"pass_lock": True}, turn_seconds=None),
        messages.SitDown("Bruno"),
        messages.GiveSeed("seven tame geese"),
        messages.DealRequest(3, {"cats": True}, dealer=2, seed=SECRET.hex()),
    ]


def _of_rules() -> list[Struct]:
    deal = GAME.deal(gatto_rosso.Options(), 2, 0, SECRET, fairness.shuffle, None)
    move = GAME.moves(deal)[0]
    after, events = GAME.play(deal, move, fairness.shuffle)
    wire = msgspec.to_builtins(move)
    return [
        messages.DealBody(GAME.record(deal)),
        messages.MoveRequest(GAME.record(deal), Raw(msgspec.json.encode(move))),
        messages.ViewRequest(GAME.record(deal), 1),
        messages.ViewAnswer(GAME.view(deal, 1)),
        messages.PlayAnswer(GAME.record(after), [msgspec.to_builtins(event) for event in events], None),
        messages.PlayMove(Raw(msgspec.json.encode(move))),
        messages.LegalMoves(GAME.turn(deal), [wire]),
        messages.Verdict(legal=False, code="must_beat", facts={"card": "2h", "top": "7h"}),
    ]


def _of_tables() -> list[Struct]:
    table = _started()
    seen = view(table, turn_of(table))
    moved, made = _moved(table)
    after = view(moved, turn_of(table))
    start = DealStart(GAME.rules, table.options, table.match, None)
    return [
        seen,
        messages.Seated(view(table, 1), 1, TOKEN),
        messages.Moved(after, list(moved.events)),
        messages.EventItem(moved.version, "change", after),
        messages.EventPage([messages.EventItem(moved.version, "change", after)]),
        messages.TablePage([listing(_seated())], None),
        proofs.prove(GAME, start, made),
    ]


def _seated() -> AnyTable:
    host, guest = (Seat(name, "person", token=name.encode().ljust(32)) for name in ("Anna", "Bruno"))
    terms = Terms(gatto_rosso.Options(), 60, listed=True)
    opened = seating.open_table(Match(ID, 1, SECRET), GAME, host, terms, AT.now).table
    return seating.sit(opened, guest).table


def _started() -> AnyTable:
    return playing.start(_seated(), 0, AT).table


def _moved(table: AnyTable) -> tuple[AnyTable, list[MoveMade]]:
    """Return the table after one move, and every move of the deal to its end."""
    first, made = None, []
    while (turn := turn_of(table)) is not None:
        move = GAME.moves(table.deal)[0]
        made.append(MoveMade(turn, msgspec.to_builtins(move)))
        table = playing.play(table, turn, move, AT).table
        first = first or table
    return first or table, made
