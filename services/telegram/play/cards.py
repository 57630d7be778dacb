"""The cards of a hand: in which order and places they are shown in a chat, and those that are selected. Pure."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

from locanda.games.registry import has_part, of_each_game, part
from locanda.messages import SelectedCard, Selection, Table
from locanda.texts.chat import AnyGameScreens, GameScreens, PickableCard
from locanda.texts.selection import cards_of_moves, is_reluctant, moves_with
from locanda.translations import Translations, translations_in


def _screens(name: str) -> AnyGameScreens:
    screens: AnyGameScreens = part(name, "chat").SCREENS if has_part(name, "chat") else GameScreens()
    return screens


GAME_SCREENS: dict[str, AnyGameScreens] = of_each_game(_screens)
"""How each game is shown in a chat, by its name."""


def cards_of_hand(table: Table, translations: Translations) -> list[PickableCard]:
    """Return the viewer's cards in the order in which buttons and selections number them."""
    if table.deal is None:
        return []
    rows = GAME_SCREENS[table.game].cards(table.deal, translations)
    return [card for card in chain.from_iterable(rows) if card is not None]


def selection_to_check(table: Table, places: Collection[int]) -> Selection | None:
    """Return the selected cards, for the engine's verdict; None without any."""
    cards = cards_of_hand(table, translations_in("en"))
    selected = [card for place, card in enumerate(cards) if place in places]
    return Selection([SelectedCard(card.pile, card.card) for card in selected]) if selected else None


def leads_on(table: Table, selection: Selection) -> bool:
    """Return whether the selected cards make a legal move, and not a reluctant one."""
    if table.deal is None:
        return False
    legal = moves_with(cards_of_moves(table.game, table.moves, table.deal), selection.cards)
    return any(not is_reluctant(table.game, table.moves[at]) for at in legal)


def laid_out(before: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of a hand in their places: old cards keep theirs, new ones fill empty places."""
    left = Counter(held)
    places: list[str] = []
    for card in before:
        places.append(card if left[card] > 0 else "")
        left[card] -= 1
    for card in held:
        if left[card] > 0:
            left[card] -= 1
            empty = places.index("") if "" in places else len(places)
            places[empty : empty + 1] = [card]
    return tuple(places)


def grid_of(table: Table, before: Sequence[str]) -> tuple[str, ...]:
    """Return the places of the viewer's hand, changed as little as possible from the last drawing."""
    if table.deal is None:
        return ()
    hand, *_ = GAME_SCREENS[table.game].cards(table.deal, translations_in("en"))
    return laid_out(before, [card.card for card in hand if card is not None])
