"""Bad input, told precisely: where the fault lies and what was expected there."""

import re

from msgspec import ValidationError

_PATH = re.compile(r"(?P<detail>.*) - at `(?P<path>.*)`$", re.DOTALL)


class FaultError(Exception):
    """A part of the request is not what it must be. `field` is its JSON path, or a header's or parameter's name."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


def fault(error: ValidationError, root: str = "") -> FaultError:
    """Return what msgspec found wrong, its path read from `root`."""
    found = _PATH.match(str(error))
    if found is None:
        return FaultError(root, str(error))
    path = found["path"].removeprefix("$").removeprefix(".")
    return FaultError(".".join(part for part in (root, path) if part), found["detail"])
