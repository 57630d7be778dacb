"""A spectator at a table: sees what all may see, until the match is over."""

from services.terminal import story
from services.terminal.board import show_board, show_lobby
from services.terminal.desk import Desk
from services.terminal.failures import FailureError, failure
from services.terminal.following import following
from services.terminal.keyboard import Found, Line, Lost
from services.terminal.places import Place
from shared.errors import EngineError
from shared.messages import EventItem, GameInfo, Table


async def watch(desk: Desk, place: Place, game: GameInfo) -> None:
    """Follow a table until its match is over. Raises `FailureError` when it is gone."""
    table: Table | None = None
    away = False
    desk.say("You are watching; Enter shows the table, Ctrl-C ends.")
    async with following(desk.engine, place.table, None, desk.ears):
        while table is None or table.status != "over":
            match await desk.ears.next():
                case EventItem() as item:
                    _show_news(desk, item, game, first=table is None)
                    table = item.table
                case Line() if table is not None:
                    desk.paper.answered()
                    _show(desk, table, game)
                case Lost() if not away:
                    away = True
                    desk.say("The connection is lost; I keep trying …")
                case Found() if away:
                    away = False
                    desk.say("… and here we are again.")
                case EngineError() as error:
                    raise FailureError(failure(error, table, desk.server, desk.words))


def _show_news(desk: Desk, item: EventItem, game: GameInfo, *, first: bool) -> None:
    if first:
        _show(desk, item.table, game)
        return
    story.tell(desk.paper, item, desk.words)
    if item.table.status == "playing" and story.dealt(item.table):
        _show(desk, item.table, game)


def _show(desk: Desk, table: Table, game: GameInfo) -> None:
    if table.status == "open":
        show_lobby(desk.paper, table, game, desk.words)
    elif table.status == "over":
        story.match_over(desk.paper, table, desk.words)
    else:
        show_board(desk.paper, table, game, desk.words)
