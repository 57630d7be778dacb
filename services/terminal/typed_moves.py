"""How a typed line is parsed into a move. Pure."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from locanda.games.plain import board_of
from locanda.games.registry import AnyView
from locanda.games.terminal import AnyGameBoard
from locanda.messages import JsonObject
from locanda.texts.games import cards_of, texts_of
from locanda.translations import Translations


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
