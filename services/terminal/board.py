"""Prints tables: the lobby, the board with the viewer's hand, events, and results of deals and matches."""

from collections.abc import Iterator

import msgspec

from locanda.games.base import Result
from locanda.messages import EventItem, GameInfo, JsonObject, Seat, Table
from locanda.texts.games import hand_of, texts_of
from locanda.texts.options import summary
from locanda.texts.phrases import level_name, turn_time
from locanda.texts.results import closed, deal_number, ranking, standing, winners
from locanda.texts.table import event_text
from locanda.texts.terminal import board_of
from locanda.translations import Language, Translations, language_of

from .output import Output


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def names_of(table: Table) -> list[str]:
    """Return the name on each seat."""
    return [seat.name for seat in table.seats]


def newly_dealt(table: Table) -> bool:
    """Return whether the last change of the table dealt cards."""
    return any(event.get("type") == "dealt" for event in table.events)


# --- the current table


def show_table(output: Output, table: Table, game: GameInfo, translations: Translations) -> None:
    """Print a table in any state."""
    if table.status == "open":
        show_lobby(output, table, game, translations)
    elif table.status == "over":
        show_match_over(output, table, translations)
    else:
        show_board(output, table, game, translations)


def show_lobby(output: Output, table: Table, game: GameInfo, translations: Translations) -> None:
    """Print an open table: its seats, and the options that differ from the game's defaults."""
    output.title(game_name(game, language_of(translations)))
    output.items([_seat_name(table, seat, translations) for seat in table.seats])
    time = translations.gettext("Time for a turn: {time}").format(time=turn_time(table.turn_seconds, translations))
    output.lines([*summary(game, table.options, language_of(translations)), time], style="dim")


def show_board(output: Output, table: Table, game: GameInfo, translations: Translations) -> None:
    """Print the current deal: card counts, the cards on the table, and the viewer's hand."""
    if table.deal is None:
        return
    texts, names = texts_of(table.game), names_of(table)
    output.title(_heading(table, game, translations))
    output.rows(list(_seat_rows(table, translations)))
    output.line()
    output.rows(board_of(table.game).rows(table.deal, names, translations))
    if table.you is not None:
        output.line()
        output.rows([(translations.gettext("Your hand"), "  ".join(hand_of(table.deal, translations)) or "—")])
    output.lines(texts.secrets(table.deal, names, translations))


def _heading(table: Table, game: GameInfo, translations: Translations) -> str:
    """Return a heading with the game and, in a match of several deals, the deal's number."""
    parts = (game_name(game, language_of(translations)), deal_number(table, translations))
    return " · ".join(part for part in parts if part)


def _seat_rows(table: Table, translations: Translations) -> Iterator[tuple[str, ...]]:
    texts, deal = texts_of(table.game), table.deal
    for seat in table.seats:
        notes = [texts.tally(deal, seat.seat, translations)]
        if table.match.deal > 1:
            points = texts.points(table.match.points[seat.seat], translations)
            notes.append(translations.gettext("so far {points}").format(points=points))
        on_turn = deal is not None and deal.turn == seat.seat
        yield (f"{'▸' if on_turn else ' '} {_seat_name(table, seat, translations)}", " · ".join(notes))


def _seat_name(table: Table, seat: Seat, translations: Translations) -> str:
    marks = []
    if seat.seat == table.you:
        marks.append(translations.gettext("you"))
    if seat.kind == "computer":
        marks += [translations.gettext("computer"), level_name(seat.level, translations)]
    if seat.away:
        marks.append(translations.gettext("away"))
    return f"{seat.name} ({', '.join(marks)})" if marks else seat.name


# --- events and results


def show_events(output: Output, item: EventItem, translations: Translations) -> None:
    """Print the events that led to a version of the table."""
    if item.event == "gap":
        output.lines([translations.gettext("… some earlier events are no longer available.")], style="dim")
    for event in item.table.events:
        _show_event(output, item.table, event, translations)


def _show_event(output: Output, table: Table, event: JsonObject, translations: Translations) -> None:
    output.items(event_text(table.game, event, names_of(table), translations).splitlines())
    match event.get("type"):
        case "deal_over":
            _show_deal_over(output, table, msgspec.convert(event["result"], Result), translations)
        case "match_over":
            show_match_over(output, table, translations)


def _show_deal_over(output: Output, table: Table, result: Result, translations: Translations) -> None:
    """Print the result of a deal. The last deal of a match is left out, since the match's result includes it."""
    if table.match.result is not None:
        return
    output.line()
    output.line(translations.gettext("Deal {n} is over.").format(n=table.match.deal - 1), style="bold")
    _show_result(output, table, result, translations)
    if table.match.deal > 2:
        _show_standing(output, table, translations)


def show_match_over(output: Output, table: Table, translations: Translations) -> None:
    """Print the result of a match."""
    result = table.match.result
    if result is None:
        output.line(closed(table, translations), style="bold")
        return
    output.line()
    output.line(winners(result, names_of(table), translations), style="bold")
    _show_result(output, table, result, translations)


def _show_result(output: Output, table: Table, result: Result, translations: Translations) -> None:
    """Print a ranking with points, best seat first. Tied seats share a rank."""
    placed = ranking(table.game, result, names_of(table), translations)
    output.rows([(row.mark, row.name, row.points) for row in placed])


def _show_standing(output: Output, table: Table, translations: Translations) -> None:
    """Print the points of the match so far, best seat first."""
    output.line(translations.gettext("In the match so far:"))
    output.rows([(name, str(number)) for name, number in standing(table.game, table.match.points, names_of(table))])
