"""All actions at tables in one object."""

from locanda.client import EngineClient
from services.telegram.evenings.tables import EveningTables
from services.telegram.lessons.tables import Lessons
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.closing import ClosingVotes
from services.telegram.tables.lookup import GameCatalogue, TableLookup
from services.telegram.tables.match import Advice, HandSelection, MatchActions
from services.telegram.tables.seat_names import SeatNames
from services.telegram.tables.seating import Seating
from services.telegram.tables.setup import TableSetup


class Tables:
    """The actions at tables, by subject."""

    def __init__(self, engine: EngineClient, repositories: Repositories, catalogue: GameCatalogue) -> None:
        self.lookup = TableLookup(engine, repositories)
        self.seating = Seating(engine, repositories, self.lookup)
        self.setup = TableSetup(engine, repositories, catalogue, self.lookup)
        self.names = SeatNames(engine, repositories, self.lookup)
        self.match = MatchActions(engine, repositories, self.lookup, self.names)
        self.closing = ClosingVotes(repositories, self.lookup)
        self.advice = Advice(engine, self.lookup)
        self.selection = HandSelection(engine, repositories, self.lookup)
        self.lessons = Lessons(engine, repositories, catalogue)
        self.evenings = EveningTables(repositories, catalogue, self.lookup, self.seating, self.setup, self.match)
