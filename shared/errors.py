"""What the engine's client raises: one class a family of problems, each with the problem itself."""

from shared.messages import Problem


class EngineError(Exception):
    """The engine answered with a problem, or did not answer at all."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(f"{problem.code}: {problem.detail or problem.title}")
        self.problem = problem
        self.retry_after = retry_after
        """Seconds after which another try makes sense, where the engine says so."""

    @property
    def code(self) -> str:
        """The problem's stable code."""
        return self.problem.code


class MalformedError(EngineError):
    """The request is not what the API takes, or its parts do not go together; `problem.field` names the part."""


class UnauthorizedError(EngineError):
    """The token is missing, or none of this table's (any more)."""


class ForbiddenError(EngineError):
    """Another seat's act."""


class NotFoundError(EngineError):
    """There is no such table, game or deal, or no longer."""


class ConflictError(EngineError):
    """The table is not in the state for it: not open, full, not your turn, …"""


class StaleError(EngineError):
    """The table has moved on since the version that the request was for; `problem.version` is the one now."""


class KeyReusedError(EngineError):
    """The idempotency key was used for another request: nothing was done."""


class IllegalMoveError(EngineError):
    """The rules forbid the move; `problem.code` and `problem.facts` say why."""


class TooManyRequestsError(EngineError):
    """The client asks for more than its share; `retry_after` says when to come again."""


class UnavailableError(EngineError):
    """The engine, or its store, cannot be reached right now."""


class BadAnswerError(EngineError):
    """What answered does not speak this API: another server, a proxy's page, or an engine of another time."""


_CODES: dict[str, type[EngineError]] = {"impossible": MalformedError, "key_reused": KeyReusedError}
"""Families that their status does not tell."""

_FAMILIES: dict[int, type[EngineError]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: StaleError,
    422: IllegalMoveError,
    429: TooManyRequestsError,
}


def error_of(problem: Problem, retry_after: float | None = None) -> EngineError:
    """Return the error of a problem's family."""
    default = UnavailableError if problem.status >= 500 else MalformedError
    family = _CODES.get(problem.code) or _FAMILIES.get(problem.status, default)
    return family(problem, retry_after)


def unreachable(detail: str) -> UnavailableError:
    """Return the error of an engine that did not answer."""
    return UnavailableError(Problem("about:blank", "The engine cannot be reached", 503, "unreachable", detail))


def garbled(detail: str, status: int = 200) -> BadAnswerError:
    """Return the error of an answer that makes no sense."""
    return BadAnswerError(Problem("about:blank", "The answer is none of this API's", status, "bad_answer", detail))
