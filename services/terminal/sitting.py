"""How one comes to sit at a table: by opening it, as a friend, or where one sat before."""

from collections.abc import Sequence
from secrets import token_urlsafe

from services.terminal.desk import Desk
from services.terminal.failures import FailureError
from services.terminal.hosting import Gathering, seat_computer
from services.terminal.keyboard import Closed, Line
from services.terminal.places import KeptSeat, Place, Seats
from shared.errors import UnauthorizedError
from shared.games.base import N_
from shared.messages import GameInfo, JsonObject, OpenTable, SitDown, Table
from shared.translate import spoken
from shared.words.options import options_of

NO_OPTION = N_("{game} has no option {name}; it has {options}.")


async def take_seat(desk: Desk, place: Place, seats: Seats, name: str) -> tuple[KeptSeat, Table]:
    """Take one's own seat up again, or else sit down as a friend. Raises `EngineError`."""
    kept = seats.find(place.table)
    if kept is not None:
        try:
            table = await desk.engine.table(place.table, kept.token)
        except UnauthorizedError:
            seats.forget(place.table)
        else:
            return _kept(place, kept.token, seats), table
    seated = await desk.engine.sit(place.table, SitDown(name, client_seed=token_urlsafe(12)))
    return _kept(place, seated.token, seats), seated.table


async def open_table(
    desk: Desk, wish: OpenTable, gathering: Gathering, game: GameInfo, seats: Seats
) -> tuple[KeptSeat, Table]:
    """Open a table and seat the computer players. Raises `EngineError`, or `FailureError` where there are too many."""
    people = 1 + (gathering.friends or 0)
    if people + (gathering.computers or 0) > game.players.max:
        text = desk.gettext("{game} is for {n} players at most.", game=desk.name_of(game), n=game.players.max)
        raise FailureError(text)
    seated = await desk.engine.open_table(wish)
    kept, table = _kept(Place(desk.server, seated.table.id), seated.token, seats), seated.table
    for _ in range(gathering.computers or 0):
        table = await seat_computer(desk, table, kept.token)
    return kept, table


def _kept(place: Place, token: str | None, seats: Seats) -> KeptSeat:
    seat = KeptSeat(place, token or "")
    seats.keep(seat)
    return seat


def options(desk: Desk, game: GameInfo, given: Sequence[tuple[str, object]]) -> JsonObject:
    """Return the options of a new table. Raises `FailureError` for one that the game does not have."""
    known = [option.name for option in options_of(game, spoken(desk.words))]
    for name, _ in given:
        if name not in known:
            told = {"game": desk.name_of(game), "name": name, "options": ", ".join(known)}
            raise FailureError(desk.gettext(NO_OPTION, **told))
    return dict(given)


async def choose_game(desk: Desk, games: Sequence[GameInfo]) -> GameInfo:
    """Ask which game is to be played. Raises `FailureError` where nobody answers."""
    desk.say("What shall we play?")
    desk.paper.choices([desk.name_of(game) for game in games])
    while True:
        desk.paper.ask()
        heard = await desk.ears.next()
        if isinstance(heard, Closed):
            raise FailureError(desk.gettext("No game was chosen."))
        if isinstance(heard, Line):
            desk.paper.answered()
            found = _found(heard.text, games, desk)
            if found is not None:
                return found
            desk.say("I do not understand that: type a number from 1 to {n}.", n=len(games))


def _found(text: str, games: Sequence[GameInfo], desk: Desk) -> GameInfo | None:
    if text.isdecimal() and 0 < int(text) <= len(games):
        return games[int(text) - 1]
    wanted = text.casefold()
    return next((game for game in games if wanted and desk.name_of(game).casefold().startswith(wanted)), None)
