"""The games that the bot offers, requested from the engine once."""

from locanda.client import EngineClient
from locanda.messages import GameDetails, GameInfo
from locanda.translations import Language
from services.telegram.screens.games.registry import GAME_SCREENS


class GameCatalogue:
    """The games that the engine plays and the bot has screens for; kept after the first request."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine
        self._games: list[GameInfo] = []
        self._details: dict[str, GameDetails] = {}

    async def games(self) -> list[GameInfo]:
        """Return all games. Raises `EngineError`."""
        if not self._games:
            self._games = [game for game in await self._engine.games() if game.game in GAME_SCREENS]
        return self._games

    async def game(self, name: str) -> GameInfo | None:
        """Return a game; None if it is unknown. Raises `EngineError`."""
        return next((game for game in await self.games() if game.game == name), None)

    async def rules(self, name: str, language: Language) -> str:
        """Return a game's rules as Markdown. Raises `EngineError`."""
        if name not in self._details:
            self._details[name] = await self._engine.game(name)
        rules = self._details[name].rules
        return rules.it if language == "it" else rules.en
