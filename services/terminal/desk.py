"""What everybody at the terminal needs: the engine, the paper, the ears and the language."""

from dataclasses import dataclass, field

from services.terminal.board import game_name
from services.terminal.keyboard import Ears
from services.terminal.paper import Paper
from shared.client import EngineClient
from shared.messages import GameInfo
from shared.translate import Words, spoken


@dataclass(frozen=True, slots=True)
class Desk:
    """A person's place at the terminal."""

    engine: EngineClient
    server: str
    paper: Paper
    words: Words
    ears: Ears = field(default_factory=Ears)

    def gettext(self, text: str, **gaps: object) -> str:
        """Return a text in the person's language, its gaps filled."""
        return self.words.gettext(text).format(**gaps)

    def say(self, text: str, **gaps: object) -> None:
        """Write a text in the person's language, its gaps filled."""
        self.paper.say(self.gettext(text, **gaps))

    def name_of(self, game: GameInfo) -> str:
        """Return a game's name in the person's language."""
        return game_name(game, spoken(self.words))
