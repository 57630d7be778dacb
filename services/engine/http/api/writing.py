"""Writes: turn a call's decision into a transition and a reply. Handlers change tables only with `Write`."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

from msgspec import Raw, Struct

from services.engine.http.server.context import AppContext
from services.engine.service import tokens
from services.engine.service.idempotency import Caller, TableReply
from services.engine.service.views import EncodedViews
from services.engine.table.state import Part, TransitionContext

B = TypeVar("B")

Handler: TypeAlias = Callable[..., Awaitable[TableReply]]
"""Takes the `AppContext` and, as keyword arguments, the caller, the body and the values in the path."""

Decision: TypeAlias = Callable[..., Any]
"""Decides a write: returns a `Transition`, or None if nothing changes. Called again if the table changes before the
commit.

The arguments are the `Write`, the table, the caller's seat and, as keyword arguments, the other parameters of the path.
"""
First: TypeAlias = Callable[["Write[Any]"], None]
"""Check that does not depend on the table. It runs once, before the decision."""
Within: TypeAlias = Callable[[AppContext, Caller, Any, str | None], AbstractAsyncContextManager[None]]
"""Context manager that encloses the whole write. It gets the body and the table's id."""
Answer: TypeAlias = Callable[["Write[Any]", EncodedViews, int | None], Struct | Raw]
"""Makes the response's message after the transition. The arguments are the `Write`, the table's views and the caller's
seat.
"""


class Write(Struct, Generic[B]):
    """A request to change or open a table."""

    context: AppContext
    body: B
    caller: Caller
    token: str | None = None
    """The token of the seat that is being taken, for the reply."""
    nonce: bytes = b""
    """The value from which the token is derived, so that a retry gets the same token."""

    def now(self) -> TransitionContext:
        """Return the context of a transition that happens now."""
        return self.context.service.time.at()

    def require_allowed(self, name: str) -> None:
        """Raise `ProblemError` `name_blocked` if the operator has blocked a name."""
        self.context.service.administration.require_allowed(name)

    def hand_out_token(self) -> None:
        """Create the token of the seat that is being taken."""
        self.token, self.nonce = tokens.fresh_token(self.caller.key)

    @property
    def digest(self) -> bytes:
        """SHA-256 of the new token, which the seat stores; empty if no seat is being taken."""
        return tokens.digest(self.token) if self.token else b""


class WriteOptions(TypedDict, total=False):
    """Options of a write."""

    first: First
    within: Within
    answer: Answer
    """Makes the response's message. By default, the response is the table."""
    compared: Part
    """The part of the table that must not have changed since the version in `If-Match`; by default the whole table."""


def handler_of(decide: Decision, options: WriteOptions, *, opens: bool) -> Handler:
    """Return the handler of a write. `opens`: the call creates its table."""
    answer, within = options.get("answer"), options.get("within")
    if opens:
        write = _opening(decide, answer)
    else:
        write = _changing(decide, options.get("first"), answer, options.get("compared", "table"))
    return _within(write, within) if within else write


def _changing(decide: Decision, first: First | None, answer: Answer | None, compared: Part) -> Handler:
    def change(
        context: AppContext, *, caller: Caller, table: str, body: object, **places: object
    ) -> Awaitable[TableReply]:
        # the limit counts each caller at each table
        context.limits.write(f"{table} {caller.token or caller.account.hex()}")
        call = Write(context, body, caller)
        if first:
            first(call)
        decided, respond = partial(decide, call, **places), partial(answer, call) if answer else _view
        return context.service.transactions.write(
            table, caller, decided, respond, token=call.token, nonce=call.nonce, compared=compared
        )

    return change


def _opening(decide: Decision, answer: Answer | None) -> Handler:
    def open_(context: AppContext, *, caller: Caller, body: object) -> Awaitable[TableReply]:
        call = Write(context, body, caller)
        transition = decide(call)
        respond = partial(answer, call) if answer else _view
        return context.service.transactions.create(transition, caller, respond, call.token or "", call.nonce)

    return open_


def _view(views: EncodedViews, seat: int | None) -> Raw:
    return Raw(views.of(seat))


def _within(write: Handler, within: Within) -> Handler:
    async def write_within(
        context: AppContext, *, caller: Caller, body: object, table: str | None = None
    ) -> TableReply:
        places = {} if table is None else {"table": table}
        async with within(context, caller, body, table):
            return await write(context, caller=caller, body=body, **places)

    return write_within
