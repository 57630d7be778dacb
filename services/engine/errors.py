"""Base class of the errors that become problem responses."""


class ProblemError(Exception):
    """A request or transition is refused. `code` names the problem type, `facts` give the details.

    Subclasses exist only for callers that catch a particular error.
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
        """What was expected, for the developer of the client."""
        self.field = field
        """The invalid part of the request."""
        self.version = version
        """The table's current version, if the request expected a different one."""
        self.retry_after = retry_after
        """Seconds after which a retry may succeed."""
        self.facts = facts
