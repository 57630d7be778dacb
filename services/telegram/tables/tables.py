"""What people do at tables, by subject: the bot's memory and the engine's tables brought together. Draws nothing."""

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.tables.looking import Looking
from services.telegram.tables.opening import Opening
from services.telegram.tables.picking import Picking
from services.telegram.tables.playing import Playing
from services.telegram.tables.seating import Seating
from shared.client import EngineClient


class Tables:
    """All that people do."""

    def __init__(self, engine: EngineClient, memory: Memory, catalogue: Catalogue) -> None:
        self.looking = Looking(engine, memory)
        self.seating = Seating(engine, memory, self.looking)
        self.opening = Opening(engine, memory, catalogue, self.looking, self.seating)
        self.playing = Playing(engine, memory, self.looking)
        self.picking = Picking(memory, self.looking)
