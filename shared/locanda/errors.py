"""Exceptions of the engine's client, one class for each kind of error; `problem` has the engine's error response."""

from locanda import messages


class EngineError(Exception):
    """The engine answered with an error (a problem of RFC 9457), or could not be reached."""

    def __init__(self, problem: messages.Problem, retry_after: float | None = None) -> None:
        named = f" in `{problem.field}`" if problem.field else ""
        super().__init__(f"{problem.code}{named}: {problem.detail or problem.title}")
        self.problem = problem
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the engine sent `Retry-After`."""

    @property
    def code(self) -> str:
        """The problem's stable code."""
        return self.problem.code


class MalformedError(EngineError):
    """The request is invalid, or its values contradict each other; `problem.field` names the part."""


class UnauthorizedError(EngineError):
    """The token is missing, unknown at this table, or no longer valid."""


class ForbiddenError(EngineError):
    """The token's seat may not do this."""


class NotFoundError(EngineError):
    """There is no such table, game or deal, or it has expired."""


class ConflictError(EngineError):
    """The table's state does not allow this: it is full, it is not your turn, …"""


class StaleError(EngineError):
    """The table has changed since the expected version; `problem.version` is the current one."""


class KeyReusedError(EngineError):
    """The idempotency key was already used for a different request, so this request had no effect."""


class IllegalMoveError(EngineError):
    """The rules forbid the move; `problem.code` and `problem.facts` explain why."""


class TooManyRequestsError(EngineError):
    """The client exceeded a rate limit; `retry_after` is the number of seconds to wait before a retry."""


class UnavailableError(EngineError):
    """The engine, or its store, is not available now."""


class BadAnswerError(EngineError):
    """The answer is not valid in this API: it comes from another server, a proxy, or an engine of another version."""


_BY_CODE: dict[str, type[EngineError]] = {"impossible": MalformedError, "key_reused": KeyReusedError}
"""Exceptions by code, for codes that need a different class than their HTTP status suggests."""

_BY_STATUS: dict[int, type[EngineError]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: StaleError,
    422: IllegalMoveError,
    429: TooManyRequestsError,
}


def error_of(problem: messages.Problem, retry_after: float | None = None) -> EngineError:
    """Return the exception for a problem."""
    default = UnavailableError if problem.status >= 500 else MalformedError
    error_class = _BY_CODE.get(problem.code) or _BY_STATUS.get(problem.status, default)
    return error_class(problem, retry_after)


def unreachable(detail: str) -> UnavailableError:
    """Return the exception for an engine that did not answer."""
    return UnavailableError(messages.Problem("about:blank", "The engine cannot be reached", 503, "unreachable", detail))


def bad_answer(detail: str, status: int = 200) -> BadAnswerError:
    """Return the exception for an answer that is not from this API."""
    return BadAnswerError(
        messages.Problem("about:blank", "The answer is none of this API's", status, "bad_answer", detail)
    )
