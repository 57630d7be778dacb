"""Decoders of a request's path, query, headers and body. Their errors name the invalid part."""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import unquote

import msgspec
from aiohttp import hdrs
from msgspec import Meta, Struct

from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.messages import PlayerName, Request
from services.common.names import is_name
from services.engine.errors import ProblemError
from services.engine.http.problems.responses import HttpProblemError
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.context import HttpRequest
from services.engine.http.server.responses import JSON
from services.engine.service.errors import NoSuchTableError
from services.engine.service.idempotency import Caller
from services.engine.service.validation import ValidationError, validation_error

TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
NUMBER = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)
TOKEN68 = "[A-Za-z0-9._~+/-]+=*"
"""The characters of a bearer token (RFC 9110, section 11.2)."""
BEARER = re.compile(rf"Bearer +({TOKEN68})", re.ASCII | re.IGNORECASE)
MOST_SEATS = 10
SEAT_TOKENS = re.compile(rf"{TOKEN68}( *, *{TOKEN68}){{0,{MOST_SEATS - 1}}}", re.ASCII)
KEY = re.compile(r"[\x21-\x7e]{1,128}")
VERSION = re.compile(r'\*|"(?P<number>0|[1-9][0-9]{0,8})(-[a-z]{2})?"')
"""Entity tag of a table: its version and, if the response contains sentences for people, their language."""
EVENT_ID = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?", re.ASCII)
ENTITY_TAG = re.compile(r'"[\x21\x23-\x7e]*"')
"""A strong entity tag. `If-Match` does not accept weak tags (RFC 9110, section 8.8.3.2)."""
SHORTEST_SECRET_KEY = 16
"""Minimum length of an idempotency key, if an id or a token is derived from it."""
UNKNOWN_VERSION = -1
"""Version that an entity tag from another server is read as. No table has this version."""

BearerUse: TypeAlias = Literal["none", "optional", "required"]
"""Whether a call takes a seat's token."""

# --- path


def table_id(request: HttpRequest) -> str:
    """Return the id of the table in the path. Raises `NoSuchTableError` for a text that cannot be an id."""
    text = request.path_values["table"]
    if not TABLE.fullmatch(text):
        raise NoSuchTableError
    return text


def game(request: HttpRequest) -> AnyGame:
    """Return the game in the path. Raises `ProblemError` `no_such_game`."""
    name = request.path_values["game"]
    if name not in GAMES:
        raise ProblemError("no_such_game", f"there are {', '.join(GAMES)}")
    return GAMES[name]


def seat_number(request: HttpRequest) -> int:
    """Return the number of the seat in the path. Raises `ProblemError` `no_such_seat`."""
    text = request.path_values["seat"]
    if not NUMBER.fullmatch(text):
        raise ProblemError("no_such_seat")
    return int(text)


def deal_number(request: HttpRequest) -> int:
    """Return the number of the deal in the path. Raises `ProblemError` `no_such_deal`."""
    text = request.path_values["deal"]
    if not NUMBER.fullmatch(text):
        raise ProblemError("no_such_deal")
    return int(text)


def problem_code(request: HttpRequest) -> str:
    """Return the code of the problem in the path. Raises `ProblemError` `not_found`."""
    text = request.path_values["code"]
    if text not in PROBLEM_TYPES:
        raise ProblemError("not_found")
    return text


def subscription(request: HttpRequest) -> str:
    """Return the subscription's id in the path. Raises `ProblemError` `no_such_subscription`."""
    text = request.path_values["subscription"]
    if not TABLE.fullmatch(text):
        raise ProblemError("no_such_subscription")
    return text


def entry(request: HttpRequest) -> str:
    """Return the name of a list entry in the path, percent-decoded. Raises `ProblemError` `no_such_entry`."""
    try:
        return unquote(request.path_values["entry"], errors="strict")
    except UnicodeDecodeError:
        raise ProblemError("no_such_entry") from None


# --- query


class WordsQuery(Request, frozen=True):
    """Query parameter `words`, for calls that can add sentences for people to their response."""

    words: Annotated[
        bool, Meta(description="Whether to add sentences for people, in the language of `Accept-Language`.")
    ] = False


def query_decoder(type_: type[Struct], *, worded: bool = False) -> Callable[[HttpRequest], Struct]:
    """Return a decoder of the query's parameters, all optional.

    With `worded`, it ignores the parameter of `WordsQuery`. The decoder raises `ValidationError`, which names the
    parameter.
    """

    default = type_()

    def decode(request: HttpRequest) -> Struct:
        if not request.query_string:
            return default
        parameters = dict(request.query)
        if len(parameters) != len(request.query):
            raise ValidationError(
                _repeated(name for name, _ in request.query.items()), "the parameter occurs more than once"
            )
        if worded:
            parameters.pop("words", None)
        try:
            return msgspec.convert(parameters, type_, strict=False)
        except msgspec.ValidationError as error:
            raise validation_error(error, type_, also=["words"] if worded else []) from None

    return decode


def words(request: HttpRequest) -> bool:
    """Return whether the request asks for sentences for people (`words=true`). Raises `ValidationError`."""
    values = request.query.getall("words", ()) if request.query_string else ()
    if not values:
        return False
    try:
        return msgspec.convert({"words": values[-1]}, WordsQuery, strict=False).words
    except msgspec.ValidationError as error:
        raise validation_error(error, WordsQuery) from None


def no_query(request: HttpRequest) -> None:
    """Refuse any query parameter. Raises `ValidationError`, which names the first parameter."""
    if request.query_string:
        for name in request.query:
            raise ValidationError(name, "the call has no such parameter")


# --- headers


def header(request: HttpRequest, name: str) -> str | None:
    """Return a header that may occur at most once. Raises `ProblemError` `bad_header` if it occurs twice."""
    values = request.headers.getall(name, None)
    if values is None:
        return None
    if len(values) > 1:
        raise ProblemError("bad_header", "the header occurs more than once", field=name)
    return values[0].strip()


def _no_token(_: HttpRequest) -> None:
    return None


def token(request: HttpRequest) -> str | None:
    """Return the bearer token, None for a spectator. Raises `ProblemError` `wrong_token` if it is malformed."""
    credentials = header(request, "Authorization")
    if credentials is None:
        return None
    match = BEARER.fullmatch(credentials)
    if match is None:
        expected = "the header is `Bearer`, a space, and a seat's token"
        raise ProblemError("wrong_token", expected, field="Authorization")
    return match[1]


def required_token(request: HttpRequest) -> str:
    """Return the bearer token. Raises `ProblemError` `no_token` if there is none, and the errors of `token`."""
    bearer_token = token(request)
    if bearer_token is None:
        raise ProblemError("no_token")
    return bearer_token


TOKEN_DECODERS: dict[BearerUse, Callable[[HttpRequest], str | None]] = {
    "none": _no_token,
    "optional": token,
    "required": required_token,
}


def caller_decoder(bearer_use: BearerUse, *, if_match: bool, secret_key: bool) -> Callable[[HttpRequest], Caller]:
    """Return a decoder of the caller of a write: token, idempotency key, and expected version.

    `if_match`: the call takes the header `If-Match`. `secret_key`: a token is derived from the idempotency key, so the
    key must be long. Decode the body before the caller, since the request's fingerprint includes the body.
    """
    decode_token = TOKEN_DECODERS[bearer_use]
    shortest = SHORTEST_SECRET_KEY if secret_key else 1

    def decode(request: HttpRequest) -> Caller:
        token = decode_token(request)
        key = header(request, "Idempotency-Key")
        tag = header(request, "If-Match") if if_match else None
        version = None if tag is None else _version(tag)
        if key is None:
            return Caller(token, version, account=request.account)
        _check_key(key, shortest)
        if request.body is None:
            raise RuntimeError("the body must be read first")
        request_line = f"{request.method} {request.rel_url.path_safe}\n".encode("utf-8", "surrogateescape")
        return Caller(token, version, key, hashlib.sha256(request_line + request.body).digest(), request.account)

    return decode


def _check_key(key: str, shortest: int) -> None:
    if len(key) < shortest or not KEY.fullmatch(key):
        raise ProblemError(
            "bad_header", f"a key is {shortest} to 128 visible ASCII characters", field="Idempotency-Key"
        )


def _version(tag: str) -> int | None:
    """Return the version in an `If-Match` header (RFC 9110, section 13.1.1), None for `*`."""
    ours = VERSION.fullmatch(tag)
    if ours is not None:
        return int(ours["number"]) if ours["number"] else None
    if ENTITY_TAG.fullmatch(tag):
        return UNKNOWN_VERSION
    weak = "; a weak tag never matches" if tag.startswith("W/") else ""
    raise ProblemError("bad_header", f'one entity tag is expected, such as "17"{weak}', field="If-Match")


def address(request: HttpRequest) -> str:
    """Return the engine's address from the `Host` header. The scheme is `http`, since TLS ends at a proxy."""
    host = request.headers.get(hdrs.HOST, "")
    return f"http://{host}" if HOST.fullmatch(host) else "http://127.0.0.1:8080"


def last_event_id(request: HttpRequest) -> int | None:
    """Return the version in `Last-Event-ID`, if any. Raises `ProblemError` `bad_header`."""
    event_id = header(request, "Last-Event-ID")
    if event_id is None:
        return None
    if not EVENT_ID.fullmatch(event_id):
        raise ProblemError("bad_header", "the id of an event is a number", field="Last-Event-ID")
    return int(event_id)


def seat_tokens(request: HttpRequest) -> Sequence[str]:
    """Return the additional tokens in `Seat-Tokens`. Raises `ProblemError` `bad_header`."""
    header_text = header(request, "Seat-Tokens")
    if header_text is None:
        return ()
    if not SEAT_TOKENS.fullmatch(header_text):
        raise ProblemError(
            "bad_header", f"1 to {MOST_SEATS} tokens are expected, with commas between them", field="Seat-Tokens"
        )
    return [text.strip() for text in header_text.split(",")]


def if_none_match(request: HttpRequest, known: str) -> bool:
    """Return whether `If-None-Match` contains this entity tag, by weak comparison (RFC 9110, section 13.1.2)."""
    return "If-None-Match" in request.headers and any(tag.value in (known, "*") for tag in request.if_none_match or ())


# --- body

_FRACTION = re.compile(rb"[0-9](?<=[:\[,\s-][0-9])[0-9]*[.eE]")
"""Matches a number with a fraction or exponent. The pattern begins with a digit, which `re` searches for fast; a
pattern that began with a space would match too often.
"""
LONG_BODY = 8192
"""Size in bytes above which decoding a body yields to the event loop afterwards."""
LARGEST_INTEGER = 2**53
"""Integers above 2**53 are read as 2**53. No field allows that value, so the result is the same; otherwise `1.0e308`
would become an integer of 309 digits.
"""
NAME_EXPECTED = "a name begins visibly, and has no hidden characters, stacked marks or words that Locanda itself uses"


def _value(octets: bytes) -> object:
    """Return the value of a body that does not fit its type, for the error message; None if the body is not JSON."""
    try:
        return msgspec.json.decode(octets)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def body_decoder(type_: type[Struct]) -> Callable[[HttpRequest], Awaitable[Any]]:
    """Return a decoder of JSON bodies. It raises `ValidationError`, or `ProblemError` if the body is not JSON."""
    decoder = msgspec.json.Decoder(type_)
    names = [field.name for field in msgspec.structs.fields(type_) if field.type is PlayerName]

    async def decode(request: HttpRequest) -> Any:  # noqa: ANN401  (the type that the route declares)
        headers = request.headers
        if headers.get(hdrs.CONTENT_TYPE) != JSON or hdrs.CONTENT_ENCODING in headers:
            _check_type(request)
        octets = await request.read()
        try:
            body = decoder.decode(octets if _plain(octets) else _normalized(octets))
        except msgspec.ValidationError as error:
            raise validation_error(error, type_, value=_value(octets)) from None
        except UnicodeDecodeError:
            raise ProblemError("bad_json", "the body is not UTF-8") from None
        except (msgspec.DecodeError, json.JSONDecodeError) as error:
            raise ProblemError("bad_json", str(error)) from None
        except RecursionError:
            raise ProblemError("bad_json", "the body is nested too deeply") from None
        if len(octets) > LONG_BODY:
            await asyncio.sleep(0)  # let other requests run before this request continues
        for name in names:
            if not is_name(getattr(body, name)):
                raise ValidationError(name, NAME_EXPECTED)
        return body

    return decode


async def no_body(request: HttpRequest) -> None:
    """Raise `ValidationError` for a body other than an empty object."""
    if (await request.read()).strip() not in (b"", b"{}"):
        raise ValidationError("", "this call takes no body")


def _check_type(request: HttpRequest) -> None:
    """Refuse compressed bodies, and media types other than JSON in UTF-8, however they are spelt."""
    if request.content_type != JSON or (request.charset or "utf-8").lower() not in ("utf-8", "utf8"):
        raise ProblemError("unsupported_media_type", f"send Content-Type: {JSON}", field="Content-Type")
    if hdrs.CONTENT_ENCODING in request.headers:
        plain = {"Accept-Encoding": "identity"}
        raise HttpProblemError(
            "unsupported_media_type", "send it uncompressed", field="Content-Encoding", headers=plain
        )


def _plain(octets: bytes) -> bool:
    """Return whether the body certainly has no repeated name and no fraction: a quick check that most bodies pass."""
    if b"\\" in octets or _FRACTION.search(octets):
        return False
    parts = octets.split(b'":')
    # there is a colon inside a string or after a space, so splitting at `":` does not find the names
    if octets.count(b":") >= len(parts):
        return False
    return len({part[part.rfind(b'"') :] for part in parts[:-1]}) == len(parts) - 1


def _normalized(octets: bytes) -> bytes:
    """Return the body with whole numbers written as integers, and without numbers that msgspec reads slowly.

    JSON Schema accepts 7.0 as an integer, msgspec does not. No field is a fraction, so any fraction will be refused.
    Raises `ValidationError` if an object has a name twice: RFC 8259, section 4, does not say which one counts.
    """
    body = json.loads(
        octets.decode(),
        object_pairs_hook=_object,
        parse_int=_integer,
        parse_float=_number,
        parse_constant=_refuse_constant,
    )
    return json.dumps(body).encode()


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValidationError(_repeated(name for name, _ in pairs), "the name occurs more than once")
    return members


def _repeated(names: Iterable[str]) -> str:
    """Return the first name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name is repeated")


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= len(str(LARGEST_INTEGER)) else _clamped(float(digits))


def _number(text: str) -> float:
    """Return a whole number as an integer. Any other number becomes 0.5, since all fractions are refused alike."""
    value = float(text)
    if abs(value) >= LARGEST_INTEGER:
        return _clamped(value)
    return int(value) if value.is_integer() else 0.5


def _clamped(number: float) -> int:
    return LARGEST_INTEGER if number > 0 else -LARGEST_INTEGER


def _refuse_constant(_: str) -> None:
    raise ProblemError("bad_json", "NaN and Infinity are not valid JSON")
