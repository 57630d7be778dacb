"""Order, layout and selection of the cards in a hand. No I/O."""

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
"""How each game is shown in a chat, by the game's name."""


def cards_of_hand(table: Table, translations: Translations) -> list[PickableCard]:
    """Return the viewer's selectable cards; buttons and selections refer to them by index."""
    if table.deal is None:
        return []
    rows = GAME_SCREENS[table.game].cards(table.deal, translations)
    return [card for card in chain.from_iterable(rows) if card is not None]


def selection_to_check(table: Table, places: Collection[int]) -> Selection | None:
    """Return the cards at these indices as the engine expects them; None for no cards."""
    cards = cards_of_hand(table, translations_in("en"))
    selected = [card for place, card in enumerate(cards) if place in places]
    return Selection([SelectedCard(card.pile, card.card) for card in selected]) if selected else None


def leads_on(table: Table, selection: Selection) -> bool:
    """Return whether the selected cards make a legal move that is not `reluctant` (one that players avoid)."""
    if table.deal is None:
        return False
    legal = moves_with(cards_of_moves(table.game, table.moves, table.deal), selection.cards)
    return any(not is_reluctant(table.game, table.moves[at]) for at in legal)


def laid_out(before: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """Return the layout of a hand: cards from `before` keep their places, new ones fill empty places."""
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
    """Return the layout of the viewer's hand, changed as little as possible from the last layout."""
    if table.deal is None:
        return ()
    hand, *_ = GAME_SCREENS[table.game].cards(table.deal, translations_in("en"))
    return laid_out(before, [card.card for card in hand if card is not None])
