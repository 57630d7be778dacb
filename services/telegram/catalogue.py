"""The games of the house, asked of the engine once."""

from services.telegram.screens.games import DRAWINGS
from shared.client import EngineClient
from shared.messages import GameDetails, GameInfo
from shared.translate import Language


class Catalogue:
    """The games that both the engine plays and the bot can draw."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine
        self._games: list[GameInfo] = []
        self._details: dict[str, GameDetails] = {}

    async def games(self) -> list[GameInfo]:
        """Return every game. Raises `EngineError`."""
        if not self._games:
            self._games = [game for game in await self._engine.games() if game.game in DRAWINGS]
        return self._games

    async def game(self, name: str) -> GameInfo | None:
        """Return a game, if the house has it. Raises `EngineError`."""
        return next((game for game in await self.games() if game.game == name), None)

    async def rules(self, name: str, language: Language) -> str:
        """Return a game's rules as Markdown. Raises `EngineError`."""
        if name not in self._details:
            self._details[name] = await self._engine.game(name)
        rules = self._details[name].rules
        return rules.it if language == "it" else rules.en
