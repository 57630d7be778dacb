"""Own players: external servers that choose moves for a seat.

Settings and commands write `ada=https://bots.example/move whsec_…`.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from locanda.games.installed import NAME
from locanda.messages import OWN_NAME, OWN_PREFIX, OwnServer, Request

FORM = "An own player is written NAME=URL or, for one game, NAME:GAME=URL, and behind it the secret that signs."


class OwnPlayer(Request, frozen=True):
    """A server that chooses moves, with the name that its host gave it."""

    name: Annotated[str, Meta(pattern=f"^{OWN_NAME}(?!\\n)$", max_length=12)]
    """The name with which the player is seated, after an `@`: a-z, 0-9, `_` and `-`."""
    server: OwnServer
    game: Annotated[str, Meta(pattern=f"^{NAME.pattern}(?!\\n)$", max_length=24)] | None = None
    """The only game that the player plays; null for all games."""

    @property
    def level(self) -> str:
        """The level of a seat that this player takes, such as `@ada`."""
        return f"{OWN_PREFIX}{self.name}"

    @property
    def entry(self) -> str:
        """The player's key in a list: the name, with a colon and the game if the player plays only one game."""
        return self.name if self.game is None else f"{self.name}:{self.game}"

    def plays(self, game: str) -> bool:
        """Return whether the player plays this game."""
        return self.game in (None, game)

    def __repr__(self) -> str:
        """Return the representation without the address and the secret."""
        return f"OwnPlayer({self.entry!r}, ...)"


def read_own_player(line: str) -> OwnPlayer:
    """Parse a line. Raises `ValueError`; the message does not quote the line, which contains secrets."""
    who, _, where = line.partition("=")
    (name, colon, game), parts = who.strip().partition(":"), where.split()
    if parts and len(parts) <= 2:
        server = dict(zip(("url", "secret"), parts, strict=False))
        try:
            return msgspec.convert({"name": name, "server": server, "game": game if colon else None}, OwnPlayer)
        except msgspec.ValidationError:
            pass
    raise ValueError(FORM)
