"""Parameters in paths and headers: how each is decoded, and how the OpenAPI document describes it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from services.engine.http.api import decoding
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.context import HttpRequest
from services.engine.rehearsal import STARTED

JsonSchema: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathParameter:
    """A named part of a path, such as `{table}`."""

    name: str
    decode: Callable[[HttpRequest], object]
    description: str
    schema: JsonSchema
    problems: tuple[str, ...]
    """Codes of the problems for a value that does not exist, such as an unknown table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderParameter:
    """A header that a call takes."""

    name: str
    description: str
    schema: JsonSchema
    variant: str = ""
    """Suffix that distinguishes the header from another one of the same name in the document."""

    @property
    def in_document(self) -> str:
        """The header's name among the components of the OpenAPI document."""
        return f"{self.name}.{self.variant}" if self.variant else self.name


GAME = PathParameter(
    name="game",
    decode=decoding.game,
    description="The game's name.",
    schema={"enum": list(STARTED)},
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
    description="The percent-encoded name of the entry: of an engine or key, a client, or a blocked name.",
    schema={"type": "string"},
    problems=("no_such_entry",),
)
PATH_PARAMETERS = {parameter.name: parameter for parameter in (GAME, TABLE, SEAT, DEAL, SUBSCRIPTION, CODE, ENTRY)}


def path_parameters(path: str) -> tuple[PathParameter, ...]:
    """Return the parameters in a path."""
    return tuple(PATH_PARAMETERS[name] for name in re.findall(r"{(\w+)}", path))


_KEY = (
    "Makes retries safe: a repeated request acts once and gets the first response, for {time} and "
    "among the caller's last 16 writes at the table. Send the same key with each retry, and a new one, such as a "
    "random UUID, with each new request. A key has 16 to 128 visible ASCII characters{fewer}."
)
_KEY_SCHEMA: JsonSchema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]+$"}

IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=_KEY.format(time="up to an hour", fewer="; fewer are accepted here"),
    schema=_KEY_SCHEMA,
)
SECRET_IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=f"{_KEY.format(time='up to a day, while the table exists,', fewer='')} "
    "The token in the response is derived from it, so it must be unguessable.",
    schema=_KEY_SCHEMA | {"minLength": decoding.SHORTEST_SECRET_KEY},
    variant="secret",
)
IF_MATCH = HeaderParameter(
    name="If-Match",
    description="Act only if the table still has this version: the `ETag` of an earlier response. `*` means any.",
    schema={"type": "string", "pattern": rf"^(?:\*|{decoding.ENTITY_TAG.pattern})$"},
)
IF_NONE_MATCH = HeaderParameter(
    name="If-None-Match",
    description="One or several known `ETag`s. If the response has one of them, it is 304 without a body.",
    schema={"type": "string"},
)
LAST_EVENT_ID = HeaderParameter(
    name="Last-Event-ID",
    description="Resume after this event, the last one received. Takes precedence over `after`.",
    schema={"type": "integer", "minimum": 0, "maximum": 999_999_999},
)
SEAT_TOKENS = HeaderParameter(
    name="Seat-Tokens",
    description="Comma-separated tokens of additional seats, whose views are also streamed.",
    schema={"type": "string", "pattern": f"^{decoding.SEAT_TOKENS.pattern}$"},
)
ACCEPT_LANGUAGE = HeaderParameter(
    name="Accept-Language",
    description="The language of texts for people: Italian or English, which is the default.",
    schema={"type": "string"},
)
