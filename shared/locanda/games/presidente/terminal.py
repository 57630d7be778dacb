"""Presidente in a terminal: what lies on the table."""

from collections.abc import Sequence

from locanda.games.presidente.texts import facts, piles
from locanda.games.presidente.types import NAME, View
from locanda.texts.games import labels_of
from locanda.texts.terminal import GameBoard, LabelledRows
from locanda.translations import Translations


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the combination on top, the order if it is upside down, the taxes owed and the cards left over."""
    top = (labels_of(NAME, translations)["table"], piles(view, names, translations)["table"])
    return [top, *(("", fact) for fact in facts(view, names, translations))]


BOARD: GameBoard[View] = GameBoard(rows=rows)
