"""Diavoletto in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.diavoletto import View
from locanda.texts.cards import card, cards
from locanda.translations import Translations

from .base import FRENCH_CARDS, Drawing, LabelledRows


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the builds, each one's mazzetto and columns, and the stock."""
    builds = "   ".join(f"{number}) {card(pile[-1])}" for number, pile in enumerate(view.builds, start=1))
    shown = [(translations.gettext("Builds"), builds or translations.gettext("none yet: an Ace opens one"))]
    for seat, name in enumerate(names):
        shown += [(name, _mazzetto(view, seat, translations)), ("", _columns(view, seat, translations))]
    stock = translations.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    return [*shown, (translations.gettext("Stock"), stock)]


def _mazzetto(view: View, seat: int, translations: Translations) -> str:
    mazzetto = view.mazzetti[seat]
    if mazzetto.top is None:
        return translations.gettext("no mazzetto left")
    if mazzetto.count == 1:
        return translations.gettext("mazzetto {top}, the last card").format(top=card(mazzetto.top))
    below = mazzetto.count - 1
    text = translations.ngettext("mazzetto {top} on top of {n} card", "mazzetto {top} on top of {n} cards", below)
    return text.format(top=card(mazzetto.top), n=below)


def _columns(view: View, seat: int, translations: Translations) -> str:
    columns = [f"{at}) {cards(column)}" for at, column in enumerate(view.columns[seat], start=1) if column]
    return translations.gettext("columns {columns}").format(columns="   ".join(columns) or "—")


def rank(code: str) -> str:
    """Return a card's rank: suits do not matter, and legal moves name one of several cards of a rank in hand."""
    return code[0]


DRAWING: Drawing[View] = Drawing(rows=rows, cards=FRENCH_CARDS, same=rank)
