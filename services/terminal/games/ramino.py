"""Ramino with the Cuccù deck in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.ramino import View
from locanda.texts.cards import cuccu_card, cuccu_cards
from locanda.translations import Translations

from .base import CUCCU_CARDS, Drawing, LabelledRows


def rows(view: View, _names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the combinations, the top of the discards and the stock."""
    melds = [("", cuccu_cards(meld, translations)) for meld in view.melds] or [("", "—")]
    shown = [(translations.gettext("Combinations"), melds[0][1]), *melds[1:]]
    discards = "—"
    if view.discards:
        top, count = cuccu_card(view.discards[-1], translations), len(view.discards)
        text = translations.ngettext("{top} on top of {n} card", "{top} on top of {n} cards", count - 1)
        discards = top if count == 1 else text.format(top=top, n=count - 1)
    stock = translations.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    return [*shown, (translations.gettext("Discards"), discards), (translations.gettext("Stock"), stock)]


DRAWING: Drawing[View] = Drawing(rows=rows, cards=CUCCU_CARDS)
