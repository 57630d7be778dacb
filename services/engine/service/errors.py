"""Errors between a request and its table, other than a refusal by the game's or the table's rules."""


class NoSuchTableError(Exception):
    """There is no such table, or no longer."""


class NoSuchDealError(Exception):
    """The table has no such deal, or it was not played to its end."""


class LostLogError(Exception):
    """The log of a deal that was played is lost or damaged: nothing can be proved from it."""


class WrongTokenError(Exception):
    """The bearer token is of no seat of this table."""


class NoTokenError(Exception):
    """The call needs a seat's token."""


class NotYourSeatError(Exception):
    """The token is another seat's."""


class VersionMismatchError(Exception):
    """The table is at another version than the one in `If-Match`."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class NoThoughtError(Exception):
    """No process was free, in time, to think for who asked."""


class BusyError(Exception):
    """Every attempt to commit lost to another writer of the same table."""
