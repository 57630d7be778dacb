"""Turns declared routes into request handlers. The decoders of a route are chosen once, when the server starts."""

import hashlib
import hmac
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
from aiohttp import hdrs, web

from locanda import messages
from locanda.messages import Language
from services.common.logs import request_id
from services.common.negotiation import language
from services.engine.http.api import decoding
from services.engine.http.api.route import Route
from services.engine.http.api.words import ADDERS, Values, sentence_of
from services.engine.http.problems.responses import HttpProblemError
from services.engine.http.server.context import AppContext, HttpRequest, best_media_type, takes
from services.engine.http.server.dispatcher import BoundHandler, PathTree, ServeRequest, Traits, with_middleware
from services.engine.http.server.limits import API_KEY_HEADER, LimitedAction
from services.engine.http.server.responses import (
    GZIP,
    JSON,
    Response,
    json_response,
    not_modified,
    table_response,
    table_tag,
)
from services.engine.service.administration import Operator
from services.engine.service.idempotency import TableReply
from services.engine.service.tokens import digest

STREAM = "text/event-stream"
STREAM_OR_JSON = (STREAM, JSON)
HTML = "text/html"
NO_HEADERS: Mapping[str, str] = {}
KEPT = "public, max-age=60"
"""Browsers revalidate after a minute, and get a 304 if nothing has changed. Not longer, since custom computer players
of a game can be added and removed."""
ADMIN_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="admin"'}
DIGEST = 16
"""Number of characters of the digest in an `ETag`."""

Decoder: TypeAlias = tuple[str, Callable[[HttpRequest], object]]
"""The name of a handler's argument, and the function that decodes its value."""
OtherForm: TypeAlias = Callable[[HttpRequest, Values], Awaitable[Response | web.StreamResponse | None]]
"""Answers a request with a stream or in another media type. Returns None if the client accepts the handler's own type.
"""
Encode: TypeAlias = Callable[[HttpRequest, Any, Mapping[str, str]], Response]
"""Makes a response from the request, the handler's result and the rate limit headers."""


def path_tree(context: AppContext, routes: Sequence[Route]) -> PathTree[ServeRequest]:
    """Return the handlers of all routes, wrapped in the middleware, by path and method."""
    paths: PathTree[ServeRequest] = PathTree()
    for route in routes:
        serve = with_middleware(
            context,
            route.path,
            bind(route),
            headers=context.table_headers if route.group.on_tables else context.default_headers,
            traits=Traits(
                bans=route.group.bans,
                timed=route.stream is None,
                probe=route.group.probes,
                sentence_of=partial(sentence_of, route.body) if route.worded else None,
            ),
        )
        paths.add(route.method, route.path, serve)
        if route.method == "GET" and route.stream is None:
            paths.add("HEAD", route.path, serve)
    return paths


@cache
def bind(route: Route) -> BoundHandler:
    """Return a function that decodes a request, calls the route's handler, and encodes its result.

    The first error is reported, in this order: unknown query parameters, API or admin key, path, body, caller or token,
    query, `Accept`, rate limit.
    """
    check_query, checks, path = _query_check(route), _checks(route), _path_decoders(route)
    decode_body, decoders, in_other_form = _body_decoder(route), _later_decoders(route), _other_form(route)
    handler, limit, encode = route.handler, route.limit, _encoder(route)
    in_words = ADDERS[route.response] if route.worded and not route.localized else None

    async def serve(request: HttpRequest) -> Response | web.StreamResponse:
        context = request.context
        if request.query_string:
            check_query(request)
        for check in checks:
            check(request)
        values: dict[str, Any] = {}
        for name, decode in path:
            values[name] = decode(request)
        if decode_body is not None:
            values["body"] = await decode_body(request)
        for name, decode in decoders:
            values[name] = decode(request)
        spoken = _language_of_words(request) if in_words and request.query_string else None
        if in_other_form is not None and (other := await in_other_form(request, values)) is not None:
            return other
        left = await _spend(request, limit, values) if limit else NO_HEADERS
        result = await handler(context, **values)
        if spoken is None or in_words is None:
            return encode(request, result, left)
        result = await in_words(context, values, result, spoken)
        return encode(request, result, {**left, "Content-Language": spoken, "Vary": "Accept-Language"})

    return serve


def _other_form(route: Route) -> OtherForm | None:
    """Return the function that answers with a stream, or with JSON instead of HTML; None if there is neither."""
    stream, as_json, of_stream = route.stream, route.as_json, _stream_decoders(route)

    async def streamed(request: HttpRequest, values: Values) -> web.StreamResponse | None:
        if best_media_type(request.headers.get("Accept"), STREAM_OR_JSON) != STREAM or stream is None:
            return None
        own = {name: decode(request) for name, decode in of_stream}
        return await stream(request.context, request, **values, **own)

    async def message(request: HttpRequest, values: Values) -> Response | None:
        if not _prefers_json(request) or as_json is None:
            return None
        headers = _spoken(request) | {"Vary": "Accept-Language, Accept"}
        return json_response(await as_json(request.context, **values), headers=headers)

    return streamed if stream else message if as_json else None


def _stream_decoders(route: Route) -> list[Decoder]:
    """Return the decoders of the inputs that only a table's event stream takes."""
    if not route.on_table:
        return []
    return [
        ("last_event_id", decoding.last_event_id),
        ("seat_tokens", decoding.seat_tokens),
        ("words", _language_of_words),
    ]


def _language_of_words(request: HttpRequest) -> Language | None:
    """Return the language if the request asks for sentences for people (`words=true`), else None."""
    return language(request) if decoding.words(request) else None


def _prefers_json(request: HttpRequest) -> bool:
    """Return whether a client prefers JSON to HTML. Without JSON in `Accept`, the answer is HTML."""
    accept = request.headers.get("Accept", "")
    return JSON in accept and best_media_type(accept, (HTML, JSON)) == JSON


async def _spend(request: HttpRequest, limit: LimitedAction, values: Values) -> Mapping[str, str]:
    """Count a request, unless it repeats an answered one, towards its rate limit; return the limit's headers."""
    context = request.context
    try:
        return await context.limits.spend(limit, request.client)
    except HttpProblemError as error:
        if not await context.service.queries.was_answered(values.get("table"), values["caller"]):
            raise
        return {name: value for name, value in error.headers.items() if name != hdrs.RETRY_AFTER}


def _query_check(route: Route) -> Callable[[HttpRequest], object]:
    """Return a check that refuses every query parameter, for a call that takes none."""
    if route.query is not None or route.group.any_query:
        return lambda _: None
    return decoding.query_decoder(decoding.WordsQuery) if route.worded else decoding.no_query


def _checks(route: Route) -> list[Callable[[HttpRequest], object]]:
    """Return the checks that run before a request is decoded."""
    checks: list[Callable[[HttpRequest], object]] = []
    if route.opens_table:
        checks.append(_require_api_key)
    if route.group.operators:
        checks.append(_require_admin_key)
    return checks


def _require_api_key(request: HttpRequest) -> None:
    request.context.api_keys.require(decoding.header(request, API_KEY_HEADER))


def _require_admin_key(request: HttpRequest) -> None:
    """Raise `ProblemError` `no_admin_key` for a missing or wrong key, `too_many_requests` after many wrong ones."""
    admission = request.context.admission
    admission.require_guess(request.account)
    match = decoding.BEARER.fullmatch(decoding.header(request, hdrs.AUTHORIZATION) or "")
    if not hmac.compare_digest(digest(match[1] if match else ""), request.context.admin_key):
        admission.note_guess(request.account, request.client)
        raise HttpProblemError("no_admin_key", headers=ADMIN_CHALLENGE)


def _path_decoders(route: Route) -> list[Decoder]:
    return [(parameter.name, parameter.decode) for parameter in route.path_parameters]


def _body_decoder(route: Route) -> Callable[[HttpRequest], Awaitable[Any]] | None:
    """Return the decoder of the body. For a write without a body, the decoder checks that the body is empty."""
    if route.body is not None:
        return decoding.body_decoder(route.body)
    return decoding.no_body if route.writes else None


def _later_decoders(route: Route) -> list[Decoder]:
    """Return the decoders that run after the body is decoded."""
    decoders: dict[str, Callable[[HttpRequest], object]] = {
        "caller": decoding.caller_decoder(route.bearer, if_match=route.on_table, secret_key=route.creates_token),
        "token": decoding.TOKEN_DECODERS[route.bearer],
        "query": decoding.query_decoder(route.query or decoding.WordsQuery, worded=route.worded),
        "language": language,
        "words": decoding.words,
        "address": decoding.address,
        "client": attrgetter("client"),
        "account": attrgetter("account"),
        "operator": lambda request: Operator(request.client, request_id.get() or ""),
    }
    return [(name, decode) for name, decode in decoders.items() if name in route.takes]


# --- responses


def _encoder(route: Route) -> Encode:
    """Return the function that encodes a handler's result as a response."""
    if not isinstance(route.response, type):
        return _encode_document if route.kind == "kept" else lambda _request, response, _left: response
    if route.kind == "kept":
        return _kept_encoder(route)
    if not route.versioned:
        return _localized_encoder(route) if route.localized else _message_encoder(route)
    return _write_encoder(route) if route.writes else _read_encoder


def _message_encoder(route: Route) -> Encode:
    status = route.status
    return lambda _request, message, left: json_response(message, status, left)


def _localized_encoder(route: Route) -> Encode:
    status = route.status
    return lambda request, message, left: json_response(message, status, {**_spoken(request), **left})


def _spoken(request: HttpRequest) -> dict[str, str]:
    """Return the language headers of a response."""
    return {"Content-Language": language(request), "Vary": "Accept-Language"}


def _write_encoder(route: Route) -> Encode:
    status, opens_table = route.status, route.opens_table

    def encode(_: HttpRequest, reply: TableReply, left: Mapping[str, str]) -> Response:
        headers = {"Location": f"/v1/tables/{_table_of(reply)}", **left} if opens_table else left
        if reply.repeated:
            headers = {"Idempotency-Replayed": "true", **headers}
        return table_response(reply, status, headers)

    return encode


def _table_of(reply: TableReply) -> str:
    return msgspec.json.decode(reply.body, type=messages.Seated).table.id


def _read_encoder(request: HttpRequest, reply: TableReply, left: Mapping[str, str]) -> Response:
    tag = table_tag(reply, left)
    return not_modified(tag, left) if decoding.if_none_match(request, tag) else table_response(reply, headers=left)


def _kept_encoder(route: Route) -> Encode:
    """Return the encoder of a message that browsers may cache."""

    def encode(request: HttpRequest, message: Any, own: Mapping[str, str]) -> Response:  # noqa: ANN401
        plain = json_response(message, headers={**_spoken(request), **own} if route.localized else own)
        return _kept(request, plain, *_packed(plain.body))

    return encode


def _encode_document(request: HttpRequest, response: Response, _: Mapping[str, str]) -> Response:
    """Return the response with a document that browsers may cache."""
    return _kept(request, response, *_packed(response.body))


def _kept(request: HttpRequest, plain: Response, tag: str, zipped: bytes) -> Response:
    """Return a response that browsers may cache, compressed if the client accepts gzip."""
    varied = ", ".join(filter(None, (plain.headers.get(hdrs.VARY), hdrs.ACCEPT_ENCODING)))
    headers = {**plain.headers, "ETag": f'"{tag}"', "Cache-Control": KEPT, "Vary": varied}
    if decoding.if_none_match(request, tag):
        return not_modified(tag, {name: value for name, value in headers.items() if name != hdrs.CONTENT_TYPE})
    if not takes(request, "gzip"):
        return Response(plain.body, headers=headers)
    return Response(zipped, headers={**headers, hdrs.CONTENT_ENCODING: "gzip"})


@lru_cache(maxsize=256)
def _packed(plain: bytes) -> tuple[str, bytes]:
    """Return the digest and the gzipped form of a body; cached, since few bodies exist."""
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, GZIP)
    return hashlib.sha256(plain).hexdigest()[:DIGEST], packer.compress(plain) + packer.flush()
