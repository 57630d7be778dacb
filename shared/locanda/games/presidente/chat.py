"""Presidente in the chat: the table, and the labels of moves."""

from collections import Counter
from collections.abc import Sequence

from locanda.games.presidente import texts
from locanda.games.presidente.texts import combination
from locanda.games.presidente.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER, JOKER_SIGN, card, cards, rank
from locanda.texts.chat import GameScreens, bold
from locanda.translations import Translations

LONG = 5
"""Maximum number of cards named on a button; for more cards, the button shows their number."""


def table(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the top combination, an inverted order, the taxes due and the leftover cards."""
    return [_top(view, names, translations), *texts.facts(view, [bold(name) for name in names], translations)]


def in_brief(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return the lines of `table`, but with only the ranks of the leftover cards."""
    in_force = texts.in_force(view, [bold(name) for name in names], translations)
    return [_top(view, names, translations), *in_force, _ranks_left_over(view, translations)]


def _ranks_left_over(view: View, translations: Translations) -> str:
    counts = Counter(JOKER_SIGN if code == JOKER else rank(code[0]) for code in view.shown)
    shown = " ".join(f"{sign}×{count}" if count > 1 else sign for sign, count in counts.items())
    return translations.gettext("Left over: {cards}").format(cards=shown) if shown else ""


def _top(view: View, names: Sequence[str], translations: Translations) -> str:
    if view.table is None:
        if view.turn is None or view.dues:
            return ""
        return translations.gettext("The table is empty: {name} leads.").format(name=bold(names[view.turn]))
    shown = f"<b>{combination(view.table.cards, view.table.joker)}</b>"
    if view.last is None:
        return shown
    return translations.gettext("{cards} by {name}").format(cards=shown, name=bold(names[view.last]))


def label(move: JsonObject, _view: View, translations: Translations) -> str:
    """Return the label of a move's button."""
    if move["type"] == "pass":
        return translations.gettext("Pass")
    count = len(move["cards"])
    shown = cards(move["cards"])
    if count > LONG:
        shown = translations.ngettext("{n} card", "{n} cards", count).format(n=count)
    if move["type"] == "give":
        return translations.gettext("Give {cards}").format(cards=shown)
    if move.get("joker"):
        text = translations.gettext("Play {cards} ({joker} as {card})")
        return text.format(cards=shown, joker=JOKER_SIGN, card=card(move["joker"]))
    return translations.gettext("Play {cards}").format(cards=shown)


SCREENS: GameScreens[View] = GameScreens(table=table, in_brief=in_brief, label=label)
