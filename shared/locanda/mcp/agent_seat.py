"""The tools and resources of `locanda.mcp`: an agent's actions at its seat, and its view of the table as text."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
from mcp.server.mcpserver.exceptions import ToolError

from locanda.client import EngineClient
from locanda.messages import GameDetails, GameName, Language, OpenTable, Seated, SitDown, Table
from locanda.messages.links import TableLink, parse_link

LONGEST_WAIT = 50
"""Longest wait of a tool in seconds; many agents give up a call after a minute."""
LONG_POLL = 20.0


class SeatFile(msgspec.Struct, frozen=True):
    """A seat that an agent took, as saved in a file; `locanda export --seats` reads the same format."""

    table: str
    token: str


class AgentSeat:
    """The agent's seat, once it has taken one. No method returns the seat's token."""

    def __init__(self, engine: EngineClient, server: str, language: Language, folder: Path) -> None:
        """`engine` is connected to `server` with words in `language`. Tokens of seats are saved in `folder`."""
        self._engine = engine
        self._server = server
        self._language = language
        self._folder = folder
        self._place: tuple[str, str] | None = None
        """Table id and token of the seat; None before the agent has a seat."""
        self._shown: int | None = None
        """The last version of the table that the agent was shown."""
        self._game: GameDetails | None = None

    def take(self, table: str, token: str) -> None:
        """Use an existing seat."""
        self._place, self._shown, self._game = (table, token), None, None

    @property
    def _seat(self) -> tuple[str, str]:
        if self._place is None:
            raise ToolError("You have no seat yet: call open_table or join_table.")
        return self._place

    # --- resources

    async def rules(self) -> str:
        """The rules of the game at this table, as Markdown."""
        game = await self._details((await self._engine.table(*self._seat)).game)
        return game.rules.it if self._language == "it" else game.rules.en

    async def view(self) -> str:
        """The table as your seat sees it, as JSON: `deal` is your view, `moves` are your legal moves."""
        return msgspec.json.encode(await self._engine.table(*self._seat)).decode()

    # --- tools

    async def games(self) -> str:
        """List the games that can be played here: their names for open_table, and the number of players."""
        return "\n".join(
            f"{game.game}: {game.name.it if self._language == 'it' else game.name.en}, "
            f"{' to '.join(dict.fromkeys((str(game.players.min), str(game.players.max))))} players"
            for game in await self._engine.games()
        )

    async def open_table(self, game: str, name: str, computers: int = 0, level: str = "medium") -> str:
        """Open a table with this many computer players (easy, medium or hard); returns the link for others to join.

        `name` is your name at the table. Call start when everybody has joined.
        """
        await self._require_no_match()
        seated = await self._engine.open_table(OpenTable(GameName(game), name))
        table, token = await self._sit_at(seated)
        for number in range(1, computers + 1):
            await self._engine.sit(table, SitDown(f"Computer {number}", "computer", level), token)
        return f"Link for others: {TableLink(self._server, table).url}\n{await self._now()}"

    async def join_table(self, link: str, name: str) -> str:
        """Sit down at a waiting table by its link. If you had a seat there before, you return to it."""
        await self._require_no_match()
        place = parse_link(link.strip(), self._server)
        if place is None:
            raise ToolError("A table is named by its link, or by its id of 22 characters.")
        kept = await asyncio.to_thread(self._read, place.table)
        if kept is not None:
            self.take(place.table, kept.token)
        else:
            await self._sit_at(await self._engine.sit(place.table, SitDown(name)))
        return await self._now()

    async def start(self) -> str:
        """Start the match at the table that you opened, or another match after it."""
        await self._engine.start(*self._seat)
        return await self._now()

    async def look(self) -> str:
        """Look at the table: your hand, the cards on the table, recent events, and your legal moves with numbers."""
        return await self._now()

    async def wait_for_my_turn(self, seconds: int = 45) -> str:
        """Wait until it is your turn or the match is over, at most `seconds`; then look at the table."""
        end = time.monotonic() + min(max(seconds, 0), LONGEST_WAIT)
        table = await self._engine.table(*self._seat)
        while not table.moves and table.status != "over" and (left := end - time.monotonic()) > 0:
            wait = min(left, LONG_POLL)
            table = await self._engine.table(*self._seat, after=table.version, wait=wait)
        return await self._now()

    async def play(self, move: int, version: int) -> str:
        """Make the move with this number in the list of moves that you saw at this version of the table; then look."""
        table = await self._engine.table(*self._seat)
        if table.version != version:
            raise ToolError(f"The table is at version {table.version} now. Look at it again.")
        if not 1 <= move <= len(table.moves):
            raise ToolError(f"There is no move {move}: {_count(table.moves)}.")
        await self._engine.play(*self._seat, table.moves[move - 1], version=version)
        return await self._now()

    async def hint(self) -> str:
        """Ask what a strong player would do on your turn, and why. Not all tables allow hints."""
        advice = await self._engine.hint(*self._seat)
        return f"{advice.text or msgspec.json.encode(advice.move).decode()}: {advice.reason.text}"

    async def come_back(self) -> str:
        """Take your hand back from the computer player that took over when you missed turns; then look."""
        table = await self._engine.table(*self._seat)
        if table.you is not None:
            await self._engine.come_back(self._seat[0], table.you, self._seat[1])
        return await self._now()

    async def _require_no_match(self) -> None:
        """Raise `ToolError` if the agent has a seat at a table whose match is not over."""
        if self._place is not None and (await self._engine.table(*self._place)).status != "over":
            raise ToolError("You have a seat at another table, whose match is not over.")

    async def _sit_at(self, seated: Seated) -> tuple[str, str]:
        """Move the agent to a new seat and save the token; return the table id and the token."""
        table, token = seated.table.id, seated.token or ""
        self.take(table, token)
        await asyncio.to_thread(self._keep, SeatFile(TableLink(self._server, table).url, token), table)
        return table, token

    def _keep(self, seat: SeatFile, table: str) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._folder, delete=False) as written:  # only its owner can read the file
            written.write(msgspec.json.encode(seat))
        Path(written.name).replace(self._folder / f"{table}.json")

    def _read(self, table: str) -> SeatFile | None:
        try:
            return msgspec.json.decode((self._folder / f"{table}.json").read_bytes(), type=SeatFile)
        except (OSError, msgspec.DecodeError):
            return None

    async def _details(self, name: GameName) -> GameDetails:
        if self._game is None:
            self._game = await self._engine.game(name)
        return self._game

    async def _now(self) -> str:
        """Describe the table in words, with the events that the agent has not seen yet."""
        page = await self._engine.event_page(*self._seat, after=self._shown)
        steps = [event.table for event in page.events]
        table = steps[-1] if steps else await self._engine.table(*self._seat)
        if self._shown is None:
            steps = [table]
        self._shown = table.version
        return "\n".join(_lines(table, steps, await self._details(table.game)))


def _count(moves: Sequence[object]) -> str:
    return f"they are numbered from 1 to {len(moves)}" if moves else "it is not your turn"


def _lines(table: Table, steps: Sequence[Table], game: GameDetails) -> Iterator[str]:
    """Yield a description of the table: the events of these steps, then the current state."""
    words, labels = table.words, game.words.labels if game.words else {}
    if not words or table.you is None:
        raise ToolError("The engine gives this token no seat and no words.")
    yield f"Version {table.version}. {words.title}".strip()
    happened = [line for step in steps for line in (step.words.events if step.words else []) if line]
    yield from (f"- {line}" for line in happened)
    yield from words.result
    yield from filter(None, [words.ending, words.turn])
    hand = getattr(table.deal, "hand", None)
    if hand is not None and game.words:
        named = [game.words.cards[code].short if code in game.words.cards else code for code in hand]
        yield f"Your hand: {', '.join(named) or '—'}"
    for key, cards in words.piles.items():
        label, _, owner = key.partition(".")
        whose = f" ({table.seats[int(owner)].name})" if owner else ""
        yield f"{labels.get(label, label)}{whose}: {cards}"
    for seat in table.seats:
        parts = [*words.seats[seat.seat : seat.seat + 1], *words.score[seat.seat : seat.seat + 1]]
        if "".join(parts[:1]).endswith("".join(parts[1:])):
            parts = parts[:1]  # in the first deal, both parts would give the same points
        yield f"{seat.name}{' (you)' if seat.seat == table.you else ''}: {' · '.join(parts)}"
    yield from words.facts
    if table.deadline is not None:
        yield f"Time for this turn: until {table.deadline:%H:%M:%S} UTC"
    if table.seats[table.you].away:
        yield "A computer player holds your hand: call come_back."
    if table.moves:
        yield "Moves:"
    yield from (f"{number}. {label}" for number, label in enumerate(words.moves, 1))
