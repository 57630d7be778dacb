"""From a request to what it says: its path, query, headers and body. Whatever is wrong is named precisely."""

import hashlib
import re
from typing import Literal, TypeAlias, TypeVar

import msgspec

from services.engine.errors import NoSuchDealError, NoSuchTableError, NoTokenError, WrongTokenError
from services.engine.faults import FaultError, fault
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from services.engine.http.problems import ProblemError
from services.engine.http.request import Request
from services.engine.idempotency import Caller

T = TypeVar("T")

TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
NUMBER = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)
BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]+=*)", re.ASCII | re.IGNORECASE)
KEY = re.compile(r"[\x21-\x7e]{1,128}")
VERSION = re.compile(r'\*|"(?P<number>0|[1-9][0-9]{0,5})"')
ENTITY_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')
SHORTEST_SECRET_KEY = 16
"""What a key must hold at least where an id or a token is derived from it."""
NO_VERSION = -1

Bearer: TypeAlias = Literal["none", "optional", "needed"]
"""Does a call take a seat's token?"""


def table_id(request: Request) -> str:
    """Return the table of the path. Raises `NoSuchTableError`."""
    found = request.named["table"]
    if not TABLE.fullmatch(found):
        raise NoSuchTableError
    return found


def game(request: Request) -> AnyGame:
    """Return the game of the path. Raises `ProblemError` `no_such_game`."""
    name = request.named["game"]
    if name not in GAMES:
        raise ProblemError("no_such_game", f"there are {', '.join(GAMES)}")
    return GAMES[name]


def seat(request: Request) -> int:
    """Return the seat of the path. Raises `ProblemError` `no_such_seat`."""
    found = request.named["seat"]
    if not NUMBER.fullmatch(found):
        raise ProblemError("no_such_seat")
    return int(found)


def deal(request: Request) -> int:
    """Return the deal's number of the path. Raises `NoSuchDealError`."""
    found = request.named["deal"]
    if not NUMBER.fullmatch(found):
        raise NoSuchDealError
    return int(found)


def query(request: Request, type_: type[T]) -> T:
    """Return the query's parameters. Raises `FaultError`, which names the one."""
    if not request.query_string:
        return type_()  # all that a query can say may be left out
    given = dict(request.query)
    if len(given) != len(request.query):
        repeated = next(name for name in given if len(request.query.getall(name)) > 1)
        raise FaultError(repeated, "the parameter is there more than once")
    try:
        return msgspec.convert(given, type_, strict=False)
    except msgspec.ValidationError as error:
        raise fault(error) from None


def header(request: Request, name: str) -> str | None:
    """Return a header that may be there once. Raises `ProblemError` `bad_header`."""
    given = request.headers.getall(name, None)
    if given is None:
        return None
    if len(given) > 1:
        raise ProblemError("bad_header", "the header is there more than once", field=name)
    return given[0].strip()


def token(request: Request) -> str | None:
    """Return the bearer token, none for a spectator. Raises `WrongTokenError` where it cannot be one."""
    given = header(request, "Authorization")
    if given is None:
        return None
    found = BEARER.fullmatch(given)
    if found is None:
        raise WrongTokenError
    return found[1]


def needed_token(request: Request) -> str:
    """Return the bearer token. Raises `NoTokenError` without one, `WrongTokenError` where it cannot be one."""
    found = token(request)
    if found is None:
        raise NoTokenError
    return found


TOKENS = {"none": lambda _: None, "optional": token, "needed": needed_token}


def caller(request: Request, bearer: Bearer = "needed", *, makes_token: bool = False) -> Caller:
    """Return who asks for a write, for which version, and how its repetition is known, once the body is read."""
    asking = TOKENS[bearer](request)
    key = header(request, "Idempotency-Key")
    tag = None if bearer == "none" else header(request, "If-Match")
    version = None if tag is None else _version(tag)
    if key is None:
        return Caller(asking, version)
    _check_key(key, SHORTEST_SECRET_KEY if makes_token else 1)
    if request.body is None:
        raise RuntimeError("the body is to be read first")
    asked = f"{request.method} {request.path}\n".encode("utf-8", "surrogateescape")
    fingerprint = hashlib.sha256(asked + request.body).digest()
    return Caller(asking, version, key, fingerprint)


def _check_key(key: str, shortest: int) -> None:
    if len(key) < shortest or not KEY.fullmatch(key):
        raise ProblemError(
            "bad_header", f"a key is {shortest} to 128 visible ASCII characters", field="Idempotency-Key"
        )


def _version(tag: str) -> int | None:
    """Return the version of `If-Match` (RFC 9110): none where any will do, one that never was for a foreign tag."""
    ours = VERSION.fullmatch(tag)
    if ours is not None:
        return int(ours["number"]) if ours["number"] else None
    if ENTITY_TAG.fullmatch(tag):
        return NO_VERSION
    raise ProblemError("bad_header", 'one entity tag is expected, such as "17"', field="If-Match")


def last_event_id(request: Request) -> int | None:
    """Return the version that `Last-Event-ID` resumes after, none without one. Raises `ProblemError` `bad_header`."""
    given = header(request, "Last-Event-ID")
    if given is None:
        return None
    if not NUMBER.fullmatch(given):
        raise ProblemError("bad_header", "the id of an event is a number", field="Last-Event-ID")
    return int(given)


def matches(request: Request, version: int) -> bool:
    """Tell whether `If-None-Match` names this version (RFC 9110: compared weakly)."""
    return "If-None-Match" in request.headers and any(
        tag.value in (str(version), "*") for tag in request.if_none_match or ()
    )
