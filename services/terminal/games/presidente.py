"""Presidente in a terminal: what lies on the table, and how its cards are typed."""

from collections.abc import Sequence

from locanda.games.presidente import View
from locanda.texts.presidente import combination, dues, left_over
from locanda.translations import Translations

from .base import FRENCH_CARDS, Drawing, LabelledRows


def rows(view: View, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the combination on top, the order if it is upside down, the taxes owed and the cards left over."""
    shown = [(translations.gettext("Table"), _top(view, names, translations))]
    if view.inverted:
        shown.append(("", translations.gettext("🔄 The order is upside down: the lower card wins.")))
    shown += [("", due) for due in dues(view, names, translations)]
    rest = left_over(view, translations)
    return [*shown, ("", rest)] if rest else shown


def _top(view: View, names: Sequence[str], translations: Translations) -> str:
    if view.table is None:
        leads = view.turn is not None and not view.dues
        return translations.gettext("empty: {name} leads").format(name=names[view.turn or 0]) if leads else "—"
    shown = combination(view.table.cards, view.table.joker)
    return (
        shown
        if view.last is None
        else translations.gettext("{cards} by {name}").format(cards=shown, name=names[view.last])
    )


DRAWING: Drawing[View] = Drawing(rows=rows, cards=FRENCH_CARDS)
