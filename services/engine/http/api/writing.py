"""Writes: turn a call's decision into a transition of a table, and into the reply that shows it.

`Write` is the API's only way to `Transactions`.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

from msgspec import Struct

from services.engine.http.server.context import AppContext
from services.engine.service import tokens
from services.engine.service.idempotency import Caller, TableReply
from services.engine.table.state import AnyTable, Part, TransitionContext
from services.engine.table.view import view

B = TypeVar("B")

Handler: TypeAlias = Callable[..., Awaitable[TableReply]]
"""Gets the `AppContext`, and by keyword the caller, the body and the path's values."""

Decision: TypeAlias = Callable[..., Any]
"""Returns a `Transition`, or None if nothing changes; it is called again where the table has changed meanwhile.

It gets the `Write`, the table and the caller's seat, and by keyword the other parts of the path.
"""
First: TypeAlias = Callable[["Write[Any]"], None]
"""Checks what does not depend on the table, once."""
Within: TypeAlias = Callable[[AppContext, Caller, Any, str | None], AbstractAsyncContextManager[None]]
"""Lasts while the write is made, once; gets the body, and the table's id."""
Answer: TypeAlias = Callable[["Write[Any]", AnyTable, int | None], Struct]
"""Shows the table after the transition to the seat that the reply is for."""


class Write(Struct, Generic[B]):
    """A write that a request asks for."""

    context: AppContext
    body: B
    caller: Caller
    token: str | None = None
    """The seat's token that the reply hands out."""
    nonce: bytes = b""
    """The source of the token: a repeated request gets the same one."""

    def now(self) -> TransitionContext:
        """Return the context of a transition that is made now."""
        return self.context.service.time.at()

    def require_allowed(self, name: str) -> None:
        """Raise `ProblemError` `name_blocked` if the operator has blocked a name."""
        self.context.service.administration.require_allowed(name)

    def hand_out_token(self) -> None:
        """Draw the token of a seat that is being taken."""
        self.token, self.nonce = tokens.fresh_token(self.caller.key)

    @property
    def digest(self) -> bytes:
        """The digest that a seat stores of its new token; empty without one."""
        return tokens.digest(self.token) if self.token else b""


class WriteOptions(TypedDict, total=False):
    """Options of how a write is made."""

    first: First
    within: Within
    answer: Answer
    """Without one, the answer is the table."""
    compared: Part
    """The part of the table whose last change `If-Match` is compared with; by default the whole table."""


def handler_of(decide: Decision, options: WriteOptions, *, opens: bool) -> Handler:
    """Return the handler of a call that writes; `opens`: that creates its table."""
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
        context.limits.write(f"{table} {caller.token or caller.account.hex()}")  # each caller has its own count
        call = Write(context, body, caller)
        if first:
            first(call)
        decided, respond = partial(decide, call, **places), partial(answer, call) if answer else view
        return context.service.transactions.write(
            table, caller, decided, respond, token=call.token, nonce=call.nonce, compared=compared
        )

    return change


def _opening(decide: Decision, answer: Answer | None) -> Handler:
    def open_(context: AppContext, *, caller: Caller, body: object) -> Awaitable[TableReply]:
        call = Write(context, body, caller)
        transition = decide(call)
        respond = partial(answer, call) if answer else view
        return context.service.transactions.create(transition, caller, respond, call.token or "", call.nonce)

    return open_


def _within(write: Handler, within: Within) -> Handler:
    async def write_within(
        context: AppContext, *, caller: Caller, body: object, table: str | None = None
    ) -> TableReply:
        places = {} if table is None else {"table": table}
        async with within(context, caller, body, table):
            return await write(context, caller=caller, body=body, **places)

    return write_within
