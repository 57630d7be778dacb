"""What happens at a table, told as it happens."""

import msgspec

from services.terminal.board import names_of, show_result, show_standing, verdict
from services.terminal.games.registry import DRAWINGS
from services.terminal.paper import Paper
from shared import events
from shared.games.base import Result
from shared.messages import EventItem, JsonObject, Table
from shared.translate import Words
from shared.words.table import at_table


def tell(paper: Paper, item: EventItem, words: Words) -> None:
    """Tell what led to a table's version."""
    if item.event == "gap":
        paper.lines([words.gettext("… meanwhile more happened than the table remembers.")], style="dim")
    for event in item.table.events:
        _tell(paper, item.table, event, words)


def dealt(table: Table) -> bool:
    """Tell whether new cards have just been dealt."""
    return any(event.get("type") == "dealt" for event in table.events)


def _tell(paper: Paper, table: Table, event: JsonObject, words: Words) -> None:
    text = _told(table, event, words)
    paper.items(text.splitlines())
    match event.get("type"):
        case "deal_over":
            _deal_over(paper, table, msgspec.convert(event["result"], Result), words)
        case "match_over":
            match_over(paper, table, words)


def _told(table: Table, event: JsonObject, words: Words) -> str:
    names = names_of(table)
    try:
        known = msgspec.convert(event, events.TableEvent)
    except msgspec.ValidationError:
        return DRAWINGS[table.game].act(event, names, words)
    match known:
        case events.Sat(_, name, "person"):
            return words.gettext("{name} sits down").format(name=name)
        case events.Sat(_, name):
            return words.gettext("{name}, a computer player, sits down").format(name=name)
        case events.Left(_, name):
            return words.gettext("{name} gets up").format(name=name)
        case _:
            return at_table(known, names, words)


def _deal_over(paper: Paper, table: Table, result: Result, words: Words) -> None:
    """Tell how a deal ended; of the last one, and of a match of one deal, the match's end says it all."""
    if table.match.result is not None:
        return
    paper.say()
    paper.say(words.gettext("Deal {n} is over.").format(n=table.match.deal - 1), style="bold")
    show_result(paper, table, result, words)
    if table.match.deal > 2:
        show_standing(paper, table, words)


def match_over(paper: Paper, table: Table, words: Words) -> None:
    """Tell how the match ended."""
    result = table.match.result
    if result is None:
        paper.say(words.gettext("The table is closed."), style="bold")
        return
    paper.say()
    paper.say(verdict(names_of(table), result, words), style="bold")
    show_result(paper, table, result, words)
