"""Ramino with the Cuccù deck in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.ramino.texts import piles
from locanda.games.ramino.types import NAME, View
from locanda.games.terminal import CUCCU_CARDS, GameBoard, LabelledRows
from locanda.texts.games import labels_of
from locanda.translations import Translations


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the combinations, the top of the discards and the stock."""
    label, pile = labels_of(NAME, translations), piles(view, names, translations)
    first, *others = pile["melds"].splitlines()
    melds = [(label["melds"], first), *(("", meld) for meld in others)]
    return [*melds, *((label[name], pile[name]) for name in ("discards", "stock"))]


BOARD: GameBoard[View] = GameBoard(rows=rows, cards=CUCCU_CARDS)
