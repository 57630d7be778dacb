"""What cannot be done at a table, and why."""

from shared.messages import Table


class RefusedError(Exception):
    """Something cannot be done; the code is one of `screens.refusals`, the facts explain it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def demand_open(table: Table, version: int) -> None:
    """Raise `RefusedError` unless the table is open, and as it was when the button was drawn."""
    if table.status != "open":
        raise RefusedError("not_open")
    demand_version(table.version, version)


def demand_version(now: int, version: int) -> None:
    """Raise `RefusedError` where a button was drawn for another version."""
    if now != version:
        raise RefusedError("stale")
