"""Gatto Rosso Gatto Grigio in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.gatto_rosso import View
from locanda.texts.cards import card, cards
from locanda.translations import Translations

from .base import FRENCH_CARDS, Drawing, LabelledRows


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the trick, its top card last, and the stock."""
    shown = [(translations.gettext("Trick"), _trick(view, names, translations))]
    if view.stock_count:
        stock = translations.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    else:
        stock = translations.gettext("finished: the first to run out of cards ends the deal")
    return [*shown, (translations.gettext("Stock"), stock)]


def _trick(view: View, names: Sequence[str], translations: Translations) -> str:
    if not view.table:
        leader = "" if view.turn is None else names[view.turn]
        return translations.gettext("empty: {name} leads").format(name=leader) if leader else "—"
    below = f"{cards(view.table[:-1])} ▸ " if view.table[:-1] else ""
    trick = f"{below}{card(view.table[-1])}"
    return (
        trick
        if view.last is None
        else translations.gettext("{cards} by {name}").format(cards=trick, name=names[view.last])
    )


DRAWING: Drawing[View] = Drawing(rows=rows, cards=FRENCH_CARDS)
