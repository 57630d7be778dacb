"""Diavoletto in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.diavoletto.texts import piles, source_label
from locanda.games.diavoletto.types import NAME, View
from locanda.games.terminal import FRENCH_CARDS, GameBoard, LabelledRows
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


def equal(move: JsonObject, view: View) -> list[JsonObject]:
    """Return a move with each card in hand of its rank: suits do not matter, and the engine lists one of them."""
    if move["type"] == "end" or move.get("from", "hand") != "hand":
        return [move]
    return [move | {"card": code} for code in dict.fromkeys(view.hand or ()) if code[0] == move["card"][0]]


def source(move: JsonObject, translations: Translations) -> str:
    """Return the card that is moved, and from where; for a move without a card, its label."""
    match move["type"]:
        case "end":
            return translations.gettext("End my turn")
        case "discard":
            return card(move["card"])
        case _:
            return source_label(move, translations)


BOARD: GameBoard[View] = GameBoard(rows=rows, cards=FRENCH_CARDS, source=source, equal=equal)
