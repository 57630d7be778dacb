"""What each module `games.<game>` of the terminal defines, and how a typed line is parsed into a move. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct

from locanda.cards import CARDS
from locanda.cuccu import CODES, DESIGNS
from locanda.games.registry import AnyView
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER, JOKER_SIGN, SUIT_SIGNS
from locanda.texts.games import cards_of, texts_of
from locanda.translations import Translations

V = TypeVar("V")

LabelledRows: TypeAlias = list[tuple[str, str]]
"""Rows of what lies on the table: a label, empty to continue the row above, and the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    """How the cards of a deck are typed."""

    read: Callable[[str], list[str] | None]
    """The codes of the cards that a text names; None if it names anything else."""
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBoard(Generic[V]):
    """What the terminal needs of a game beside the texts of all clients (`locanda.texts.<game>`). `V` is its view."""

    rows: Callable[[V, Sequence[str], Translations], LabelledRows]
    """What lies on the table, from the view and the names by seat."""
    cards: CardInput
    source: Callable[[JsonObject, Translations], str] | None = None
    """What a move begins with, in words. Where there are many moves that is chosen first; None for games without."""
    equal: Callable[[JsonObject, V], Iterable[JsonObject]] = lambda move, _: (move,)
    """A legal move and those equal to it that the engine does not list, because other cards do the same."""


AnyGameBoard: TypeAlias = GameBoard[Any]


@cache
def board_of(game: str) -> AnyGameBoard:
    """Return the `BOARD` of a game by its name, as in `GAME_NAMES`."""
    return cast("AnyGameBoard", import_module(f".{game}", __package__).BOARD)


# --- parsing cards: ``7h``, ``10♠``, ``qd jc``, ``*``; ``VII``, ``leone``

FRENCH = re.compile(rf"(10|[a2-9tjqk])([hdcs{''.join(SUIT_SIGNS.values())}])|[*{JOKER_SIGN}]", re.IGNORECASE)
SEPARATORS = re.compile(r"[\s,;\ufe0e\ufe0f]+")
SUITS = {sign: code for code, sign in SUIT_SIGNS.items()}
CUCCU_NAMES = {name.casefold(): each.code for each in DESIGNS for name in (each.code, each.name_it, each.name_en)}


def read_french(text: str) -> list[str] | None:
    """Return the French cards and jokers in a text, with or without separators; None for any other text."""
    joined = SEPARATORS.sub("", text)
    found = list(FRENCH.finditer(joined))
    if not found or sum(len(each[0]) for each in found) != len(joined):
        return None
    return [_french_code(each) for each in found]


def _french_code(found: re.Match[str]) -> str:
    if found[1] is None:
        return JOKER
    code = found[1].upper().replace("10", "T") + SUITS.get(found[2], found[2].lower())
    return code if code in CARDS else JOKER


def read_cuccu(text: str) -> list[str] | None:
    """Return the cards of the Cuccù in a text, by numeral or by name in either language, in deck order."""
    parts = [part for part in SEPARATORS.split(text.casefold()) if part]
    found = [CUCCU_NAMES[part] for part in parts if part in CUCCU_NAMES]
    return sorted(found, key=CODES.index) if parts and len(found) == len(parts) else None


FRENCH_CARDS = CardInput(read=read_french, example="7h 10♠ *")
CARDS_WITHOUT_JOKERS = CardInput(read=read_french, example="7h 10♠")
CUCCU_CARDS = CardInput(read=read_cuccu, example="VII, leone")


# --- parsing moves


class OneMove(Struct, frozen=True):
    """The line means this legal move."""

    move: JsonObject


class SeveralMoves(Struct, frozen=True):
    """The line can mean each of these legal moves."""

    moves: list[JsonObject]


class IllegalMove(Struct, frozen=True):
    """The line names cards with which no move is legal; this is the likeliest move that was meant."""

    move: JsonObject


class NoMove(Struct, frozen=True):
    """The line means no move."""


TypedMove = OneMove | SeveralMoves | IllegalMove | NoMove


def parse_move(
    line: str,
    listed: Sequence[Sequence[JsonObject]],
    moves: Sequence[JsonObject],
    game: str,
    view: AnyView,
    translations: Translations,
) -> TypedMove:
    """Return what a line means: a number of the last list, cards, or the beginning of a legal move's label.

    A number of the list stands for one move, or for several that begin alike.
    """
    if line.isdecimal():
        number = int(line)
        return _result([*listed[number - 1]]) if 0 < number <= len(listed) else NoMove()
    board, texts = board_of(game), texts_of(game)
    cards = board.cards.read(line)
    if cards:
        found = _with_cards(cards, moves, board, view)
        return _result(found) if found else IllegalMove(texts.candidate_moves(view, cards)[0])
    wanted = line.casefold()
    labels = ((move, texts.move_label(move, view, translations).casefold()) for move in moves if wanted)
    return _result([move for move, label in labels if label.startswith(wanted)])


def _with_cards(
    cards: Sequence[str], moves: Sequence[JsonObject], board: AnyGameBoard, view: AnyView
) -> list[JsonObject]:
    """Return the legal moves with exactly these cards, listed ones and their equals."""
    wanted = Counter(cards)
    return [each for move in moves for each in board.equal(move, view) if Counter(cards_of(each)) == wanted]


def _result(found: list[JsonObject]) -> TypedMove:
    if not found:
        return NoMove()
    return OneMove(found[0]) if len(found) == 1 else SeveralMoves(found)
