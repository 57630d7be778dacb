"""Parses a typed line into a move, without input or output."""

from collections.abc import Iterable, Sequence
from itertools import product

from msgspec import Struct

from locanda.games.registry import AnyView
from locanda.messages import GivenMove, SelectedCard, Selection
from locanda.texts.games import texts_of
from locanda.texts.selection import HAND, cards_of_moves, moves_with, with_cards
from locanda.texts.terminal import board_of, card_input
from locanda.translations import Translations


class OneMove(Struct, frozen=True):
    """The line means this legal move."""

    move: GivenMove


class SeveralMoves(Struct, frozen=True):
    """The line can mean any one of these legal moves."""

    moves: list[GivenMove]


class IllegalMove(Struct, frozen=True):
    """The line names cards, but no legal move uses them."""

    selection: Selection


class NoMove(Struct, frozen=True):
    """The line means no move."""


TypedMove = OneMove | SeveralMoves | IllegalMove | NoMove


def parse_move(
    line: str,
    listed: Sequence[Sequence[GivenMove]],
    moves: Sequence[GivenMove],
    game: str,
    view: AnyView,
    translations: Translations,
) -> TypedMove:
    """Return the moves that a line means: an item of the last list, cards, or the beginning of a label."""
    if line.isdecimal():
        number = int(line)
        return _result([*listed[number - 1]]) if 0 < number <= len(listed) else NoMove()
    cards = card_input(game).read(line)
    if cards:
        selections = _selections(cards, board_of(game).places(view))
        takes = cards_of_moves(game, moves, view)
        readings = [GivenMove(with_cards(moves[at], cards)) for cards in selections for at in moves_with(takes, cards)]
        return _result(readings) if readings else IllegalMove(Selection(selections[0]))
    wanted = line.casefold()
    labels = ((move, texts_of(game).move_label(move, view, translations).casefold()) for move in moves if wanted)
    return _result([move for move, label in labels if label.startswith(wanted)])


def _selections(cards: Sequence[str], places: Iterable[SelectedCard]) -> list[list[SelectedCard]]:
    """Return the selections that these cards can mean, since a card in the hand may also be elsewhere."""
    held = list(dict.fromkeys(places))
    lying = [[place for place in held if place.card == card] or [SelectedCard(HAND, card)] for card in cards]
    return [[*lying_cards] for lying_cards in product(*lying)]


def _result(moves: list[GivenMove]) -> TypedMove:
    if not moves:
        return NoMove()
    return OneMove(moves[0]) if len(moves) == 1 else SeveralMoves(moves)
