"""The painter: draws a table anew, in the group and for each person. Every screen comes from the state alone."""

from collections.abc import Callable
from datetime import datetime

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Priority
from services.telegram.painter.hands import Hands, Seen
from services.telegram.painter.lobbies import Lobbies
from services.telegram.painter.places import Places
from services.telegram.records import Room
from services.telegram.screens.end import deal_over_screen, match_over_screen
from services.telegram.screens.scene import Scene
from services.telegram.screens.table import finished_deal_screen, table_screen
from services.telegram.story import DealEnd, Story
from shared.client import EngineClient
from shared.messages import GameInfo, Table
from shared.translate import Language


class Painter:
    """Draws tables into the outbox; their lobbies and hands are parts of their own."""

    def __init__(
        self,
        engine: EngineClient,
        memory: Memory,
        catalogue: Catalogue,
        outbox: Outbox,
        now: Callable[[], datetime],
    ) -> None:
        self._messages = memory.messages
        self._catalogue = catalogue
        self._outbox = outbox
        self._now = now
        self._places = Places(memory, outbox)
        self.lobbies = Lobbies(memory, catalogue, self._places)
        self.hands = Hands(engine, memory, outbox)

    async def table(self, room: Room, story: Story) -> None:
        """Draw a table as it stands, for the group and for each who sits there."""
        table, game = story.table, await self._catalogue.game(room.game)
        if table is None or game is None or table.deal is None:
            return
        people = await self.hands.seen(room)
        scene = await self._scene(room, game, table, story, people)
        if not room.alone:
            await self._group(room, scene, await self._places.language(room))
        await self.hands.draw(room, scene, people, story.since)
        if room.alone and people:
            await self._result(room, scene, people[0].language)

    async def _scene(self, room: Room, game: GameInfo, table: Table, story: Story, people: list[Seen]) -> Scene:
        lost = frozenset(seen.table.you for seen in people if seen.table.you is not None and not seen.reachable)
        return Scene(
            ref=room.ref,
            game=game,
            table=table,
            now=self._now(),
            letter=await self._places.letter(room),
            alone=room.alone,
            acts=story.acts,
            unreachable=lost,
        )

    async def _group(self, room: Room, scene: Scene, language: Language) -> None:
        table, match = scene.table, scene.table.match
        known = await self._messages.of(room.ref)
        if match.number == 1 and match.deal == 1:
            await self.lobbies.start(room, table, language)
        before = f"table:{match.number}.{match.deal - 1}"
        if before in known:
            await self._places.show(room, before, finished_deal_screen(scene, match.deal - 1, language), anew=False)
        current = f"table:{match.number}.{match.deal}"
        await self._places.show(room, current, table_screen(scene, language), anew=table.status != "over")
        await self._result(room, scene, language)

    async def _result(self, room: Room, scene: Scene, language: Language) -> None:
        """Tell the result of a match, once it is over."""
        if scene.table.status == "over":
            screen = match_over_screen(scene, language)
            await self._places.show(room, f"over:{scene.table.match.number}", screen, priority=Priority.NEWS)

    async def deal_end(self, room: Room, end: DealEnd) -> str:
        """Tell the end of a deal, unless it has been told; return its slot."""
        slot = f"end:{end.table.match.number}.{end.deal}"
        game = await self._catalogue.game(room.game)
        if game is None or slot in await self._messages.of(room.ref):
            return slot
        letter = await self._places.letter(room)
        scene = Scene(ref=room.ref, game=game, table=end.table, now=self._now(), letter=letter, alone=room.alone)
        screen = deal_over_screen(scene, end.deal, end.result, await self._places.language(room), end.event)
        await self._places.show(room, slot, screen, priority=Priority.NEWS)
        return slot

    async def rematched(self, room: Room, before: Table) -> None:
        """Take the button off the message that ended the match before."""
        game = await self._catalogue.game(room.game)
        if game is None or before.match.result is None:
            return
        letter = await self._places.letter(room)
        scene = Scene(ref=room.ref, game=game, table=before, now=self._now(), letter=letter, alone=room.alone)
        screen = match_over_screen(scene, await self._places.language(room), rematch=False)
        await self._places.show(room, f"over:{before.match.number}", screen, anew=False)

    def forget(self, ref: str) -> None:
        """Forget a table."""
        self.lobbies.close_options(ref)
        self.hands.forget(ref)
        self._outbox.forget(ref)
