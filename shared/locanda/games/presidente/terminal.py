"""Presidente in the terminal: the table."""

from collections.abc import Sequence

from locanda.games.presidente.texts import facts, piles
from locanda.games.presidente.types import NAME, View
from locanda.texts.games import labels_of
from locanda.texts.terminal import GameBoard, LabelledRows
from locanda.translations import Translations


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the top combination, an inverted order, the taxes due and the leftover cards."""
    top = (labels_of(NAME, translations)["table"], piles(view, names, translations)["table"])
    return [top, *(("", fact) for fact in facts(view, names, translations))]


BOARD: GameBoard[View] = GameBoard(rows=rows)
