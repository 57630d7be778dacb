"""Parameters in paths and headers: how each is decoded, and how the OpenAPI document describes it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from locanda.games.registry import GAME_NAMES
from services.engine.http.api import decoding
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.context import HttpRequest

JsonSchema: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathParameter:
    """A named part of a path, such as `{table}`."""

    name: str
    decode: Callable[[HttpRequest], object]
    description: str
    schema: JsonSchema
    problems: tuple[str, ...]
    """Codes of the problems for a value that does not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderParameter:
    """A header that a call takes."""

    name: str
    description: str
    schema: JsonSchema
    variant: str = ""
    """Suffix that distinguishes it from another header of the same name in the document."""

    @property
    def in_document(self) -> str:
        """Its name among the document's components."""
        return f"{self.name}.{self.variant}" if self.variant else self.name


GAME = PathParameter(
    name="game",
    decode=decoding.game,
    description="The game's name.",
    schema={"enum": list(GAME_NAMES)},
    problems=("no_such_game",),
)
TABLE = PathParameter(
    name="table",
    decode=decoding.table_id,
    description="The table's id.",
    schema={"$ref": "#/components/schemas/TableId"},
    problems=("no_such_table", "rules_changed", "newer_release", "damaged_table"),
)
SEAT = PathParameter(
    name="seat",
    decode=decoding.seat_number,
    description="The seat's number, counted from 0.",
    schema={"type": "integer", "minimum": 0, "maximum": 9},
    problems=("no_such_seat",),
)
DEAL = PathParameter(
    name="deal",
    decode=decoding.deal_number,
    description="The deal's number in its match, counted from 1.",
    schema={"type": "integer", "minimum": 1},
    problems=("no_such_deal", "proof_lost"),
)
SUBSCRIPTION = PathParameter(
    name="subscription",
    decode=decoding.subscription,
    description="The subscription's id.",
    schema={"type": "string", "pattern": f"^{decoding.TABLE.pattern}$"},
    problems=("no_such_subscription",),
)
CODE = PathParameter(
    name="code",
    decode=decoding.problem_code,
    description="The problem's code.",
    schema={"enum": list(PROBLEM_TYPES)},
    problems=("not_found",),
)
ENTRY = PathParameter(
    name="entry",
    decode=decoding.entry,
    description="The name of the entry, percent-encoded: an engine's, a key's, a client's, or a blocked name.",
    schema={"type": "string"},
    problems=("no_such_entry",),
)
PATH_PARAMETERS = {parameter.name: parameter for parameter in (GAME, TABLE, SEAT, DEAL, SUBSCRIPTION, CODE, ENTRY)}


def path_parameters(path: str) -> tuple[PathParameter, ...]:
    """Return the parameters in a path."""
    return tuple(PATH_PARAMETERS[name] for name in re.findall(r"{(\w+)}", path))


_KEY = (
    "Makes a repetition of the request safe: it acts once, and is answered as the first time, for {time} and "
    "among the caller's last 16 writes at the table. Send the same key with each repetition, and a fresh one, a random "
    "UUID say, with each new request. A key has 16 to 128 "
    "visible ASCII characters{fewer}."
)
_KEY_SCHEMA: JsonSchema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]+$"}

IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=_KEY.format(time="up to an hour", fewer="; here fewer are taken too"),
    schema=_KEY_SCHEMA,
)
SECRET_IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=f"{_KEY.format(time='up to a day, while the table lives,', fewer='')} "
    "The token in the answer comes from it, so let nobody guess it.",
    schema=_KEY_SCHEMA | {"minLength": decoding.SHORTEST_SECRET_KEY},
    variant="secret",
)
IF_MATCH = HeaderParameter(
    name="If-Match",
    description="Act only while the table is at this version: the `ETag` of an earlier answer. `*` stands for any.",
    schema={"type": "string", "pattern": rf"^(?:\*|{decoding.ENTITY_TAG.pattern})$"},
)
IF_NONE_MATCH = HeaderParameter(
    name="If-None-Match",
    description="What is known already: an `ETag`, or several; where one is that of the answer, it is 304.",
    schema={"type": "string"},
)
LAST_EVENT_ID = HeaderParameter(
    name="Last-Event-ID",
    description="Go on after this event, the last one that was read. Counts before `after`.",
    schema={"type": "integer", "minimum": 0, "maximum": 999_999_999},
)
SEAT_TOKENS = HeaderParameter(
    name="Seat-Tokens",
    description="Tokens of further seats, with commas between them: the stream then shows what these see as well.",
    schema={"type": "string", "pattern": f"^{decoding.SEAT_TOKENS.pattern}$"},
)
ACCEPT_LANGUAGE = HeaderParameter(
    name="Accept-Language",
    description="The language of the texts for people: Italian or, without the header or where none fits, English.",
    schema={"type": "string"},
)
