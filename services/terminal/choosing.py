"""From what a person types to the move that is meant."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from services.terminal.games.registry import AnyDrawing
from shared.games.registry import AnyView
from shared.messages import JsonObject
from shared.translate import Words

LISTED = 30
"""Moves of a longer list are found by typing their cards."""


class Chosen(Struct, frozen=True):
    """Just one move is meant."""

    move: JsonObject


class Several(Struct, frozen=True):
    """Each of these may be meant."""

    moves: list[JsonObject]


class Refused(Struct, frozen=True):
    """A move is meant that is none of the legal ones."""

    wish: JsonObject


class Puzzled(Struct, frozen=True):
    """No move is meant that we could guess."""


Choice = Chosen | Several | Refused | Puzzled


def choose(
    text: str,
    listed: Sequence[JsonObject],
    moves: Sequence[JsonObject],
    view: AnyView,
    drawing: AnyDrawing,
    words: Words,
) -> Choice:
    """Return what is meant by a number of the list that was shown last, by cards, or by the beginning of a label."""
    if text.isdecimal():
        number = int(text)
        return Chosen(listed[number - 1]) if 0 < number <= len(listed) else Puzzled()
    cards = drawing.read(text)
    if cards:
        found = _with_cards(cards, moves, drawing)
        return _one_of(found) if found else Refused(drawing.wish(view, cards))
    wanted = text.casefold()
    found = [move for move in moves if wanted and drawing.label(move, view, words).casefold().startswith(wanted)]
    return _one_of(found)


def taken(move: JsonObject) -> tuple[str, ...]:
    """Return the cards that a move takes, as one may type them."""
    return (move["card"],) if "card" in move else tuple(move.get("cards", ()))


def _with_cards(cards: Sequence[str], moves: Sequence[JsonObject], drawing: AnyDrawing) -> list[JsonObject]:
    exact = [move for move in moves if Counter(taken(move)) == Counter(cards)]
    if exact:
        return exact
    wanted = Counter(map(drawing.same, cards))
    return [move for move in moves if Counter(map(drawing.same, taken(move))) == wanted]


def _one_of(found: list[JsonObject]) -> Choice:
    if not found:
        return Puzzled()
    return Chosen(found[0]) if len(found) == 1 else Several(found)
