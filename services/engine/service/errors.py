"""Errors when a table cannot be read or changed, other than refusals by the rules.

The clock skips tables that this release cannot serve, and leaves them to engines of other releases. Each such table is
counted, and logged once.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec
import structlog

from services.engine.errors import ProblemError
from services.engine.service import tokens
from services.engine.store.errors import DamagedError, NewerFormError
from services.engine.table.state import AnyTable, NewerReleaseError, TableError, is_sound


class NoSuchTableError(ProblemError):
    """The table does not exist, or has expired."""

    def __init__(self) -> None:
        super().__init__("no_such_table")


class WrongTokenError(ProblemError):
    """The bearer token is not of a seat at this table."""

    def __init__(self) -> None:
        super().__init__("wrong_token")


class NoThoughtError(ProblemError):
    """No worker process was free in time."""

    def __init__(self) -> None:
        super().__init__("no_thought")


# --- tables that cannot be served

UnservedReason: TypeAlias = Literal["newer_release", "rules_changed", "damaged"]

REMEMBERED = 4096
"""Maximum number of tables remembered as logged or released. Above it, all are forgotten."""
RELEASES = 8
"""How many times a table is released immediately. After that it stays claimed for a whole lease, like other failed
tables.
"""

UNEXPECTED_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    AssertionError,
    OSError,
    StopIteration,
    msgspec.MsgspecError,
)
"""Exceptions that pure functions raise for a damaged table. With a sound table, they are bugs."""

log = structlog.stdlib.get_logger("engine.tables")


def unserved_reason(error: Exception) -> UnservedReason | None:
    """Return why a table cannot be served; None for other errors."""
    match error:
        case NewerReleaseError() | NewerFormError():
            return "newer_release"
        case DamagedError():
            return "damaged"
        case TableError(code="rules_changed"):
            return "rules_changed"
    return None


def diagnosed(table: AnyTable, error: Exception) -> Exception:
    """Return `DamagedError` for one of `UNEXPECTED_ERRORS` if the table is damaged; else the error itself."""
    return DamagedError() if isinstance(error, UNEXPECTED_ERRORS) and not is_sound(table) else error


class UnservedTables:
    """Counts and logs the tables that cannot be served, and how often the clock has released each."""

    def __init__(self, count: Callable[[UnservedReason], None]) -> None:
        self._count = count
        self._logged: set[str] = set()
        self._released: dict[str, int] = {}

    def report(self, table: str, reason: UnservedReason) -> None:
        """Count a table, and log it the first time."""
        self._count(reason)
        if table not in self._logged:
            if len(self._logged) >= REMEMBERED:
                self._logged.clear()
            self._logged.add(table)
            log.warning("table_not_served", reason=reason, table=tokens.short_id(table))

    def may_release(self, table: str) -> bool:
        """Return whether the clock should release a table immediately, for an engine of another release."""
        if len(self._released) >= REMEMBERED:
            self._released.clear()
        self._released[table] = self._released.get(table, 0) + 1
        return self._released[table] <= RELEASES

    def served(self, table: str) -> None:
        """Reset the count of releases for a table that was served."""
        self._released.pop(table, None)
