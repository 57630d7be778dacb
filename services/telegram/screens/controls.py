"""The buttons of a hand: the cards in a grid, moves that have their own buttons, moves with the selected cards."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from locanda.games.chat import Cards, Controls, PickableCard
from locanda.messages import JsonObject, Table
from locanda.texts.games import Taps, texts_of
from locanda.translations import Translations, translations_in
from services.telegram import callback_data
from services.telegram.screens.games import GAME_SCREENS
from services.telegram.screens.screen import Button, Rows, Style, in_rows
from services.telegram.screens.table import TableViewModel

ROW_BUTTONS, ROW_LETTERS = 5, 30
"""The most buttons in a row, and about the most letters of their labels together."""
FEW = 6
"""The most moves of several cards, or of cards with several uses, that have buttons of their own."""
EMPTY = "·"
"""The label of an empty place."""

AnyControls: TypeAlias = Controls[Any]


def cards_of_hand(table: Table, translations: Translations) -> list[PickableCard]:
    """Return the viewer's cards in the order by which buttons and selections number them."""
    if table.deal is None:
        return []
    rows = GAME_SCREENS[table.game].controls.cards(table.deal, translations)
    return [card for card in chain.from_iterable(rows) if card is not None]


def selected_cards(table: Table, places: Collection[int], translations: Translations) -> list[PickableCard]:
    """Return the cards that the viewer has selected, from their places."""
    return [card for place, card in enumerate(cards_of_hand(table, translations)) if place in places]


def moves_to_check(table: Table, places: Collection[int]) -> Sequence[JsonObject]:
    """Return the moves that the selected cards can mean; the engine is to check them."""
    selected = selected_cards(table, places, translations_in("en"))
    return GAME_SCREENS[table.game].controls.candidates(table.deal, selected) if selected else ()


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
    hand, *_ = GAME_SCREENS[table.game].controls.cards(table.deal, translations_in("en"))
    return laid_out(before, [card.card for card in hand if card is not None])


def hand_buttons(model: TableViewModel, translations: Translations) -> Rows:
    """Return the cards as buttons, then the moves that have buttons of their own or go with the selected cards."""
    return _HandButtons(model, translations).rows()


def taps_on_cards(model: TableViewModel, translations: Translations) -> Taps:
    """Return whether each tap on a card that can be played plays it at once, or whether some select it."""
    return _HandButtons(model, translations).taps()


class _HandButtons:
    """The buttons of one hand, as they are drawn."""

    def __init__(self, model: TableViewModel, translations: Translations) -> None:
        self._model = model
        self._translations = translations
        self._controls: AnyControls = GAME_SCREENS[model.table.game].controls
        self._cards: tuple[Cards, ...] = self._controls.cards(model.table.deal, translations)
        held = (card for card in chain.from_iterable(self._cards) if card is not None)
        self._selected = [card for place, card in enumerate(held) if place in model.selected]
        self._moves = [(move, self._controls.takes(move)) for move in model.table.moves]
        self._whole = [] if self._selected else whole_moves(self._controls, self._moves)
        self._on_cards = [(move, takes) for move, takes in self._moves if takes and move not in self._whole]
        on_cards = {choice for _, takes in self._on_cards for choice in takes}
        self._useful = self._useful_choices()
        self._also_below = on_cards.intersection(chain.from_iterable(map(self._controls.takes, self._whole)))

    def rows(self) -> Rows:
        actions = [self._action(move, self._whole_label(move), "primary") for move in self._whole]
        actions += [self._action(move, self._label(move), self._style(move)) for move in self._with_selected()]
        if len(self._selected) > 1:
            data = callback_data.PutCardsBack(self._model.ref, self._model.table.version)
            actions.append(Button(self._translations.gettext("Put back"), data))
        return (*self._card_rows(), *in_rows(actions, _width([button.label for button in actions])))

    def taps(self) -> Taps:
        cards = (card for card in chain.from_iterable(self._cards) if card is not None)
        used = {choice for _, takes in self._on_cards for choice in takes}
        selects = any(card.choice in used and self._move_of(card) is None for card in cards)
        return "select" if self._selected or selects else "play"

    # --- the cards

    def _card_rows(self) -> Iterator[tuple[Button, ...]]:
        hand, *others = self._cards
        place = len(hand)
        yield from self._hand_rows([card for card in hand if card is not None])
        for row in others:
            buttons = []
            for card in row:
                buttons.append(self._empty() if card is None else self._card(place, card))
                place += card is not None
            yield from in_rows(buttons, _width([EMPTY if card is None else card.label for card in row]))

    def _hand_rows(self, hand: Sequence[PickableCard]) -> Iterator[tuple[Button, ...]]:
        """Yield the hand in the grid of its message: a card that leaves does not move the others."""
        columns = self._controls.columns
        places = laid_out(self._model.grid, [card.card for card in hand])
        held: dict[str, deque[tuple[int, PickableCard]]] = defaultdict(deque)
        for numbered in enumerate(hand):
            held[numbered[1].card].append(numbered)
        buttons = [self._card(*held[code].popleft()) if code else self._empty() for code in places]
        if len(buttons) > columns:
            buttons += [self._empty()] * (-len(buttons) % columns)
        for at in range(0, len(buttons), columns):
            row = tuple(buttons[at : at + columns])
            if any(button.label != EMPTY for button in row):
                yield row

    def _empty(self) -> Button:
        return Button(EMPTY, callback_data.EmptyPlace(self._model.ref))

    def _card(self, place: int, card: PickableCard) -> Button:
        if place in self._model.selected:
            return Button(f"✅ {card.label}", self._pick(place, up=False), style="success", card=card.card)
        move = self._move_of(card)
        data = self._pick(place, up=True) if move is None else self._make(move, [card])
        bright = card.choice in self._useful or (move is None and card.choice in self._also_below)
        style: Style | None = "primary" if bright else None
        return Button(card.label, data, style=style, card=card.card)

    def _move_of(self, card: PickableCard) -> JsonObject | None:
        """Return the move that a press on a card makes; None if it selects the card."""
        if not self._controls.selectable:
            return self._controls.candidates(self._model.table.deal, [card])[0]
        if self._selected and self._controls.several:
            return None
        uses = [(move, takes) for move, takes in self._on_cards if card.choice in takes]
        if len(uses) != 1 or uses[0][1] != (card.choice,) or not self._controls.by_first_press(uses[0][0]):
            return None
        return uses[0][0]

    def _useful_choices(self) -> set[str]:
        """Return the choices that, with the selected cards, can make a move that advances the hand (`Controls`)."""
        taken = Counter(card.choice for card in self._selected) if self._controls.several else Counter[str]()
        useful: set[str] = set()
        for move, takes in self._on_cards:
            if self._controls.advances(move):
                if not taken:
                    useful.update(takes)
                elif taken <= (wanted := Counter(takes)):
                    useful |= (wanted - taken).keys()
        return useful

    # --- the moves

    def _with_selected(self) -> list[JsonObject]:
        """Return the moves that take exactly the selected cards, and those without cards."""
        wanted = sorted(card.choice for card in self._selected)
        found = [move for move, takes in self._moves if not takes or (wanted and sorted(takes) == wanted)]
        return found + [move for move in self._controls.standing if move not in self._model.table.moves]

    def _style(self, move: JsonObject) -> Style | None:
        if self._controls.takes(move):
            return "success"
        moves = self._model.table.moves
        return "primary" if move in moves and (self._controls.advances(move) or len(moves) == 1) else None

    def _action(self, move: JsonObject, label: str, style: Style | None) -> Button:
        return Button(label, self._make(move, self._selected), style=style)

    def _whole_label(self, move: JsonObject) -> str:
        return texts_of(self._model.table.game).move_label(move, self._model.table.deal, self._translations)

    def _label(self, move: JsonObject) -> str:
        played = GAME_SCREENS[self._model.table.game].move(self._controls.code(move, self._selected))
        return self._controls.label(played, self._model.table.deal, self._translations)

    # --- what buttons carry

    def _make(self, move: JsonObject, cards: Sequence[PickableCard]) -> callback_data.MakeMove:
        code = self._controls.code(move, cards)
        return callback_data.MakeMove(self._model.ref, self._model.table.version, code)

    def _pick(self, place: int, *, up: bool) -> callback_data.PickCard:
        return callback_data.PickCard(self._model.ref, self._model.table.version, place, up=up)


def whole_moves(controls: AnyControls, moves: Sequence[tuple[JsonObject, tuple[str, ...]]]) -> list[JsonObject]:
    """Return the moves that have buttons of their own: those that no press on one card makes, if they are few.

    Each move comes with the choices that it takes.
    """
    uses = Counter(choice for _, takes in moves for choice in set(takes))

    def is_only_use(takes: tuple[str, ...]) -> bool:
        return len(takes) == 1 and uses[takes[0]] == 1

    found = [move for move, takes in moves if takes and not controls.by_card(move) and not is_only_use(takes)]
    return found if len(found) <= FEW else []


def _width(labels: Sequence[str]) -> int:
    """Return how many buttons fit in a row with their labels whole on a phone."""
    longest = max(map(len, labels), default=1)
    return max(1, min(ROW_BUTTONS, ROW_LETTERS // longest))
