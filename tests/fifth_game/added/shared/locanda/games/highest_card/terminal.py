"""Highest Card in a terminal: the table, and typed cards."""

from collections.abc import Sequence

from locanda.games.highest_card.types import View

from locanda.texts.cards import card
from locanda.texts.terminal import GameBoard, LabelledRows
from locanda.translations import Translations


def rows(view: View, _names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the rows of the table: the card that was led."""
    return [(translations.gettext("Trick"), "—" if view.table is None else card(view.table))]


BOARD: GameBoard[View] = GameBoard(rows=rows)
