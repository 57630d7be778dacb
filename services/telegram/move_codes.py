"""Codes of moves in callback data: the number of the move's type, then its fields in the order of their declaration.

Each card is one letter, its index in the game's deck, so that a move of many cards fits into a button.
"""

import string
from functools import cache

import msgspec

from locanda.messages import JsonObject
from locanda.texts.games import texts_of
from locanda.texts.selection import types_of_moves
from locanda.translations import translations_in

SEPARATOR = "/"
CARD, CARDS, NOTHING = ":", "=", "~"
"""Prefix of a card's letter, prefix of the letters of a list of cards, and the code of null."""
LETTERS = string.ascii_letters + string.digits + "!#$%&'()*+,-.;<>?@[]^_`{|}"


def code_of(game: str, move: JsonObject) -> str:
    """Return the code of a move."""
    number, names = _types(game)[move["type"]]
    return SEPARATOR.join([str(number), *(_spelt(game, move.get(name, "")) for name in names)])


def move_of(game: str, code: str) -> JsonObject:
    """Return the move that a code stands for. Raises `ValueError` or `LookupError` for an invalid code."""
    number, *values = code.split(SEPARATOR)
    declared = types_of_moves(game)[int(number)]
    tag = declared.__struct_config__.tag
    _, names = _types(game)[tag]
    move = {name: _read(game, value) for name, value in zip(names, values, strict=True) if value}
    return dict(msgspec.to_builtins(msgspec.convert(move | {"type": tag}, declared, strict=False)))


@cache
def _types(game: str) -> dict[str, tuple[int, list[str]]]:
    """Return, by tag, the number of each type of move and the names of its fields."""
    return {
        move_type.__struct_config__.tag: (number, [field.encode_name for field in msgspec.structs.fields(move_type)])
        for number, move_type in enumerate(types_of_moves(game))
    }


def _spelt(game: str, value: object) -> str:
    letters = _letters(game)
    match value:
        case None:
            return NOTHING
        case list() | tuple():
            return CARDS + "".join(letters[card] for card in value)
        case str() if value in letters:
            return CARD + letters[value]
        case _:
            return str(value)


def _read(game: str, value: str) -> object:
    if value == NOTHING:
        return None
    cards = {letter: card for card, letter in _letters(game).items()}
    if value[0] == CARDS:
        return [cards[letter] for letter in value[1:]]
    return cards[value[1:]] if value[0] == CARD else value


@cache
def _letters(game: str) -> dict[str, str]:
    return dict(zip(texts_of(game).deck(translations_in("en")), LETTERS, strict=False))
