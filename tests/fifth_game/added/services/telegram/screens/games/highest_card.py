"""How Highest Card looks in a chat."""

from collections.abc import Callable, Sequence

import msgspec
from locanda.games.highest_card import View

from locanda.messages import JsonObject
from locanda.texts.cards import card, cards, in_order
from locanda.translations import Translations
from services.telegram.screens.games.base import CardButtons, GameScreens
from services.telegram.screens.screen import Button, Rows, in_rows


def table(view: View, _names: Sequence[str], _translations: Translations) -> list[str]:
    """Return the card that was led."""
    return [] if view.table is None else [card(view.table)]


def hand(view: View, _translations: Translations) -> str:
    """Return the viewer's cards by suit and rank."""
    return cards(in_order(view.hand or ()))


def buttons(
    view: View, moves: Sequence[JsonObject], make: Callable[[str], Button], _translations: Translations
) -> Rows:
    """Return all the viewer's cards; those that may be played now stand out."""
    style = "primary" if moves else None
    held = [msgspec.structs.replace(make(code), label=card(code), style=style) for code in in_order(view.hand or ())]
    return in_rows(held, 5)


def move(code: str) -> JsonObject:
    """Return the engine's move of a button's code."""
    return {"type": "play", "card": code}


SCREENS: GameScreens[View] = GameScreens(
    icon="🔝",
    table=table,
    hand=hand,
    controls=CardButtons(buttons=buttons),
    move=move,
)
