"""A table as it is shown: what lies open, who holds what, one's own hand, and how things ended."""

from collections.abc import Iterator, Sequence

from services.terminal.games.drawing import Rows
from services.terminal.games.registry import DRAWINGS
from services.terminal.paper import Paper
from shared.games.base import Result
from shared.messages import GameInfo, Seat, Table
from shared.translate import Language, Words, spoken
from shared.words.options import summary
from shared.words.phrases import listed, medal, turn_time


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def names_of(table: Table) -> list[str]:
    """Return the name on each seat."""
    return [seat.name for seat in table.seats]


def heading(table: Table, game: GameInfo, words: Words) -> str:
    """Return the game and, in a match of several deals, which deal this is."""
    name, deal = game_name(game, spoken(words)), table.match.deal
    option = game.options.en.get("properties", {}).get("deals")
    deals = None if option is None else int(table.options.get("deals", option["default"]))
    if not deal or deals == 1 or (deals is None and deal < 2):
        return name
    which = words.gettext("deal {n} of {all}") if deals else words.gettext("deal {n}")
    return f"{name} · {which.format(n=deal, all=deals)}"


def show_lobby(paper: Paper, table: Table, game: GameInfo, words: Words) -> None:
    """Show an open table: who sits there, and on which terms it is played."""
    paper.title(game_name(game, spoken(words)))
    paper.items([_called(table, seat, words) for seat in table.seats])
    time = words.gettext("Time for a turn: {time}").format(time=turn_time(table.turn_seconds, words))
    paper.lines([*summary(game, table.options, spoken(words)), time], style="dim")


def _called(table: Table, seat: Seat, words: Words) -> str:
    marks = []
    if seat.seat == table.you:
        marks.append(words.gettext("you"))
    if seat.kind == "computer":
        marks.append(words.gettext("computer"))
    if seat.away:
        marks.append(words.gettext("away"))
    return f"{seat.name} ({', '.join(marks)})" if marks else seat.name


def show_board(paper: Paper, table: Table, game: GameInfo, words: Words) -> None:
    """Show the deal under way: who holds what, what lies open, and the viewer's own hand."""
    if table.deal is None:
        return
    drawing, names = DRAWINGS[table.game], names_of(table)
    paper.title(heading(table, game, words))
    paper.rows(list(_seats(table, words)))
    paper.say()
    rows: Rows = drawing.rows(table.deal, names, words)
    paper.rows(rows)
    secrets = drawing.secrets(table.deal, names, words)
    if table.you is not None:
        paper.say()
        paper.rows([(words.gettext("Your hand"), drawing.hand(table.deal, words) or "—")])
    paper.lines(secrets)


def _seats(table: Table, words: Words) -> Iterator[tuple[str, ...]]:
    drawing, deal = DRAWINGS[table.game], table.deal
    for seat in table.seats:
        notes = [drawing.tally(deal, seat.seat, words)]
        if table.match.deal > 1:
            notes.append(words.gettext("match: {n}").format(n=table.match.points[seat.seat]))
        on_turn = deal is not None and deal.turn == seat.seat
        yield (f"{'▸' if on_turn else ' '} {_called(table, seat, words)}", " · ".join(notes))


def show_result(paper: Paper, table: Table, result: Result, words: Words) -> None:
    """Show a ranking with its points, best first; those who tie share a place."""
    drawing, names = DRAWINGS[table.game], names_of(table)
    rows, place = [], 0
    for seats in result.ranking:
        rows += [(medal(place), names[seat], drawing.points(result.points[seat], words)) for seat in seats]
        place += len(seats)
    paper.rows(rows)


def show_standing(paper: Paper, table: Table, words: Words) -> None:
    """Show the points of the match so far."""
    fewest = DRAWINGS[table.game].fewest_wins
    ranked = sorted(zip(table.match.points, names_of(table), strict=True), reverse=not fewest)
    paper.say(words.gettext("In the match so far:"))
    paper.rows([(name, str(points)) for points, name in ranked])


def verdict(names: Sequence[str], result: Result, words: Words) -> str:
    """Return who won the match."""
    first = [names[seat] for seat in result.ranking[0]]
    if len(first) == 1:
        return words.gettext("{name} wins!").format(name=first[0])
    return words.gettext("A draw between {names}.").format(names=listed(first, words))
