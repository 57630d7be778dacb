"""Before and after a match: choose a game, open or join a table, wait for players, agree on a rematch."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_urlsafe

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from locanda.errors import EngineError, UnauthorizedError
from locanda.games.base import N_
from locanda.messages import (
    OWN_PREFIX,
    AnswerRematch,
    ChangeTable,
    GameInfo,
    GameName,
    GivenOptions,
    OpenTable,
    SeatableLevel,
    SitDown,
    Table,
)
from locanda.messages.links import TableLink
from locanda.messages.own_players import OwnPlayer
from locanda.shuffle_check import KeptShuffle
from locanda.texts.options import Option, most_players, options_of
from locanda.texts.phrases import duration
from locanda.texts.rematch import rematch_lines
from locanda.translations import language_of

from .input import EndOfInput, TypedLine
from .saved_seats import SavedSeat, SavedSeats
from .session import CommandError, Session

UNKNOWN_OPTION = N_("{game} has no option {name}; it has {options}.")
SIT_DOWN, SIT_DOWN_HERE = N_("Friends sit down with:"), N_("Friends at this machine sit down with:")
WRONG_NUMBER = N_("{name} is a number from {least} to {most}.")
WRONG_CHOICE = N_("{name} is one of {values}.")
NOT_UNDERSTOOD = N_("I do not understand that. ? helps.")
COMPUTER = ("c", "computer")
LOCK = ("lock", "blocca")
LOCKED, UNLOCKED = N_("Nobody else may sit down at this table."), N_("Friends may sit down again.")
STOP = ("stop", "basta")
MOST_LOOKED_AT, MOST_OFFERED = 20, 5
"""Maximum number of saved seats that are checked, and of those that are offered, when no game is given."""
LINES_BELOW_CODE = 3
"""Number of lines below a QR code: the text on what Enter does (two lines in a narrow window), and the prompt."""
LEVEL_WORDS = {"facile": "easy", "medio": "medium", "difficile": "hard"}
"""Italian names of levels that may be typed."""
COMPUTER_NAMES = ("Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Irene", "Luca", "Anna")


class StartCondition(Struct, frozen=True):
    """The players for whom the match waits to start automatically; without a condition, the host starts it."""

    friends: int | None = None
    computers: int | None = None
    level: SeatableLevel = "medium"
    own_player: OwnPlayer | None = None
    """The person's own player (a computer player on a server), which takes the seats of the computer players."""

    @property
    def automatic(self) -> bool:
        """Whether the match starts automatically."""
        return self.friends is not None or self.computers is not None

    @property
    def alone(self) -> bool:
        """Whether the match waits only for computer players."""
        return bool(self.computers) and not self.friends

    def met(self, table: Table) -> bool:
        """Return whether all players of the condition have sat down."""
        people = sum(seat.kind == "person" for seat in table.seats)
        computers = len(table.seats) - people
        return people > (self.friends or 0) and computers >= (self.computers or 0)


# --- taking a seat


async def tables_to_return_to(session: Session, seats: SavedSeats) -> list[tuple[TableLink, Table]]:
    """Return this server's unfinished tables at which the person has a seat, most recently used first."""
    offered: list[tuple[TableLink, Table]] = []
    here = [seat for seat in seats.recent() if seat.link.server == session.server]
    for seat in here[:MOST_LOOKED_AT]:
        with suppress(EngineError):  # the table or the seat is gone
            table = await session.engine.table(seat.link.table, seat.token)
            if table.status != "over" and table.you is not None:
                offered.append((seat.link, table))
    return offered[:MOST_OFFERED]


async def choose_start(
    session: Session, games: Sequence[GameInfo], kept: Sequence[tuple[TableLink, Table]]
) -> GameInfo | TableLink:
    """Ask for a game, or a table to return to, until the person has chosen.

    Raises `CommandError` at the end of input.
    """
    session.say("What shall we play?")
    names = {game.game: session.name_of(game) for game in games}
    returns = [_label_of_return(session, table, names) for _, table in kept]
    session.output.choices([*returns, *names.values()])
    while True:
        session.output.prompt()
        item = await session.input.next()
        if isinstance(item, EndOfInput):
            raise CommandError(session.gettext("No game was chosen."))
        if isinstance(item, TypedLine):
            session.output.line_typed()
            start = _find_start(item.text, [*(link for link, _ in kept), *games], session)
            if start is not None:
                return start
            session.say("I do not understand that: type a number from 1 to {n}.", n=len(kept) + len(games))


def _label_of_return(session: Session, table: Table, names: Mapping[GameName, str]) -> str:
    others = [seat.name for seat in table.seats if seat.seat != table.you]
    game = names.get(table.game, table.game)
    if not others:
        return session.gettext("back to your table: {game}", game=game)
    return session.gettext("back to your table: {game} with {names}", game=game, names=", ".join(others))


def _find_start(text: str, starts: Sequence[GameInfo | TableLink], session: Session) -> GameInfo | TableLink | None:
    if text.isdecimal() and 0 < int(text) <= len(starts):
        return starts[int(text) - 1]
    games = [start for start in starts if isinstance(start, GameInfo)]
    wanted = text.casefold()
    return next((game for game in games if wanted and session.name_of(game).casefold().startswith(wanted)), None)


def check_options(session: Session, game: GameInfo, pairs: Sequence[tuple[str, object]]) -> GivenOptions:
    """Return the options of a new table. Raises `CommandError` for an unknown option or value."""
    known = {option.name: option for option in options_of(game, language_of(session.translations))}
    for name, value in pairs:
        if name not in known:
            values = {"game": session.name_of(game), "name": name, "options": ", ".join(known)}
            raise CommandError(session.gettext(UNKNOWN_OPTION, **values))
        _check_value(session, known[name], value)
    return GivenOptions(dict(pairs))


def _check_value(session: Session, option: Option, value: object) -> None:
    if option.choices:
        values = [msgspec.json.encode(choice.value).decode().strip('"') for choice in option.choices]
        if not any(type(value) is type(choice.value) and value == choice.value for choice in option.choices):
            raise CommandError(session.gettext(WRONG_CHOICE, name=option.name, values=", ".join(values)))
    elif type(value) is not int or not option.least <= value <= option.most:
        raise CommandError(session.gettext(WRONG_NUMBER, name=option.name, least=option.least, most=option.most))


def level_of(game: GameInfo, typed: str) -> SeatableLevel | None:
    """Return the level or own player with a typed name, or None."""
    named = LEVEL_WORDS.get(typed, typed)
    return next((level for level in game.levels if named in (level, level.removeprefix(OWN_PREFIX))), None)


def listed_levels(game: GameInfo) -> str:
    """Return the levels of a game's computer players, as people type them."""
    return ", ".join(level.removeprefix(OWN_PREFIX) for level in game.levels)


async def open_table(
    session: Session, request: OpenTable, condition: StartCondition, game: GameInfo, seats: SavedSeats
) -> tuple[SavedSeat, Table]:
    """Open a table and seat the computer players.

    Raises `EngineError` if a call fails, and `CommandError` if the players are too many.
    """
    player = _computer_player(game, condition)
    if player is None:
        raise CommandError(session.gettext(WRONG_CHOICE, name="--level", values=listed_levels(game)))
    if condition.own_player is not None and not game.own_players:
        raise CommandError(session.gettext("You cannot bring own players to this server."))
    people = 1 + (condition.friends or 0)
    most = most_players(game, msgspec.to_builtins(request.options))
    if people + (condition.computers or 0) > most:
        text = session.gettext("{game} is for {n} players at most.", game=session.name_of(game), n=most)
        raise CommandError(text)
    seated = await session.engine.open_table(request)
    seat, table = SavedSeat(TableLink(session.server, seated.table.id), seated.token or ""), seated.table
    seats.save(seat)
    session.say("Your table:")
    session.output.command(session.link_for_friends(seat.link).url)
    for _ in range(condition.computers or 0):
        table = await _seat_computer(session, table, seat.token, player)
    return seat, table


async def take_seat(
    session: Session, link: TableLink, seats: SavedSeats, name: str | None, otherwise: str
) -> tuple[SavedSeat, Table]:
    """Return to a saved seat at a table, or else sit down as a new player. Raises `EngineError`.

    Saved seats are skipped if another process uses them or their name is not `name`. A new player without a `name` gets
    the name `otherwise`.
    """
    for saved in seats.unused(link.table):
        try:
            table = await session.engine.table(link.table, saved.token)
        except UnauthorizedError:
            seats.forget(saved)
            continue
        if name is not None and table.you is not None and table.seats[table.you].name != name:
            seats.release(saved)
            continue
        seat = SavedSeat(link, saved.token, saved.kept)
        seats.save(seat)
        return seat, table
    seed = token_urlsafe(12)
    seated = await session.engine.sit(link.table, SitDown(name or otherwise, client_seed=seed))
    match = seated.table.match
    kept = KeptShuffle(match.next_commitment or match.commitment, (seed,), confirmed=True)
    seat = SavedSeat(link, seated.token or "", {match.number + (match.result is not None): kept})
    seats.save(seat)
    return seat, seated.table


def _computer_player(game: GameInfo, condition: StartCondition, typed: str = "") -> SitDown | None:
    """Return a request to seat a computer player of the typed or preset level; None for an unknown level."""
    own = condition.own_player
    if own is not None and typed in ("", own.name, own.level):
        return SitDown("", kind="computer", level=own.level, server=own.server)
    level = level_of(game, typed or condition.level)
    return None if level is None else SitDown("", kind="computer", level=level)


async def _seat_computer(session: Session, table: Table, token: str, player: SitDown) -> Table:
    taken = {seat.name for seat in table.seats}
    name = next(name for name in COMPUTER_NAMES if name not in taken)
    return (await session.engine.sit(table.id, replace(player, name=name), token)).table


# --- starting a match


class MatchStart:
    """Starts matches and rematches at a table at which the person has a seat."""

    def __init__(self, session: Session, seat: SavedSeat, game: GameInfo, condition: StartCondition) -> None:
        self._session = session
        self._seat = seat
        self._game = game
        self._condition = condition
        self._instructions_for: tuple[bool, bool, bool] | None = None
        """The situation for which instructions were last printed: person is host, enough players, table full."""
        self._rematch_offered_for = 0
        """Number of the last match after which a rematch was offered."""
        self._who_stays: list[str] = []
        """The last printed lines about who stays for another match."""

    async def gather(self, table: Table) -> Table | None:
        """Start the match if the condition is met, and return the table; otherwise print how to start it."""
        enough = len(table.seats) >= self._game.players.min
        is_host, condition = table.you == table.host, self._condition
        if is_host and enough and condition.automatic and condition.met(table):
            return await self.start(table)
        full = len(table.seats) >= (table.max_seats or self._game.players.max)
        if (is_host, enough, full) != self._instructions_for:
            first, self._instructions_for = self._instructions_for is None, (is_host, enough, full)
            self._print_instructions(table, enough=enough, full=full, first=first)
        return None

    def _print_instructions(self, table: Table, *, enough: bool, full: bool, first: bool) -> None:
        session = self._session
        session.output.line()
        if table.you != table.host:
            self._print_who_starts(table)
            return
        if full:
            session.say("The table is full. Enter starts the match.")
            return
        link = session.link_for_friends(self._seat.link)
        session.say(SIT_DOWN if link.reachable else SIT_DOWN_HERE)
        session.output.command(f"locanda play --table {link.url}")
        if link.reachable:
            session.say("Or in a browser, of a phone too:")
            session.output.command(link.url)
            if first:
                session.output.qr_code(link.url, below=LINES_BELOW_CODE)
        if self._condition.automatic:
            session.say("The match starts as soon as all are there.")
        elif enough:
            session.say("Enter starts the match; c seats a computer player, c hard or c easy one of another level.")
        else:
            session.say("c seats a computer player, c hard or c easy one of another level.")

    def _print_who_starts(self, table: Table) -> None:
        self._session.say("{name} starts the match.", name=table.seats[table.host or 0].name)

    async def handle_line(self, table: Table, line: str) -> Table | None:
        """Execute a line that was typed at an open table. Returns the table if it has changed."""
        if table.you != table.host:
            self._print_who_starts(table)
        elif line and line.casefold().split()[0] in COMPUTER:
            return await self._seat_computer(table, line.casefold().split()[1:])
        elif line.casefold() in LOCK:
            return await self._lock(table)
        elif not line:
            return await self.start(table)
        else:
            self._session.say(NOT_UNDERSTOOD)
        return None

    async def _lock(self, table: Table) -> Table:
        change = ChangeTable(locked=not table.locked)
        self._session.say(LOCKED if change.locked else UNLOCKED)
        return await self._session.engine.change_table(table.id, self._seat.token, change)

    async def _seat_computer(self, table: Table, words: Sequence[str]) -> Table | None:
        player = _computer_player(self._game, self._condition, " ".join(words))
        if player is None:
            self._session.say(WRONG_CHOICE, name="c", values=listed_levels(self._game))
            return None
        return await _seat_computer(self._session, table, self._seat.token, player)

    async def handle_line_after_match(self, table: Table, line: str) -> Table | None:
        """Answer whether the person stays for another match (an empty line: yes); return the table if changed."""
        if line.casefold() not in ("", *STOP) or table.you is None:
            self._session.say(NOT_UNDERSTOOD)
            return None
        answer = AnswerRematch(stays=not line)
        return await self._session.engine.answer_rematch(table.id, table.you, self._seat.token, answer)

    async def start(self, table: Table) -> Table:
        """Start the match, and return the table."""
        return await self._session.engine.start(table.id, self._seat.token)

    def offer_rematch(self, table: Table) -> None:
        """Print how to verify the match and play again, once for each match. Prints who stays whenever that changes."""
        self._print_instructions_after_match(table)
        self._print_who_stays(table)

    def _print_who_stays(self, table: Table) -> None:
        names, translations = [seat.name for seat in table.seats], self._session.translations
        lines = rematch_lines(table, names, translations)
        if table.rematch is not None and table.rematch.deadline is not None:
            left = max(1, round((table.rematch.deadline - datetime.now(UTC)).total_seconds()))
            lines.append(self._session.gettext("It begins in {time} at the latest.", time=duration(left, translations)))
        if lines != self._who_stays:
            self._who_stays = lines
            self._session.output.lines(lines)

    def _print_instructions_after_match(self, table: Table) -> None:
        if table.match.number == self._rematch_offered_for:
            return
        self._rematch_offered_for = table.match.number
        session = self._session
        session.output.line()
        if table.match.result is not None:
            session.say("To check the shuffle yourself, deal by deal:")
            session.output.command(f"locanda verify --table {self._seat.link.url} --match {table.match.number}")
        if table.you is not None:
            session.say("Enter: play another match. stop: no more matches. review: look at your moves again. q: quit.")
        elif table.rematch is not None:
            session.say("You play the next match; q quits.")
