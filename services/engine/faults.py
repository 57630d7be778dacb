"""Bad input, told precisely: where the fault lies and what was expected there."""

import re

from msgspec import ValidationError

_FIELD = re.compile(r"Object (?:contains unknown|missing required) field `(?P<name>.*)`")
_PATH = re.compile(r"(?P<detail>.*) - at `(?P<path>.*)`$", re.DOTALL)


class FaultError(Exception):
    """A part of the request is not what it must be. `field` is its JSON path, or a header's or parameter's name."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


class ImpossibleError(FaultError):
    """A part of the request is well-formed, but does not go with the rest of it, or with the table."""


def fault(error: ValidationError, root: str = "") -> FaultError:
    """Return what msgspec found wrong, its path read from `root`."""
    found = _PATH.match(str(error))
    detail = found["detail"] if found else str(error)
    path = found["path"].removeprefix("$").removeprefix(".") if found else ""
    field = _FIELD.match(detail)
    return FaultError(".".join(part for part in (root, path, field["name"] if field else "") if part), detail)
