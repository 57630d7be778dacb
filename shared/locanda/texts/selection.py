"""Interprets selected cards: finds the moves that take the cards, further cards to select, and moves to check.

This works for every game, because the types of its moves declare the piles that their cards come from and go to. A pile
is a name, with a number if there are several: `hand`, `mazzetto`, `column-2`, `build-0`. Piles that each seat has are
the mover's own. `services/web/selection.js` does the same on the page; both must pass the same golden cases
(`docs/selection-cases.json`).

A move type declares piles as templates: a field in braces stands for its value, or for nothing if it is null.
`taken_from` is the source (default `hand`), `goes_to` the target (default: none). `reluctant` marks moves that a player
makes only if there is nothing better; clients highlight the others.
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


# --- the cards of moves


def cards_of_moves(game: str, moves: Iterable[JsonObject], view: AnyView) -> list[MoveCards]:
    """Return the cards that each move takes, with their piles. `view` is the mover's view."""
    types = WIRE_TYPES[game]
    return [_cards_of(move, _type_of(game, move), types, view) for move in moves]


@cache
def types_of_moves(game: str) -> tuple[Any, ...]:
    """Return the types of a game's moves, in the order in which they are declared."""
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
    """Return the other cards that have the same rank, each code once."""
    return [other for other in dict.fromkeys(held) if other != code and other[0] == code[0]]


def _filled(template: str, move: JsonObject) -> str:
    """Return the pile that a template stands for in a move."""
    if "{" not in template:
        return template
    parts = (move.get(part[1:-1]) if part.startswith("{") else part for part in template.split("-"))
    return "-".join(str(part) for part in parts if part is not None)


# --- properties of a game's moves


@cache
def takes_several(game: str) -> bool:
    """Return whether a game has moves that take several cards."""
    return any(map(_takes_several, types_of_moves(game)))


@cache
def plays_at_once(game: str) -> bool:
    """Return whether a single card always determines the move in this game."""
    return all({*kind.__struct_fields__} <= {"card"} for kind in types_of_moves(game))


def moves_without_fields(game: str) -> list[JsonObject]:
    """Return the moves that have no fields, such as a pass, whether legal or not."""
    return [{"type": kind.__struct_config__.tag} for kind in types_of_moves(game) if not kind.__struct_fields__]


def is_reluctant(game: str, move: JsonObject) -> bool:
    """Return whether players avoid this move if they have a choice: a pass, or a discard that ends the turn."""
    return getattr(_type_of(game, move), "reluctant", False)


def chooses_pile(game: str, move: JsonObject) -> bool:
    """Return whether the move names its target among several piles."""
    return "{" in getattr(_type_of(game, move), "goes_to", "")


# --- moves for selected cards


def moves_with(moves: Sequence[MoveCards], selected: Sequence[SelectedCard]) -> list[int]:
    """Return the indexes of the moves that take exactly these cards."""
    return [at for at, move in enumerate(moves) if len(move.cards) == len(selected) and _left(move, selected) == []]


def addable(moves: Iterable[MoveCards], selected: Sequence[SelectedCard]) -> set[tuple[str, str]]:
    """Return the pile and code of each further card that some move takes together with the selected cards."""
    rests = (_left(move, selected) or () for move in moves)
    return {(taken.pile, code) for rest in rests for taken in rest for code in (taken.card, *taken.equals)}


def completed(
    moves: Sequence[MoveCards], selected: Sequence[SelectedCard], cards: Sequence[SelectedCard]
) -> Sequence[SelectedCard]:
    """Return the selection from `cards`, completed if exactly one move takes its cards."""
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
    """Return a legal move with its listed card replaced by the selected card, which has the same effect."""
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


# --- the possible meanings of a selection, legal or not


def candidates(game: str, selection: Selection) -> list[Struct]:
    """Return the moves that a selection may mean, perhaps incomplete; moves of a single card come first.

    If no move takes these cards to the selected pile, returns moves without cards for that pile. If there are none,
    returns moves of these cards to any pile.
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
                continue  # the selection lacks a field of this move type, or has a pile that it cannot use


def _takes_several(declared: Any) -> bool:  # noqa: ANN401  (a type)
    return "cards" in declared.__struct_fields__


def _fields(declared: Any, codes: list[str], piles: set[str], to: str | None) -> JsonObject | None:  # noqa: ANN401
    """Return the fields of a move with these cards and piles; None if the declared type cannot have them."""
    names = declared.__struct_fields__
    card: JsonObject = {"cards": codes} if "cards" in names else {"card": codes[0]} if "card" in names and codes else {}
    fits = bool(codes) if "cards" in names else len(codes) == ("card" in names)
    source = _bound(getattr(declared, "taken_from", HAND), *piles) if len(piles) == 1 else {} if not piles else None
    goal = {} if to is None else _bound(getattr(declared, "goes_to", ""), to)
    return card | source | goal if fits and source is not None and goal is not None else None


def _bound(template: str, pile: str) -> JsonObject | None:
    """Return the field values with which a template stands for a pile; None if it cannot."""
    fields: JsonObject = {}
    for part, value in zip_longest(template.split("-"), pile.split("-")):
        if part is None or (not part.startswith("{") and part != value):
            return None
        if part.startswith("{"):
            fields[part[1:-1]] = int(value) if value is not None and value.isdecimal() else value
    return fields
