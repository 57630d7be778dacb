"""How Highest Card looks in a chat."""

from collections.abc import Sequence

from locanda.games.highest_card.types import View

from locanda.games.chat import GameScreens, one_press
from locanda.messages import JsonObject
from locanda.texts.cards import card, cards, in_order
from locanda.translations import Translations


def table(view: View, _names: Sequence[str], _translations: Translations) -> list[str]:
    """Return the card that was led."""
    return [] if view.table is None else [card(view.table)]


def hand(view: View, _translations: Translations) -> str:
    """Return the viewer's cards by suit and rank."""
    return cards(in_order(view.hand or ()))


def move(code: str) -> JsonObject:
    """Return the engine's move of a button's code."""
    return {"type": "play", "card": code}


SCREENS: GameScreens[View] = GameScreens(
    icon="🔝",
    table=table,
    hand=hand,
    controls=one_press(lambda view: in_order(view.hand or ()), card),
    move=move,
)
