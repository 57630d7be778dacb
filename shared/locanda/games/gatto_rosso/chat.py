"""Gatto Rosso Gatto Grigio in the bot: the table, the hand, the controls, and the moves that its buttons stand for."""

from collections.abc import Sequence

from msgspec import structs

from locanda.games.chat import PASS, GameScreens, bold, one_press, stock_line
from locanda.games.gatto_rosso import texts
from locanda.games.gatto_rosso.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import card, cards, in_order
from locanda.translations import Translations

SHOWN = 8
"""Cards of a long trick that are shown, the top one included."""


def table(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return the trick that lies open, its top card last, and what is left of the stock."""
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
    """Return the top of the trick, and what is left of the stock."""
    return table(structs.replace(view, table=view.table[-1:]), names, translations)


def _stock(view: View, translations: Translations) -> str:
    if view.turn is None:
        return ""
    if not view.stock_count:
        return translations.gettext("The stock is finished: the first to run out of cards ends the deal.")
    return stock_line(view.stock_count, translations)


def hand(view: View, translations: Translations) -> str:
    """Return the viewer's cards by suit and rank."""
    return " ".join(texts.hand(view, translations))


def move(code: str) -> JsonObject:
    """Return the engine's move of a button's code."""
    return {"type": "pass"} if code == PASS else {"type": "play", "card": code}


SCREENS: GameScreens[View] = GameScreens(
    icon="🐈",
    table=table,
    in_brief=in_brief,
    hand=hand,
    controls=one_press(
        lambda view: in_order(view.hand or ()),
        card,
        columns=4,
        standing=({"type": "pass"},),
        free_pass=lambda view: view.options.voluntary_pass,
    ),
    move=move,
)
