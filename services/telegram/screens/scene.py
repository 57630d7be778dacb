"""What a table's screens are drawn from."""

from datetime import datetime

from msgspec import Struct

from shared.messages import GameInfo, JsonObject, Table, Verdict
from shared.translate import Language


class Scene(Struct, frozen=True, kw_only=True):
    """A table as its viewer sees it, and what the bot knows beside."""

    ref: str
    game: GameInfo
    table: Table
    now: datetime
    letter: str = ""
    """Which of several tables in one chat this is; empty where there is but one."""
    place: str = ""
    """The group's name, for a message that is read elsewhere."""
    alone: bool = False
    """Is the table played in the private chat, against computer players only?"""
    acts: tuple[JsonObject, ...] = ()
    """The last few things that happened, oldest first."""
    unreachable: frozenset[int] = frozenset()
    """Seats of people to whom the bot cannot write."""
    picked: frozenset[int] = frozenset()
    """Places of the cards that the viewer has taken up."""
    verdicts: tuple[Verdict, ...] = ()
    """What the engine says of them."""

    @property
    def names(self) -> list[str]:
        """The name on each seat; a computer player's bears a mark."""
        return [seat.name if seat.kind == "person" else f"{seat.name} 🤖" for seat in self.table.seats]

    @property
    def deals(self) -> int | None:
        """How many deals make the match; nothing where that is not fixed."""
        option = self.game.options.en.get("properties", {}).get("deals")
        return None if option is None else int(self.table.options.get("deals", option["default"]))

    @property
    def turn(self) -> int | None:
        """The seat on turn."""
        return None if self.table.deal is None else self.table.deal.turn


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en
