"""Ramino in the chat: the table, and the labels of moves."""

from collections.abc import Sequence

from msgspec import structs

from locanda.games.ramino import texts
from locanda.games.ramino.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import cuccu_card, cuccu_cards
from locanda.texts.chat import GameScreens, stock_line
from locanda.translations import Translations


def table(view: View, _names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the combinations, the discards and the stock; once the deal is over, only for combinations."""
    melds = [f"{number}) {cuccu_cards(meld, translations)}" for number, meld in enumerate(view.melds, start=1)]
    lines = melds or [translations.gettext("No combination lies on the table.")]
    if view.hands is not None:
        return melds  # the text of the last event already shows the cards left in each hand
    return [*lines, _discards(view, translations), stock_line(view.stock_count, translations)]


def in_brief(view: View, _names: Sequence[str], translations: Translations) -> list[str]:
    """Return the combinations, then one line with the top of the discards and the stock."""
    melds = [f"{number}) {cuccu_cards(meld, translations)}" for number, meld in enumerate(view.melds, start=1)]
    top = structs.replace(view, discards=view.discards[-1:])
    return [*melds, " · ".join((_discards(top, translations), stock_line(view.stock_count, translations)))]


def _discards(view: View, translations: Translations) -> str:
    if not view.discards:
        return translations.gettext("The discards are empty.")
    text = translations.ngettext("Discards: {top}", "Discards: {top}, {n} cards in all", len(view.discards))
    return text.format(top=f"<b>{cuccu_card(view.discards[-1], translations)}</b>", n=len(view.discards))


def label(move: JsonObject, view: View, translations: Translations) -> str:
    """Return the label of a move's button."""
    if move["type"] == "attach":
        meld = cuccu_cards(view.melds[move["meld"]], translations)
        return translations.gettext("Attach to {cards}").format(cards=meld)
    return texts.move_label(move, view, translations)


SCREENS: GameScreens[View] = GameScreens(table=table, in_brief=in_brief, label=label, columns=3)
