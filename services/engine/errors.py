"""Base class of errors that are answered with a problem."""


class ProblemError(Exception):
    """A request, or a transition, is refused: `code` is that of the problem type, `facts` explain it.

    Subclasses exist for callers that catch them.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        field: str | None = None,
        version: int | None = None,
        retry_after: int | None = None,
        **facts: object,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        """The expectation, for programmers."""
        self.field = field
        """The part of the request that is wrong."""
        self.version = version
        """The table's version, if another one was expected."""
        self.retry_after = retry_after
        """Seconds after which the same may be possible."""
        self.facts = facts
