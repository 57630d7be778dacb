"""Who watches over the link to Redis: how long it takes, and when it breaks."""


class Observer:
    """Is told of every command. This one takes no notice."""

    def replied(self, seconds: float) -> None:
        """Redis replied after so long."""

    def failed(self) -> None:
        """Redis did not serve."""

    def connecting(self) -> None:
        """A connection is being made: the first, or another one after it broke."""
