"""Games in the terminal: the interface of a game's module `terminal`, its defaults, and how cards are typed."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar, cast

from locanda.cards import CARDS
from locanda.cards.cuccu import CODES, DESIGNS
from locanda.games.registry import AnyView, has_part, part
from locanda.messages import CardWords, JsonObject, SelectedCard
from locanda.texts.cards import JOKER, JOKER_SIGN, SUIT_SIGNS, cuccu_deck, french_deck, french_deck_with_joker
from locanda.texts.games import game_of, labelled_piles, texts_of
from locanda.texts.selection import HAND
from locanda.translations import Translations, translations_in

V = TypeVar("V", bound=AnyView)

LabelledRows: TypeAlias = list[tuple[str, str]]
"""Rows of the table, each with a label and the cards. An empty label continues the row above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    """How the cards of a deck are typed."""

    read: Callable[[str], list[str] | None]
    """Returns the codes of the cards in a text; None if it contains anything else."""
    example: str


def piles_and_facts(view: AnyView, names: Sequence[str], translations: Translations) -> LabelledRows:
    """Return the rows of the piles, with labels, and then the other facts about the deal."""
    piles = [(label, line) for label, cards in labelled_piles(view, names, translations) for line in cards.splitlines()]
    rows = [("" if at and piles[at - 1][0] == label else label, line) for at, (label, line) in enumerate(piles)]
    return [*rows, *(("", fact) for fact in texts_of(game_of(view)).facts(view, names, translations))]


def hand_of(view: AnyView) -> list[SelectedCard]:
    """Return the cards of the viewer's hand."""
    return [SelectedCard(HAND, code) for code in view.hand or ()]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBoard(Generic[V]):
    """A game's screen in the terminal. Type parameter: `V` is the game's view."""

    rows: Callable[[V, Sequence[str], Translations], LabelledRows] = piles_and_facts
    """Returns the table as rows, from the view and the names by seat."""
    source: Callable[[JsonObject, Translations], str] | None = None
    """Returns the first part of a move's label, which a person chooses first if there are many moves; None for games
    without it."""
    places: Callable[[V], Iterable[SelectedCard]] = hand_of
    """Returns the cards that the viewer may play, from the hand and from piles."""


AnyGameBoard: TypeAlias = GameBoard[Any]


def board_of(game: str) -> AnyGameBoard:
    """Return the `BOARD` of a game, or the default for games without one."""
    return cast("AnyGameBoard", part(game, "terminal").BOARD) if has_part(game, "terminal") else GameBoard()


# --- parsing cards: ``7h``, ``10♠``, ``qd jc``, ``*``; ``VII``, ``leone``

FRENCH = re.compile(rf"(10|[a2-9tjqk])([hdcs{''.join(SUIT_SIGNS.values())}])|[*{JOKER_SIGN}]", re.IGNORECASE)
SEPARATORS = re.compile(r"[\s,;\ufe0e\ufe0f]+")
SUITS = {sign: code for code, sign in SUIT_SIGNS.items()}
CUCCU_NAMES = {name.casefold(): card.code for card in DESIGNS for name in (card.code, card.name_it, card.name_en)}


def read_french(text: str) -> list[str] | None:
    """Return the French cards and jokers in a text, with or without separators; None for any other text."""
    joined = SEPARATORS.sub("", text)
    matches = list(FRENCH.finditer(joined))
    if not matches or sum(len(match[0]) for match in matches) != len(joined):
        return None
    return [_french_code(match) for match in matches]


def _french_code(match: re.Match[str]) -> str:
    if match[1] is None:
        return JOKER
    code = match[1].upper().replace("10", "T") + SUITS.get(match[2], match[2].lower())
    return code if code in CARDS else JOKER


def read_cuccu(text: str) -> list[str] | None:
    """Return the Cuccù cards in a text, by numeral or by name in either language, in deck order."""
    parts = [part for part in SEPARATORS.split(text.casefold()) if part]
    codes = [CUCCU_NAMES[part] for part in parts if part in CUCCU_NAMES]
    return sorted(codes, key=CODES.index) if parts and len(codes) == len(parts) else None


FRENCH_CARDS = CardInput(read=read_french, example="7h 10♠ *")
CARDS_WITHOUT_JOKERS = CardInput(read=read_french, example="7h 10♠")
CUCCU_CARDS = CardInput(read=read_cuccu, example="VII, leone")

BY_DECK: dict[object, CardInput] = {
    french_deck: CARDS_WITHOUT_JOKERS,
    french_deck_with_joker: FRENCH_CARDS,
    cuccu_deck: CUCCU_CARDS,
}


@cache
def card_input(game: str) -> CardInput:
    """Return the input format of a game's cards; for unknown decks, people type the signs or codes of cards."""
    deck = texts_of(game).deck
    return BY_DECK.get(deck) or _as_shown(deck(translations_in("en")))


def _as_shown(names: Mapping[str, CardWords]) -> CardInput:
    typed = {form.casefold(): code for code, words in names.items() for form in (code, words.short)}

    def read(line: str) -> list[str] | None:
        parts = re.split(r"[\s,;→]+", line.casefold().replace("\ufe0f", "").strip())
        codes = [typed[part] for part in parts if part in typed]
        return codes if len(codes) == len(parts) else None

    return CardInput(read=read, example=next(iter(names.values())).short)
