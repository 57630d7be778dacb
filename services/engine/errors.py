"""What can go wrong between a request and its table, beside what the game or the house forbids."""


class NoSuchTableError(Exception):
    """There is no such table, or no longer."""


class NoSuchDealError(Exception):
    """The table has had no such deal."""


class WrongTokenError(Exception):
    """The bearer token is none of this table's."""


class NoTokenError(Exception):
    """The call needs a seat's token."""


class NotYourSeatError(Exception):
    """The token is another seat's."""


class StaleError(Exception):
    """The table has moved on since the version that the request names."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class BusyError(Exception):
    """Too many others wrote to the same table at the same time."""
