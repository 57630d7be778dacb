"""What has happened at a table, and what of it is still to be told."""

from collections.abc import Container

from services.telegram.story import DealEnd, Story
from shared.messages import EventItem, Table


class News:
    """A table's story as far as it has been followed, and what nobody knows yet."""

    def __init__(self) -> None:
        self.story = Story()
        self.ends: list[tuple[int, DealEnd]] = []
        """Ends of deals to be told, with the version that brought each."""
        self.pending: dict[str, int] = {}
        """Their slots and versions while they may not have been sent yet."""
        self.over: Table | None = None
        """The table as its last match ended, until the rematch begins."""

    def take(self, item: EventItem, *, new: bool) -> None:
        """Take in what happened next; ends of deals are told again only where they are new."""
        ends = self.story.follow(item)
        if new:
            self.ends += [(item.id, end) for end in ends]

    def told(self, table: Table, sent: Container[str]) -> int:
        """Return the version up to which everything has been told: not beyond the end of a deal still to be sent."""
        self.pending = {slot: version for slot, version in self.pending.items() if slot not in sent}
        return min([table.version, *(version - 1 for version in self.pending.values())])
