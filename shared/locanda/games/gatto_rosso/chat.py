"""Gatto Rosso Gatto Grigio in the chat: the table."""

from collections.abc import Sequence

from msgspec import structs

from locanda.games.gatto_rosso.types import View
from locanda.texts.cards import card, cards
from locanda.texts.chat import GameScreens, bold, stock_line
from locanda.translations import Translations

SHOWN = 8
"""Maximum number of cards shown of a trick, counted from the top."""


def table(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the trick, top card last, and for the remaining stock."""
    return [_trick(view, names, translations), _stock(view, translations)]


def _trick(view: View, names: Sequence[str], translations: Translations) -> str:
    if not view.table:
        if view.turn is None:
            return ""
        return translations.gettext("The table is empty: {name} leads.").format(name=bold(names[view.turn]))
    below = view.table[:-1][-(SHOWN - 1) :]
    more = "… " if len(view.table) > SHOWN else ""
    trick = f"{more}{cards(below)} ▸ " if below else ""
    top = f"{trick}<b>{card(view.table[-1])}</b>"
    if view.last is None:
        return top
    return translations.gettext("{cards} by {name}").format(cards=top, name=bold(names[view.last]))


def in_brief(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the top card of the trick and the remaining stock."""
    return table(structs.replace(view, table=view.table[-1:]), names, translations)


def _stock(view: View, translations: Translations) -> str:
    if view.turn is None:
        return ""
    if not view.stock_count:
        return translations.gettext("The stock is finished: the first to run out of cards ends the deal.")
    return stock_line(view.stock_count, translations)


SCREENS: GameScreens[View] = GameScreens(
    table=table, in_brief=in_brief, columns=4, free_pass=lambda view: view.options.voluntary_pass
)
