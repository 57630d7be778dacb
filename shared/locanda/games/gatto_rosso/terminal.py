"""Gatto Rosso Gatto Grigio in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.gatto_rosso.texts import piles
from locanda.games.gatto_rosso.types import NAME, View
from locanda.games.terminal import CARDS_WITHOUT_JOKERS, GameBoard, LabelledRows
from locanda.texts.games import labels_of
from locanda.translations import Translations


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the trick and the stock."""
    label, pile = labels_of(NAME, translations), piles(view, names, translations)
    return [(label[name], pile[name]) for name in ("table", "stock")]


BOARD: GameBoard[View] = GameBoard(rows=rows, cards=CARDS_WITHOUT_JOKERS)
