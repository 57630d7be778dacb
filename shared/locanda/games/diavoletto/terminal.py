"""Diavoletto in a terminal: what lies on the table."""

from collections.abc import Sequence

from locanda.games.diavoletto.texts import piles, places, source_label
from locanda.games.diavoletto.types import NAME, View
from locanda.games.terminal import GameBoard, LabelledRows
from locanda.messages import JsonObject
from locanda.texts.cards import card
from locanda.texts.games import labels_of
from locanda.translations import Translations


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the builds, each one's mazzetto and columns, and the stock."""
    label, pile = labels_of(NAME, translations), piles(view, names, translations)
    shown = [(label["builds"], pile["builds"])]
    for seat, name in enumerate(names):
        shown += [(name, pile[f"mazzetto.{seat}"]), ("", pile[f"columns.{seat}"])]
    return [*shown, (label["stock"], pile["stock"])]


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
