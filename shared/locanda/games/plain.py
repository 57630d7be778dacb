"""How a game looks in a chat and in a terminal that brings no `chat` or `terminal` of its own: piles, hand and moves.

Cards are buttons, or are typed as the game's texts show them.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, cast, get_args

import msgspec
from msgspec import Struct

from locanda.games.chat import Cards, Controls, GameScreens, PickableCard, bold, plain
from locanda.games.registry import WIRE_TYPES, has_part, part
from locanda.games.terminal import AnyGameBoard, CardInput, GameBoard, LabelledRows
from locanda.messages import JsonObject
from locanda.texts.cards import in_order
from locanda.texts.games import labels_of, texts_of
from locanda.translations import Translations, translations_in

ICON = "🎴"
SEPARATOR, BETWEEN = "/", "."


# --- in a chat


@cache
def plain_screens(game: str) -> GameScreens[Any]:
    """Return how a game is shown and played in a chat: its piles with their names, a button for each card."""
    texts = texts_of(game)

    def table(view: Any, names: Sequence[str], translations: Translations) -> list[str]:  # noqa: ANN401  (any view)
        return [f"{plain(label)}: {bold(cards)}" for label, cards in _rows(game, view, names, translations)]

    def hand(view: Any, translations: Translations) -> str:  # noqa: ANN401  (any view)
        return " ".join(texts.hand(view, translations))

    def cards(view: Any, translations: Translations) -> tuple[Cards, ...]:  # noqa: ANN401  (any view)
        names = texts.deck(translations)
        return (tuple(PickableCard(code, names[code].short, code) for code in in_order(view.hand or ())),)

    controls: Controls[Any] = Controls(
        cards=cards,
        takes=lambda move: (move["card"],) if "card" in move else (),
        label=texts.move_label,
        code=lambda move, _selected: code_of(game, move),
        candidates=lambda view, selected: texts.candidate_moves(view, [selected[0].card]),
        by_card=lambda move: not any(isinstance(value, list) and value for value in move.values()),
        advances=lambda move: "card" in move,
    )
    icon = getattr(WIRE_TYPES[game], "ICON", ICON)
    return GameScreens(icon=icon, table=table, hand=hand, controls=controls, move=lambda code: move_of(game, code))


def code_of(game: str, move: JsonObject) -> str:
    """Return the short form of a move: its type and fields in the order of their declaration."""
    number, declared = next((at, each) for at, each in enumerate(_moves(game)) if _tag(each) == move["type"])
    fields = [move.get(field.encode_name) for field in msgspec.structs.fields(declared)]
    return SEPARATOR.join([str(number), *map(_spelt, fields)]).rstrip(SEPARATOR)


def move_of(game: str, code: str) -> JsonObject:
    """Return the move of a short form. Raises `ValueError` or `LookupError` for what is none."""
    number, *values = code.split(SEPARATOR)
    declared = _moves(game)[int(number)]
    move: JsonObject = {"type": _tag(declared)}
    for field, value in zip(msgspec.structs.fields(declared), values, strict=False):
        if value:
            several = BETWEEN in value
            move[field.encode_name] = [each for each in value.split(BETWEEN) if each] if several else value
    return dict(msgspec.to_builtins(msgspec.convert(move, declared, strict=False)))


def _spelt(value: object) -> str:
    if isinstance(value, list | tuple):
        return "".join(f"{each}{BETWEEN}" for each in value)
    return "" if value is None else str(value)


def _moves(game: str) -> tuple[type[Struct], ...]:
    union = WIRE_TYPES[game].Move
    return get_args(union) or (union,)


def _tag(declared: type[Struct]) -> str:
    return str(declared.__struct_config__.tag)


# --- in a terminal


@cache
def board_of(game: str) -> AnyGameBoard:
    """Return the `BOARD` of a game by its name, as in `GAME_NAMES`, or the plain one."""
    return cast("AnyGameBoard", part(game, "terminal").BOARD) if has_part(game, "terminal") else plain_board(game)


def plain_board(game: str) -> GameBoard[Any]:
    """Return how a game is shown in a terminal, and that its cards are typed as they are shown, or by code."""
    names = texts_of(game).deck(translations_in("en"))
    typed = {form.casefold(): code for code, words in names.items() for form in (code, words.short)}
    first = next(iter(names.values())).short

    def read(line: str) -> list[str] | None:
        parts = re.split(r"[\s,;→]+", line.casefold().replace("\ufe0f", "").strip())
        found = [typed[part] for part in parts if part in typed]
        return found if len(found) == len(parts) else None

    def rows(view: Any, names: Sequence[str], translations: Translations) -> LabelledRows:  # noqa: ANN401  (any view)
        return _rows(game, view, names, translations)

    return GameBoard(rows=rows, cards=CardInput(read=read, example=first))


def _rows(game: str, view: Any, names: Sequence[str], translations: Translations) -> LabelledRows:  # noqa: ANN401
    """Return each pile of a view with its label."""
    labels, piles = labels_of(game, translations), texts_of(game).piles(view, names, translations)
    return [(labels[name], cards) for name, cards in piles.items() if name in labels]
