"""Sample tables, views and view models with replaceable fields, and helpers that read screens."""

import re
from datetime import UTC, datetime
from html import unescape

from msgspec import structs

from locanda.games.base import Result
from locanda.games.gatto_rosso.types import Options, View
from locanda.messages import (
    GameInfo,
    GameName,
    GivenMove,
    GivenOptions,
    JsonObject,
    Localized,
    Match,
    OptionsSchema,
    PastDeal,
    Players,
    Seat,
    Table,
)
from services.telegram.callback_data import MakeMove
from services.telegram.move_codes import code_of
from services.telegram.records import ChatTable, DealSlot, HandSlot, LobbySlot
from services.telegram.screens.screen import Button, Screen
from services.telegram.screens.table import TableViewModel

NOW = datetime(2026, 1, 31, 20, 0, tzinfo=UTC)
REF = "Ab3-Ef_8"
GROUP, ANNA, BRUNO = -500, 11, 12
CHAT_TABLE = ChatTable(REF, GROUP, None, "A", "gatto_rosso", ANNA)
LOBBY_SLOT = LobbySlot(REF)
TABLE_SLOT = DealSlot(REF, 1, 1)
HAND_SLOT = HandSlot(REF, ANNA)
SEED = "5a" * 32
COMMITMENT = "c0" * 32

PROPERTIES: JsonObject = {
    "cats": {"type": "boolean", "title": "The cats", "description": "Cats beat more.", "default": False},
    "three_suits": {
        "title": "Three suits",
        "description": "For two.",
        "default": None,
        "oneOf": [
            {"const": None, "title": "all four suits"},
            {"const": "s", "title": "without spades", "maxPlayers": 2},
        ],
    },
    "deals": {
        "type": "integer",
        "title": "Deals",
        "description": "How many.",
        "default": 1,
        "minimum": 1,
        "maximum": 20,
    },
}
GAME = GameInfo(
    GameName("gatto_rosso"),
    1,
    Localized("Gatto Rosso Gatto Grigio", "Red Cat Grey Cat"),
    Players(2, 10, (2, 6)),
    "italian_40",
    OptionsSchema({"properties": PROPERTIES}, {"properties": PROPERTIES}),
    Localized("Si prende con coppie e tris.", "One takes with pairs and threes."),
)


def view(**changes: object) -> View:
    """Return a view of a deal in which Bruno (seat 1) has to beat Anna's 7 of hearts."""
    standard = View(
        seat=1,
        options=Options(),
        dealer=2,
        turn=1,
        shuffles=1,
        hand=("Ah", "2d", "Ks"),
        counts=(3, 3, 4),
        stock_count=20,
        table=("5h", "7h"),
        last=0,
        passes=0,
        captured=(4, 0, 6),
        sitting_out=(),
    )
    return structs.replace(standard, **changes)


def match(**changes: object) -> Match:
    """Return a first match in its first deal."""
    return structs.replace(Match(1, 1, (0, 0, 0), None, COMMITMENT, None, None), **changes)


def past_deal(number: int, points: tuple[int, int, int]) -> PastDeal:
    """Return a finished deal won by Bruno; `points` are the match's points after the deal."""
    result = {"ranking": [[1], [0], [2]], "points": [10, 20, 5], "reason": "closed"}
    return PastDeal(number, points, {"type": "deal_over", "result": result})


def table(**changes: object) -> Table:
    """Return a table with Anna, Bruno and the computer player Ugo, as Bruno sees it."""
    standard = Table(
        id="T" * 22,
        game=GameName("gatto_rosso"),
        rules=1,
        options=GivenOptions({}),
        status="playing",
        version=17,
        host=0,
        you=1,
        listed=False,
        seats=(
            Seat(0, "Anna", "person", None, away=False),
            Seat(1, "Bruno", "person", None, away=False),
            Seat(2, "Ugo", "computer", "medium", away=False),
        ),
        match=match(),
        deal=view(),
        turn_seconds=60,
        deadline=datetime(2026, 1, 31, 20, 1, tzinfo=UTC),
        moves=[GivenMove({"type": "play", "card": "2d"})],
        events=[],
    )
    return structs.replace(standard, **changes)


def view_model(**changes: object) -> TableViewModel:
    """Return Bruno's view model of the sample table."""
    return structs.replace(TableViewModel(ref=REF, game=GAME, table=table(), now=NOW), **changes)


def over(*points: int, ranking: tuple[tuple[int, ...], ...]) -> Table:
    """Return the sample table after the end of its match."""
    result = Result(ranking, points)
    finished = view(turn=None, hand=(), table=())
    return table(status="over", match=match(result=result, points=points, server_seed=SEED), deal=finished, moves=[])


def read(screen: Screen) -> str:
    """Return a screen's text as people read it, without markup."""
    return unescape(re.sub(r"<[^>]+>", "", screen.text))


def keys(screen: Screen) -> list[Button]:
    """Return all buttons of a screen."""
    return [button for row in screen.rows for button in row]


def key(screen: Screen, label: str) -> Button:
    """Return the button of a screen with this label."""
    return next(button for button in keys(screen) if button.label == label)


def makes(game: str, move: JsonObject) -> MakeMove:
    """Return the callback data of a button that makes a move at the sample table."""
    return MakeMove(REF, 17, code_of(game, move))
