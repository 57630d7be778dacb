"""From the body of a request to what it says."""

import json
import re
from typing import TypeVar

import msgspec
from aiohttp import hdrs, web

from services.engine.faults import FaultError, fault
from services.engine.http.answers import JSON
from services.engine.http.problems import ProblemError

T = TypeVar("T")

_NAMES = re.compile(rb'"([^"]*)"\s*:')
_FRACTION = re.compile(rb"[0-9][.eE]")


async def body(request: web.BaseRequest, type_: type[T]) -> T:
    """Return the body. Raises `FaultError`, or `ProblemError` where it is no JSON at all."""
    headers = request.headers
    if headers.get(hdrs.CONTENT_TYPE) != JSON:
        _check_type(request)
    if hdrs.CONTENT_ENCODING in headers:
        plain = {"Accept-Encoding": "identity"}
        raise ProblemError("unsupported_media_type", "send it as it is", field="Content-Encoding", headers=plain)
    octets = await request.read()
    try:
        return _decoded(octets, type_)
    except msgspec.ValidationError as error:
        raise fault(error) from None
    except UnicodeDecodeError:
        raise ProblemError("bad_json", "the body is not UTF-8") from None
    except msgspec.DecodeError as error:
        raise ProblemError("bad_json", str(error)) from None
    except RecursionError:
        raise ProblemError("bad_json", "the body is nested too deeply") from None


def _check_type(request: web.BaseRequest) -> None:
    """Refuse what is no JSON in UTF-8, however its type is spelt."""
    if request.content_type != JSON or (request.charset or "utf-8").lower() not in ("utf-8", "utf8"):
        raise ProblemError("unsupported_media_type", f"send Content-Type: {JSON}", field="Content-Type")


async def no_body(request: web.BaseRequest) -> None:
    """See that a call which takes no body got none, or an empty object. Raises `FaultError`."""
    if (await request.read()).strip() not in (b"", b"{}"):
        raise FaultError("", "this call takes no body")


def _decoded(octets: bytes, type_: type[T]) -> T:
    if _plain(octets):
        return msgspec.json.decode(octets, type=type_)
    try:
        found = msgspec.json.decode(octets, type=type_)
    except msgspec.ValidationError:
        if not _reread(octets):
            raise
    else:
        if not _reread(octets):
            return found
    return msgspec.json.decode(_with_integers(octets), type=type_)


def _plain(octets: bytes) -> bool:
    """Tell at a glance of most bodies that no name can be there twice, nor a number with a fraction."""
    names = _NAMES.findall(octets)
    return len(set(names)) == len(names) and b"\\" not in octets and not _FRACTION.search(octets)


def _reread(octets: bytes) -> bool:
    """Refuse an object that has a name twice: which of them counts is anybody's guess (RFC 8259, section 4).

    Tell whether an integer is written as `7.0`, which JSON Schema admits and msgspec does not.
    """
    written: list[str] = []
    try:
        json.loads(octets.decode(), object_pairs_hook=_unrepeated, parse_int=str, parse_float=written.append)
    except json.JSONDecodeError:  # after what msgspec stumbled over already
        return False
    return any(float(number).is_integer() for number in written)


def _unrepeated(pairs: list[tuple[str, object]]) -> None:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise FaultError(next(name for name in names if names.count(name) > 1), "the name is there more than once")


def _with_integers(octets: bytes) -> bytes:
    """Return the body with integers written as such; none of the API's numbers is anything else."""
    try:
        return json.dumps(json.loads(octets, parse_float=_integer)).encode()
    except ValueError:  # a number of thousands of digits
        return octets


def _integer(number: str) -> float:
    found = float(number)
    return int(found) if found.is_integer() else found
