"""Declares the calls of the API: a decorator gives a function its path, group, limits and problems.

The function's arguments are values of the request, and its return type is the message of the response. Its docstring
becomes the summary and the description in the OpenAPI document.

    calls = Calls()

    @calls.write(PLAY, "POST", f"{SEAT_PATH}/return", problems=("not_your_seat", "not_away"))
    def come_back(call: Write[None], table: AnyTable, by: int, seat: int) -> Transition:
        \"\"\"Take one's hand back from a computer player.\"\"\"
"""

import inspect
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar, Unpack, get_args, get_type_hints

from msgspec import Struct

from locanda import messages
from services.engine.http.api.decoding import BearerUse
from services.engine.http.api.parameters import GAME, TABLE, path_parameters
from services.engine.http.api.route import ADMIN, SYSTEM, ClientCall, Handler, Kind, Method, Route, RouteGroup
from services.engine.http.api.writing import WriteOptions, handler_of
from services.engine.http.server.context import AppContext
from services.engine.http.server.limits import LimitedAction
from services.engine.http.server.responses import Response
from services.engine.service.accounts import Group
from services.engine.service.idempotency import Caller, TableReply
from services.engine.table.state import Transition

F = TypeVar("F", bound=Callable[..., Any])
CheckBody: TypeAlias = Callable[[Any], None]


class Options(TypedDict, total=False):
    """Options of a call, besides its method and path."""

    name: str
    """The call's operation id, if it is not the function's name."""
    problems: tuple[str, ...]
    """Codes of the problems that do not follow from the rest of the declaration."""
    notes: str
    """Text added at the end of the call's description, if that text is computed or shared with other calls."""
    status: Literal[200, 201]
    limit: LimitedAction
    """The limit per minute that the call counts towards."""
    media: str
    """The media type of a response that is not a message."""
    client: ClientCall | None
    """Name and arguments of the generated client method, if not the default. None if no method is generated."""
    as_json: Handler
    """Handler that answers with JSON, if `Accept` prefers it to the HTML that the function returns."""


class Declare(Protocol):
    """Decorator that declares a function as an API call, and returns the function."""

    def __call__(self, function: F, /) -> F:
        """Declare the call."""
        ...


class AllOptions(Options, WriteOptions):
    """Options of a write."""


class Calls:
    """The calls of a module, in order of declaration."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def call(self, group: RouteGroup, method: Method, path: str, **options: Unpack[Options]) -> Declare:
        """Declare a call. Its function gets the `AppContext` and, as keyword arguments, the decoded values."""
        return self._declare("call", group, method, path, options)

    def read(self, group: RouteGroup, path: str, **options: Unpack[Options]) -> Declare:
        """Declare a `GET` call."""
        return self._declare("call", group, "GET", path, options)

    def kept(self, group: RouteGroup, path: str, **options: Unpack[Options]) -> Declare:
        """Declare a `GET` call whose response stays the same until the next release, so browsers may cache it."""
        return self._declare("kept", group, "GET", path, options)

    def question(
        self,
        group: RouteGroup,
        method: Method,
        path: str,
        *,
        first: CheckBody | None = None,
        **options: Unpack[Options],
    ) -> Declare:
        """Declare a call for which a computer player computes something.

        It counts towards the client's limit. `first` checks the body before that.
        """
        return self._declare("question", group, method, path, options, lambda function: _asking(function, first))

    def stream(self, group: RouteGroup, path: str, *, once: Handler, **options: Unpack[Options]) -> Declare:
        """Declare a stream of events. `once` takes the same arguments, and answers clients that ask for JSON."""

        def declare(stream: F) -> F:
            declared = _declared(once, "call", group, "GET", path, options)
            described = dict(zip(("summary", "details"), _description(stream, options), strict=True))
            self.routes.append(Route(**declared | described, handler=once, stream=stream))
            return stream

        return declare

    def write(self, group: RouteGroup, method: Method, path: str, **options: Unpack[AllOptions]) -> Declare:
        """Declare a write. Its function gets the `Write`, the table, the caller's seat and the path's parameters."""
        opens = TABLE not in path_parameters(path)
        return self._declare(
            "write", group, method, path, options, lambda decide: handler_of(decide, options, opens=opens)
        )

    def _declare(
        self,
        kind: Kind,
        group: RouteGroup,
        method: Method,
        path: str,
        options: Options,
        handler_of: Callable[[Any], Handler] = lambda function: function,
    ) -> Declare:
        def declare(function: F) -> F:
            declared = _declared(function, kind, group, method, path, options)
            self.routes.append(Route(**declared, handler=handler_of(function)))
            return function

        return declare


def _asking(answer: Handler, first: CheckBody | None) -> Handler:
    async def ask(context: AppContext, *, account: Group, **values: object) -> Struct | TableReply | Response:
        if first:
            first(values["body"])
        with context.limits.thought(account):
            return await answer(context, account=account, **values)

    return ask


def _declared(
    function: Callable[..., Any], kind: Kind, group: RouteGroup, method: Method, path: str, options: Options
) -> dict[str, Any]:
    """Return the fields of a call's route, except the handler."""
    types = get_type_hints(function)
    _require_places(function, types, path)
    takes = _taken_by_write(types, path) if kind == "write" else _taken(function, types)
    summary, details = _description(function, options)
    response = options.get("media") or types["return"]
    if response in (TableReply, Transition, Transition | None):
        answer = options.get("answer")
        response = get_type_hints(answer)["return"] if answer else messages.Table
    name = options.get("name", function.__name__)
    return {
        "operation_id": f"{{game}}_{name}" if GAME in path_parameters(path) and "body" in takes else name,
        "kind": kind,
        "method": method,
        "path": path,
        "summary": summary,
        "details": details,
        "group": group,
        "takes": takes,
        "bearer": _bearer(types.get("by" if kind == "write" else "token")),
        "response": response,
        "versioned": kind == "write" or types["return"] is TableReply,
        "status": options.get("status", 200),
        "limit": options.get("limit"),
        "own_problems": options.get("problems", ()),
        "client": options.get("client", None if group.name in (SYSTEM.name, ADMIN.name) else ClientCall()),
        "as_json": options.get("as_json"),
    }


def _require_places(function: Callable[..., Any], types: Mapping[str, Any], path: str) -> None:
    """Raise `TypeError` if a function lacks an argument for a parameter of its path."""
    if missing := [place.name for place in path_parameters(path) if place.name not in types]:
        raise TypeError(f"{function.__name__} must take {', '.join(missing)}")


def _description(function: Callable[..., Any], options: Options) -> tuple[str, str]:
    """Return the summary and the description of a call, from its docstring."""
    summary, _, rest = (inspect.getdoc(function) or "").partition("\n")
    return summary.removesuffix("."), " ".join([*rest.split(), *options.get("notes", "").split()])


def _taken(function: Callable[..., Any], types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword-only arguments of a function, with their types."""
    taken = inspect.signature(function).parameters.values()
    return {parameter.name: types[parameter.name] for parameter in taken if parameter.kind is parameter.KEYWORD_ONLY}


def _taken_by_write(types: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the values that a write takes, with their types. The type of the body is the argument of `Write[…]`."""
    (body,) = get_args(types["call"])
    places = {place.name: types[place.name] for place in path_parameters(path)}
    return {**places, "caller": Caller} | ({} if body is NoneType else {"body": body})


def _bearer(type_: object) -> BearerUse:
    """Return whether a call takes a seat's token, given the type of its argument `token` or `by`."""
    if type_ is None:
        return "none"
    return "required" if type_ in (str, int) else "optional"
