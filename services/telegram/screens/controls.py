"""Buttons of a hand: a grid of cards, and moves."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec import Struct

from locanda.messages import JsonObject, MoveCards, Selection
from locanda.texts.chat import Cards, PickableCard
from locanda.texts.games import Taps, texts_of
from locanda.texts.selection import (
    addable,
    candidates,
    cards_of_moves,
    chooses_pile,
    is_reluctant,
    moves_with,
    moves_without_fields,
    plays_at_once,
    takes_several,
    with_cards,
)
from locanda.translations import Translations
from services.telegram import callback_data
from services.telegram.move_codes import code_of
from services.telegram.play.cards import GAME_SCREENS, laid_out
from services.telegram.screens.games import pictured
from services.telegram.screens.screen import Button, Rows, Style, in_rows
from services.telegram.screens.table import TableViewModel

ROW_BUTTONS, ROW_LETTERS = 5, 30
"""Maximum number of buttons in a row, and approximate maximum of letters in their labels together."""
FEW = 6
"""Maximum number of moves with buttons of their own."""
EMPTY = "·"
"""Label of an empty place in the grid."""


class Listed(Struct, frozen=True):
    """A legal move and the cards that it takes."""

    move: JsonObject
    takes: MoveCards


class HandButtons:
    """The buttons of one hand.

    A press on a card plays it if it has only one use. A card with several uses is selected first, then its move is
    chosen.
    """

    def __init__(self, model: TableViewModel, translations: Translations) -> None:
        self._model = model
        self._game = model.table.game
        self._translations = translations
        self._screens = GAME_SCREENS[self._game]
        self._cards: tuple[Cards, ...] = self._screens.cards(model.table.deal, translations)
        held = (card for card in chain.from_iterable(self._cards) if card is not None)
        self.selected = [card for place, card in enumerate(held) if place in model.selected]
        self._several = takes_several(self._game)
        moves = model.table.moves
        takes = [] if model.table.deal is None else cards_of_moves(self._game, moves, model.table.deal)
        self._moves = list(map(Listed, moves, takes))
        beside = self._screens.target is not None
        self._whole = [] if self.selected or beside else whole_moves(self._game, self._moves)
        on_cards = [listed for listed in self._moves if listed.takes.cards and listed not in self._whole]
        self._uses: dict[tuple[str, str], list[Listed]] = defaultdict(list)
        """The moves that use a card, by the card's pile and code."""
        for listed in on_cards:
            for card in addable([listed.takes], []):
                self._uses[card].append(listed)
        onward = (listed.takes for listed in on_cards if not is_reluctant(self._game, listed.move))
        self._useful = addable(onward, self.selected if self._several else [])
        self._below = addable((listed.takes for listed in self._whole), [])

    def rows(self) -> Rows:
        """Return the rows of cards, then the moves with their own buttons and the moves of the selected cards."""
        actions = [self._action(listed.move, self._whole_label(listed.move), "primary") for listed in self._whole]
        actions += [self._action(move, self._label(move), style) for move, style in self._with_selected()]
        if len(self.selected) > 1:
            data = callback_data.PutCardsBack(self._model.ref, self._model.table.version)
            actions.append(Button(self._translations.gettext("Put back"), data))
        return (*self._card_rows(), *in_rows(actions, _width([button.label for button in actions])))

    def taps(self) -> Taps:
        """Return "play" if a tap on any playable card plays it at once, or "select" if some taps select."""
        cards = (card for card in chain.from_iterable(self._cards) if card is not None)
        selects = any((card.pile, card.card) in self._uses and self._move_of(card) is None for card in cards)
        return "select" if self.selected or selects else "play"

    def has_choice(self) -> bool:
        """Return whether the selected cards make more than one move."""
        return len(moves_with([listed.takes for listed in self._moves], self.selected)) > 1

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
        """Yield the rows of the hand's grid, in which cards keep their places when another one is played.

        A card with several targets has a row of its own below the grid, with a button for each target.
        """
        columns, apart = self._screens.columns, list[tuple[Button, ...]]()
        places = laid_out(self._model.grid, [card.card for card in hand])
        held: dict[str, deque[tuple[int, PickableCard]]] = defaultdict(deque)
        for numbered in enumerate(hand):
            held[numbered[1].card].append(numbered)
        buttons = [self._empty()] * len(places)
        for at, code in enumerate(places):
            if code:
                place, card = held[code].popleft()
                if targets := self._targets(card):
                    apart.append((self._card(place, card), *targets))
                else:
                    buttons[at] = self._card(place, card)
        if len(buttons) > columns:
            buttons += [self._empty()] * (-len(buttons) % columns)
        for at in range(0, len(buttons), columns):
            row = tuple(buttons[at : at + columns])
            if any(button.label != EMPTY for button in row):
                yield row
        yield from apart

    def _targets(self, card: PickableCard) -> list[Button]:
        """Return a button for each target of a card, except the target that a press on the card itself chooses."""
        target = self._screens.target
        if target is None or self.selected:
            return []
        view, by_press = self._model.table.deal, self._move_of(card)
        moves = [with_cards(use.move, [card]) for use in self._uses.get((card.pile, card.card), ())]
        return [
            self._action(move, target(move, view, self._translations), self._style(move))
            for move in moves
            if move != by_press
        ]

    def _empty(self) -> Button:
        return Button(EMPTY, callback_data.EmptyPlace(self._model.ref))

    def _card(self, place: int, card: PickableCard) -> Button:
        if place in self._model.selected:
            return Button(f"✅ {card.label}", self._pick(place, up=False), style="success", card=self._picture(card))
        move = self._move_of(card)
        data = self._pick(place, up=True) if move is None else self._make(move)
        style: Style | None = "primary" if self._is_useful(card, plays=move is not None) else None
        return Button(card.label, data, style=style, card=self._picture(card))

    def _picture(self, card: PickableCard) -> str | None:
        return card.card if card.card in pictured(self._game) else None

    def _move_of(self, card: PickableCard) -> JsonObject | None:
        """Return the move that a press on a card makes; None if it selects the card.

        In a game whose moves are single cards, a press always makes the move; the engine explains why an illegal one
        fails.
        """
        if plays_at_once(self._game):
            return dict(msgspec.to_builtins(candidates(self._game, Selection([card]))[0]))
        uses = self._uses.get((card.pile, card.card), ())
        if self._screens.target is not None:
            uses = [use for use in uses if not is_reluctant(self._game, use.move)] or uses
        if (self.selected and self._several) or len(uses) != 1 or len(uses[0].takes.cards) > 1:
            return None
        move = with_cards(uses[0].move, [card])
        return None if is_reluctant(self._game, move) and chooses_pile(self._game, move) else move

    def _is_useful(self, card: PickableCard, *, plays: bool) -> bool:
        """Return whether a card, together with the selected ones, can make a move that players do not avoid."""
        key = card.pile, card.card
        return key in self._useful or (not plays and key in self._below and key in self._uses)

    # --- the moves

    def _with_selected(self) -> Iterator[tuple[JsonObject, Style | None]]:
        """Yield the moves of exactly the selected cards, and the moves without cards."""
        for listed in self._moves:
            if not listed.takes.cards:
                yield listed.move, self._style(listed.move)
            elif self.selected and moves_with([listed.takes], self.selected):
                yield with_cards(listed.move, self.selected), "success"
        if plays_at_once(self._game):
            legal = self._model.table.moves
            yield from ((move, None) for move in moves_without_fields(self._game) if move not in legal)

    def _style(self, move: JsonObject) -> Style | None:
        """Return the style of a move's button: highlighted, unless players avoid the move and have another move."""
        return "primary" if len(self._moves) == 1 or not is_reluctant(self._game, move) else None

    def _action(self, move: JsonObject, label: str, style: Style | None) -> Button:
        return Button(label, self._make(move), style=style)

    def _whole_label(self, move: JsonObject) -> str:
        return texts_of(self._game).move_label(move, self._model.table.deal, self._translations)

    def _label(self, move: JsonObject) -> str:
        return self._screens.label(move, self._model.table.deal, self._translations)

    # --- callback data

    def _make(self, move: JsonObject) -> callback_data.MakeMove:
        return callback_data.MakeMove(self._model.ref, self._model.table.version, code_of(self._game, move))

    def _pick(self, place: int, *, up: bool) -> callback_data.PickCard:
        return callback_data.PickCard(self._model.ref, self._model.table.version, place, up=up)


def whole_moves(game: str, moves: Sequence[Listed]) -> list[Listed]:
    """Return the moves that need buttons of their own, as no press on a card makes them; none if they are too many."""
    uses = Counter(place for listed in moves for place in {(card.pile, card.card) for card in listed.takes.cards})

    def is_by_card(listed: Listed) -> bool:
        [card, *others] = listed.takes.cards
        only_use = uses[card.pile, card.card] == 1
        return not others and (only_use or is_reluctant(game, listed.move) or not chooses_pile(game, listed.move))

    whole = [listed for listed in moves if listed.takes.cards and not is_by_card(listed)]
    return whole if len(whole) <= FEW else []


def _width(labels: Sequence[str]) -> int:
    """Return how many buttons fit in a row on a phone without cutting labels."""
    longest = max(map(len, labels), default=1)
    return max(1, min(ROW_BUTTONS, ROW_LETTERS // longest))
