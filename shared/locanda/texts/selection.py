"""Finds the move for selected cards, the cards that may still be added, and the moves that a client may check.

The same for every game: the types of its moves declare where their cards come from and where they go, as piles.
A pile is a name, with a number where there are several of the name: `hand`, `mazzetto`, `column-2`, `build-0`. Those
that seats have are the mover's own. `services/web/selection.js` does the same for pages, by the same golden cases
(`docs/selection-cases.json`).

A type of move declares its piles as templates, in which a field in braces stands for its value, and nothing stands
for one that is null: `taken_from` ("hand" where it declares none) and `goes_to` ("": nowhere in particular). A type
declares `reluctant` if its player makes any other move rather: clients highlight the others.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import zip_longest
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct

from locanda.games.registry import WIRE_TYPES, AnyView
from locanda.messages import JsonObject, MoveCards, SelectedCard, Selection, TakenCard

HAND = "hand"


# --- what moves take


def cards_of_moves(game: str, moves: Iterable[JsonObject], view: AnyView) -> list[MoveCards]:
    """Return which cards each move takes and from where; `view` is its player's."""
    types = WIRE_TYPES[game]
    return [_cards_of(move, _type_of(game, move), types, view) for move in moves]


@cache
def types_of_moves(game: str) -> tuple[Any, ...]:
    """Return the types of a game's moves, in the order of their declaration."""
    union = WIRE_TYPES[game].Move
    return get_args(union) or (union,)


@cache
def _by_tag(game: str) -> dict[str, Any]:
    return {kind.__struct_config__.tag: kind for kind in types_of_moves(game)}


def _type_of(game: str, move: JsonObject) -> Any:  # noqa: ANN401  (a type)
    return _by_tag(game)[move["type"]]


def _cards_of(move: JsonObject, declared: Any, types: ModuleType, view: AnyView) -> MoveCards:  # noqa: ANN401  (a type)
    codes = (move["card"],) if "card" in move else move.get("cards", ())
    pile = _filled(getattr(declared, "taken_from", HAND), move)
    held = view.hand if pile == HAND and not getattr(types, "SUITS_MATTER", True) else None
    cards = [TakenCard(pile, code, _equals(code, held or ())) for code in codes]
    return MoveCards(cards, _filled(getattr(declared, "goes_to", ""), move) or None)


def _equals(code: str, held: Iterable[str]) -> list[str]:
    """Return the other cards of the same rank, each once."""
    return [other for other in dict.fromkeys(held) if other != code and other[0] == code[0]]


def _filled(template: str, move: JsonObject) -> str:
    """Return the pile that a template stands for in a move."""
    if "{" not in template:
        return template
    parts = (move.get(part[1:-1]) if part.startswith("{") else part for part in template.split("-"))
    return "-".join(str(part) for part in parts if part is not None)


# --- the moves of a game


@cache
def takes_several(game: str) -> bool:
    """Return whether a game has moves that take several cards."""
    return any(map(_takes_several, types_of_moves(game)))


@cache
def plays_at_once(game: str) -> bool:
    """Return whether a single card determines the move, in any position of a game."""
    return all({*kind.__struct_fields__} <= {"card"} for kind in types_of_moves(game))


def moves_without_fields(game: str) -> list[JsonObject]:
    """Return the moves that are always the same, such as a pass, legal or not."""
    return [{"type": kind.__struct_config__.tag} for kind in types_of_moves(game) if not kind.__struct_fields__]


def is_reluctant(game: str, move: JsonObject) -> bool:
    """Return whether the player of a move would rather make any other: a pass, or a discard that ends the turn."""
    return getattr(_type_of(game, move), "reluctant", False)


def chooses_pile(game: str, move: JsonObject) -> bool:
    """Return whether a move says to which of several piles its cards go."""
    return "{" in getattr(_type_of(game, move), "goes_to", "")


# --- what selected cards can do


def moves_with(moves: Sequence[MoveCards], selected: Sequence[SelectedCard]) -> list[int]:
    """Return the numbers of the moves that take exactly these cards."""
    return [at for at, move in enumerate(moves) if len(move.cards) == len(selected) and _left(move, selected) == []]


def addable(moves: Iterable[MoveCards], selected: Sequence[SelectedCard]) -> set[tuple[str, str]]:
    """Return pile and code of each card that some move takes besides the selected ones, and perhaps others too."""
    rests = (_left(move, selected) or () for move in moves)
    return {(taken.pile, code) for rest in rests for taken in rest for code in (taken.card, *taken.equals)}


def completed(
    moves: Sequence[MoveCards], selected: Sequence[SelectedCard], cards: Sequence[SelectedCard]
) -> Sequence[SelectedCard]:
    """Return the selection, completed if exactly one move takes it.

    `cards` are all that can be selected.
    """
    rests = [rest for move in moves if (rest := _left(move, selected)) is not None]
    if not selected or len(rests) != 1:
        return selected
    free, completed_cards = [*cards], [*selected]
    for card in selected:
        free.remove(card)
    for taken in rests[0]:
        for card in free:
            if _is(taken, card):
                free.remove(card)
                completed_cards.append(card)
                break
    return completed_cards


def with_cards(move: JsonObject, selected: Sequence[SelectedCard]) -> JsonObject:
    """Return a legal move with the selected card in place of the equal one that is listed."""
    return move | {"card": selected[0].card} if "card" in move and selected else move


def _left(move: MoveCards, selected: Iterable[SelectedCard]) -> list[TakenCard] | None:
    """Return the other cards that a move takes; None if it does not take all selected ones."""
    rest = list(move.cards)
    for card in selected:
        match = next((taken for taken in rest if _is(taken, card)), None)
        if match is None:
            return None
        rest.remove(match)
    return rest


def _is(taken: TakenCard, card: SelectedCard) -> bool:
    return taken.pile == card.pile and (taken.card == card.card or card.card in taken.equals)


# --- meanings of a selection, legal or not


def candidates(game: str, selection: Selection) -> list[Struct]:
    """Return the possible moves of a selection, perhaps incomplete; those that take one card come first.

    If no move takes the cards to the selection's pile, then the moves without cards from or to there; if there are
    none either, what the cards can mean elsewhere.
    """
    types = sorted(types_of_moves(game), key=_takes_several)
    meanings = [selection]
    if selection.to is not None:
        meanings += [Selection([], selection.to), Selection(selection.cards)]
    return next((moves for meaning in meanings if (moves := [*_candidates(types, meaning)])), [])


def _candidates(types: Iterable[Any], selection: Selection) -> Iterable[Struct]:
    piles = {card.pile for card in selection.cards}
    for move_type in types:
        fields = _fields(move_type, [card.card for card in selection.cards], piles, selection.to)
        if fields is not None:
            try:
                yield msgspec.convert({"type": move_type.__struct_config__.tag} | fields, move_type)
            except msgspec.ValidationError:
                continue  # a field is missing that the selection does not tell, or a pile is not one of this move's


def _takes_several(declared: Any) -> bool:  # noqa: ANN401  (a type)
    return "cards" in declared.__struct_fields__


def _fields(declared: Any, codes: list[str], piles: set[str], to: str | None) -> JsonObject | None:  # noqa: ANN401
    """Return the fields of a move with these cards; None if no move of this type takes that number between them."""
    names = declared.__struct_fields__
    card: JsonObject = {"cards": codes} if "cards" in names else {"card": codes[0]} if "card" in names and codes else {}
    fits = bool(codes) if "cards" in names else len(codes) == ("card" in names)
    source = _bound(getattr(declared, "taken_from", HAND), *piles) if len(piles) == 1 else {} if not piles else None
    goal = {} if to is None else _bound(getattr(declared, "goes_to", ""), to)
    return card | source | goal if fits and source is not None and goal is not None else None


def _bound(template: str, pile: str) -> JsonObject | None:
    """Return the values of the fields with which a template stands for a pile; None if it never does."""
    fields: JsonObject = {}
    for part, value in zip_longest(template.split("-"), pile.split("-")):
        if part is None or (not part.startswith("{") and part != value):
            return None
        if part.startswith("{"):
            fields[part[1:-1]] = int(value) if value is not None and value.isdecimal() else value
    return fields
