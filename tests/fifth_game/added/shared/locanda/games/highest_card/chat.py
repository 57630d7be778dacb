"""The table of Highest Card in a chat."""

from collections.abc import Sequence

from locanda.games.highest_card.types import View

from locanda.texts.cards import card
from locanda.texts.chat import GameScreens
from locanda.translations import Translations


def table(view: View, _names: Sequence[str], _translations: Translations) -> list[str]:
    """Return the card that was led, as shown in a chat."""
    return [] if view.table is None else [card(view.table)]


SCREENS: GameScreens[View] = GameScreens(table=table)
