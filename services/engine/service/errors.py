"""Errors between a request and its table that callers catch, other than refusals by the rules.

The clock counts tables that this release cannot serve, logs each once, and leaves them to other releases' clocks.
"""

import traceback
from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec
import structlog

from services.engine.errors import ProblemError
from services.engine.service import tokens
from services.engine.store.errors import DamagedError, NewerFormError
from services.engine.table.state import AnyTable, NewerReleaseError, TableError, is_sound


class NoSuchTableError(ProblemError):
    """The table does not exist, or no longer."""

    def __init__(self) -> None:
        super().__init__("no_such_table")


class WrongTokenError(ProblemError):
    """The bearer token belongs to no seat of this table."""

    def __init__(self) -> None:
        super().__init__("wrong_token")


class NoThoughtError(ProblemError):
    """No process was free in time to think for the caller."""

    def __init__(self) -> None:
        super().__init__("no_thought")


# --- tables that cannot be served

UnservedReason: TypeAlias = Literal["newer_release", "rules_changed", "damaged"]

REMEMBERED = 4096
"""The most tables that are remembered as logged or released; then all are forgotten."""
RELEASES = 8
"""How often a table is released at once; after that it stays claimed for a whole lease, as any other that fails."""

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
"""Exceptions of pure functions over a damaged table; over a sound one, they are errors of the engine."""

log = structlog.stdlib.get_logger("engine.tables")


def unserved_reason(error: Exception) -> UnservedReason | None:
    """Return why a table cannot be served; None for any other error."""
    match error:
        case NewerReleaseError() | NewerFormError():
            return "newer_release"
        case DamagedError():
            return "damaged"
        case TableError(code="rules_changed"):
            return "rules_changed"
    return None


def diagnosed(table: AnyTable, error: Exception) -> Exception:
    """Return `DamagedError` for one of `UNEXPECTED_ERRORS` if the table is unsound; any other error unchanged."""
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
        """Return whether the clock should release a table at once, so that another release's clock may claim it."""
        if len(self._released) >= REMEMBERED:
            self._released.clear()
        self._released[table] = self._released.get(table, 0) + 1
        return self._released[table] <= RELEASES

    def served(self, table: str) -> None:
        """Forget the releases of a table that was served."""
        self._released.pop(table, None)


def report(log: structlog.stdlib.BoundLogger, event: str, error: Exception, **facts: str) -> None:
    """Log the class and the place of an error, without its message, which could quote a hand."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    log.error(event, error=type(error).__name__, at=f"{frame.f_code.co_qualname}:{line}", **facts)
