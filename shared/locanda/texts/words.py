"""Tables and games in sentences, for clients without their own texts: the `words` in responses of the API.

The sentences are based on the viewer's view, so they reveal no more than the table itself.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from locanda.games.base import Result
from locanda.games.registry import WIRE_TYPES, AnyView
from locanda.messages import (
    GameDetails,
    GameInfo,
    GameWords,
    GivenMove,
    JsonObject,
    PlayWords,
    PresetWords,
    Table,
    TableWords,
    ViewWords,
)
from locanda.texts.games import labels_of, piles_of, texts_of
from locanda.texts.options import PRESET_TITLES, preset_line, summary
from locanda.texts.phrases import level_name
from locanda.texts.rematch import rematch_lines
from locanda.texts.results import Placed, closed, deal_number, ending, ranking, winners
from locanda.texts.selection import cards_of_moves
from locanda.texts.table import event_text, problem_text
from locanda.translations import Language, Translations, language_of, translations_in


def game_words(game: GameDetails, language: Language) -> GameWords:
    """Return a game's words for its cards, piles and moves."""
    texts, translations = texts_of(game.game), translations_in(language)
    return GameWords(
        language=language,
        cards=texts.deck(translations),
        labels=labels_of(game.game, translations),
        levels={level: level_name(level, translations) for level in game.levels},
        presets=[
            PresetWords(preset, translations.gettext(title), preset_line(game, preset, language), dict(options))
            for preset, title in PRESET_TITLES.items()
            for options in [WIRE_TYPES[game.game].PRESETS[preset]]
        ],
    )


def table_words(table: Table, game: GameInfo, language: Language) -> TableWords:
    """Return a table in sentences. `game` is its entry in the catalogue."""
    texts, translations = texts_of(table.game), translations_in(language)
    names, deal = [seat.name for seat in table.seats], table.deal
    events = [event_text(table.game, event, names, translations) or None for event in table.events]
    return TableWords(
        language=language,
        title=deal_number(table, translations),
        turn=_turn(table, translations),
        events=events,
        moves=[] if deal is None else [texts.move_label(move, deal, translations) for move in table.moves],
        seats=[] if deal is None else [texts.tally(deal, seat.seat, translations) for seat in table.seats],
        piles={} if deal is None else piles_of(deal, names, translations),
        facts=[] if deal is None else _facts(table, names, translations),
        score=[texts.points(number, translations) for number in table.match.points] if table.match.deal else [],
        result=list(_result(table, names, translations)),
        ending=_ending(table, names, translations),
        takes=[] if deal is None else cards_of_moves(table.game, table.moves, deal),
        options=summary(game, table.options, language_of(translations)),
        rematch=rematch_lines(table, names, translations),
        levels=[level_name(seat.level, translations) for seat in table.seats],
    )


def move_label(game: str, move: JsonObject, view: AnyView, language: Language) -> str:
    """Return the label of a move."""
    return texts_of(game).move_label(move, view, translations_in(language))


# --- deals without a table


def names_of(count: int, names: Sequence[str], language: Language) -> list[str]:
    """Return a name for each seat: those in `names`, then numbers for the remaining seats."""
    text = translations_in(language).gettext("Seat {n}")
    return [*names[:count], *(text.format(n=number) for number in range(len(names) + 1, count + 1))]


def play_words(
    game: str, events: Sequence[JsonObject], result: Result | None, names: Sequence[str], language: Language
) -> PlayWords:
    """Return the outcome of a move in words."""
    translations = translations_in(language)
    lines = [event_text(game, event, names, translations) or None for event in events]
    placed = [] if result is None else ranking(game, result, names, translations)
    return PlayWords(language, lines, [_place(row) for row in placed])


def view_words(game: str, view: AnyView, names: Sequence[str], language: Language) -> ViewWords:
    """Return a view in sentences."""
    texts, translations = texts_of(game), translations_in(language)
    return ViewWords(
        language=language,
        turn="" if view.turn is None else turn_of(names[view.turn], translations),
        seats=[texts.tally(view, seat, translations) for seat in range(len(names))],
        piles=piles_of(view, names, translations),
        facts=[*texts.facts(view, names, translations), *texts.secrets(view, names, translations)],
    )


# --- parts


def turn_of(name: str, translations: Translations) -> str:
    """Return the sentence that says whose turn it is."""
    return translations.gettext("It is {name}'s turn").format(name=name)


def _place(placed: Placed) -> str:
    return f"{placed.mark} {placed.name} · {placed.points}"


def _turn(table: Table, translations: Translations) -> str:
    if table.deal is None or table.deal.turn is None:
        return ""
    if table.deal.turn != table.you:
        return turn_of(table.seats[table.deal.turn].name, translations)
    task = texts_of(table.game).task(table.deal, table.moves, translations, taps="none")
    return f"{translations.gettext('Your turn.')} {task}"


def _facts(table: Table, names: list[str], translations: Translations) -> list[str]:
    texts = texts_of(table.game)
    return [*texts.facts(table.deal, names, translations), *texts.secrets(table.deal, names, translations)]


def _result(table: Table, names: list[str], translations: Translations) -> Iterator[str]:
    """Yield the winner of the match, or the end of a deal in the last step, then the ranking.

    For a table without people, yield that the table is closed, although computer players may still finish the match.
    """
    result = table.match.result
    if result is None and table.status == "over":
        yield closed(table, translations)
    elif result is not None:
        yield winners(result, names, translations)
    elif (over := _deal_over(table)) is not None:
        result = _result_of(over)
        yield translations.gettext("Deal {n} is over.").format(n=table.match.deal - 1)
    elif table.host is None:
        yield closed(table, translations)
    for row in [] if result is None else ranking(table.game, result, names, translations):
        yield _place(row)


def _ending(table: Table, names: list[str], translations: Translations) -> str:
    """Return why the deal ended, if the last step ended a deal."""
    over = _deal_over(table)
    if over is None:
        return ""
    how = "" if table.match.result is not None else event_text(table.game, over, names, translations)
    return how or ending(table, _result_of(over), names, translations)


def _deal_over(table: Table) -> JsonObject | None:
    """Return the `deal_over` event of the last step; None if there is none."""
    return next((event for event in table.events if event.get("type") == "deal_over"), None)


def _result_of(event: JsonObject) -> Result:
    return msgspec.convert(event["result"], Result)


# --- problems


class Position(Struct, frozen=True):
    """The context of a refusal: the game, and the deal as the mover sees it."""

    game: str
    view: AnyView
    moves: list[GivenMove]
    """The mover's legal moves."""


def problem_words(code: str, facts: JsonObject, seen: Table | Position | None, title: str, language: Language) -> str:
    """Return the sentence for an error or, if its code has none, the title. `seen` is what the caller sees."""
    translations = translations_in(language)
    text = ""
    if isinstance(seen, Position):
        text = texts_of(seen.game).refusal_text(code, facts, seen.view, seen.moves, translations)
    table = seen if isinstance(seen, Table) else None
    return text or problem_text(code, facts, table, {}, translations) or f"{title}."
