"""Diavoletto in a terminal: the table."""

from collections.abc import Sequence

from locanda.games.diavoletto.texts import columns_text, piles, places, source_label
from locanda.games.diavoletto.types import NAME, View
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER_SIGN, card
from locanda.texts.games import labels_of
from locanda.texts.terminal import GameBoard, LabelledRows
from locanda.translations import Translations

LINE = 80
"""The cells of a terminal's line. Columns that took more of them would push the title out of its 24 lines."""
MARGINS = 4
"""The cells before a label, and between the label and its cards."""


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the builds, each one's mazzetto and columns, and the stock."""
    label, pile = labels_of(NAME, translations), piles(view, names, translations)
    width = LINE - MARGINS - max(map(len, [label["builds"], label["stock"], *names]))
    shown = [(label["builds"], pile["builds"])]
    for seat, name in enumerate(names):
        shown += [(name, pile[f"mazzetto.{seat}"]), ("", _columns(view.columns[seat], width, translations))]
    return [*shown, (label["stock"], pile["stock"])]


def _columns(columns: Sequence[Sequence[str]], width: int, translations: Translations) -> str:
    """Return the columns, of each as many of its last cards as one line has space for; the last one always."""
    longest = max(map(len, columns), default=0)
    texts = (columns_text(columns, translations, most=most) for most in range(longest, 1, -1))
    fitting = (text for text in texts if len(text) + text.count(JOKER_SIGN) <= width)
    return next(fitting, columns_text(columns, translations, most=1))


def source(move: JsonObject, translations: Translations) -> str:
    """Return the card that is moved, and from where; for a move without a card, its label."""
    match move["type"]:
        case "end":
            return translations.gettext("End my turn")
        case "discard":
            return card(move["card"])
        case _:
            return source_label(move, translations)


BOARD: GameBoard[View] = GameBoard(rows=rows, source=source, places=places)
