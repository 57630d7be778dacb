"""Who watches over the link to Redis: how long it takes, and when it breaks."""

from collections.abc import Callable


class Observer:
    """Is told of every command. This one takes no notice."""

    def __init__(self) -> None:
        self.replied: Callable[[float], None] = _ignore
        """Redis replied after so long. What takes note of it stands here itself: nothing is told more often."""

    def failed(self) -> None:
        """Redis did not serve."""

    def connecting(self) -> None:
        """A connection is being made: the first, or another one after it broke."""


def _ignore(_seconds: float) -> None:
    """Take no notice."""
