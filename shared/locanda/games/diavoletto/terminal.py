"""Diavoletto in the terminal: the table and the sources of moves."""

from collections.abc import Sequence

from locanda.games.diavoletto.texts import columns_text, piles, places, source_label
from locanda.games.diavoletto.types import NAME, View
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER_SIGN, card
from locanda.texts.games import labels_of
from locanda.texts.terminal import GameBoard, LabelledRows
from locanda.translations import Translations

LINE = 80
"""Width of a terminal line. If columns wrapped, the title would scroll out of the 24 lines."""
MARGINS = 4
"""Cells before a label, and between a label and its cards."""


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the rows of the table: builds, each seat's mazzetto and columns, and stock."""
    label, pile = labels_of(NAME, translations), piles(view, names, translations)
    width = LINE - MARGINS - max(map(len, [label["builds"], label["stock"], *names]))
    shown = [(label["builds"], pile["builds"])]
    for seat, name in enumerate(names):
        shown += [(name, pile[f"mazzetto.{seat}"]), ("", _columns(view.columns[seat], width, translations))]
    return [*shown, (label["stock"], pile["stock"])]


def _columns(columns: Sequence[Sequence[str]], width: int, translations: Translations) -> str:
    """Return the columns as text, each with as many of its last cards as fit on one line, at least one."""
    longest = max(map(len, columns), default=0)
    texts = (columns_text(columns, translations, most=most) for most in range(longest, 1, -1))
    fitting = (text for text in texts if len(text) + text.count(JOKER_SIGN) <= width)
    return next(fitting, columns_text(columns, translations, most=1))


def source(move: JsonObject, translations: Translations) -> str:
    """Return the card that a move plays and its source; for a move without a card, the move's label."""
    match move["type"]:
        case "end":
            return translations.gettext("End my turn")
        case "discard":
            return card(move["card"])
        case _:
            return source_label(move, translations)


BOARD: GameBoard[View] = GameBoard(rows=rows, source=source, places=places)
