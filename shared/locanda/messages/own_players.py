"""Own players by name, and how settings and commands write one: `ada=https://bots.example/move whsec_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta

from locanda.games.installed import NAME
from locanda.messages import OWN_NAME, OWN_PREFIX, OwnServer, Request

FORM = "An own player is written NAME=URL or, for one game, NAME:GAME=URL, and behind it the secret that signs."


class OwnPlayer(Request, frozen=True):
    """A server that chooses moves, with its own name."""

    name: Annotated[str, Meta(pattern=f"^{OWN_NAME}(?!\\n)$", max_length=12)]
    """The name for seating it, written after an `@`: a-z, 0-9, `_` and `-`."""
    server: OwnServer
    game: Annotated[str, Meta(pattern=f"^{NAME.pattern}(?!\\n)$", max_length=24)] | None = None
    """The one game that it plays; null for all."""

    @property
    def level(self) -> str:
        """How it is named as the level of a seat."""
        return f"{OWN_PREFIX}{self.name}"

    @property
    def entry(self) -> str:
        """How it is named in a list of players."""
        return self.name if self.game is None else f"{self.name}:{self.game}"

    def plays(self, game: str) -> bool:
        """Return whether it plays a game."""
        return self.game in (None, game)

    def __repr__(self) -> str:
        """Return a text without the address and the secret."""
        return f"OwnPlayer({self.entry!r}, ...)"


def read_own_player(line: str) -> OwnPlayer:
    """Return the own player of a line. Raises `ValueError`, whose text has nothing of the line: parts are secret."""
    who, _, where = line.partition("=")
    (name, colon, game), parts = who.strip().partition(":"), where.split()
    if parts and len(parts) <= 2:
        server = dict(zip(("url", "secret"), parts, strict=False))
        try:
            return msgspec.convert({"name": name, "server": server, "game": game if colon else None}, OwnPlayer)
        except msgspec.ValidationError:
            pass
    raise ValueError(FORM)
