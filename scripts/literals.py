"""Generates shared/locanda/games/literals.py: names, options and moves of the built-in games, for type checkers.

Type checkers run no code, so they cannot find the games as `registry` does.
"""

import inspect
import json
import keyword
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, UnsetType

from locanda.games import registry

FILE = Path(registry.__file__).with_name("literals.py")
LONGEST_LINE = 120
"""The line length of `ruff format`."""
HEAD = '''"""The games of this package for type checkers: their names, and their options and moves as JSON.

`make openapi` writes it from the games' types (`scripts/literals.py`). Nothing imports it when a program runs.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict'''


def text() -> str:
    """Return the source code of `literals.py`."""
    games = {game: types_ for game, types_ in registry.WIRE_TYPES.items() if not registry.is_installed(game)}
    options = {_camel(game, "Options"): types_.Options for game, types_ in games.items()}
    moves = {_camel(game, move.__name__): move for game, types_ in games.items() for move in _members(types_.Move)}
    names = ", ".join(f'"{game}"' for game in games)
    blocks = [
        HEAD,
        f"LiteralGame: TypeAlias = Literal[{names}]",
        *(_typed_dict(name, structs) for name, structs in (options | moves).items()),
        f"{_union('LiteralOptions', options)}\n{_union('LiteralMove', moves)}\n",
    ]
    return "\n\n\n".join(blocks).replace("\n\n\n", "\n\n", 1)


def _union(name: str, members: Iterable[str]) -> str:
    line, listed = f"{name}: TypeAlias = {' | '.join(members)}", "\n    | ".join(members)
    return line if len(line) <= LONGEST_LINE else f"{name}: TypeAlias = (\n    {listed}\n)"


def _members(move: Any) -> tuple[type[Struct], ...]:  # noqa: ANN401  (mypy has no type for a union)
    return get_args(move) or (move,)


def _camel(game: str, name: str) -> str:
    return "".join(part.capitalize() for part in game.split("_")) + name


def _typed_dict(name: str, struct: type[Struct]) -> str:
    fields = dict(_fields(struct))
    if any(map(keyword.iskeyword, fields)):
        written = "".join(f'        "{field}": {type_},\n' for field, type_ in fields.items())
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{written}    }},\n)'
    about = (inspect.getdoc(struct) or "").partition("\n")[0]
    written = "".join(f"    {field}: {type_}\n" for field, type_ in fields.items())
    return f'class {name}(TypedDict):\n    """{about}"""\n\n{written.rstrip()}'


def _fields(struct: type[Struct]) -> Iterator[tuple[str, str]]:
    """Yield the JSON names and the types of a struct's fields, its tag first."""
    tag = struct.__struct_config__.tag
    if tag is not None:
        yield "type", _type(Literal[tag])
    hints = get_type_hints(struct)
    for field in msgspec.structs.fields(struct):
        written = _type(hints[field.name])
        yield field.encode_name, written if field.required else f"NotRequired[{written}]"


def _type(hint: Any) -> str:  # noqa: ANN401
    """Return a type's annotation in source code; where a tuple is expected, callers may pass a list."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"Literal[{', '.join(json.dumps(argument) for argument in arguments)}]"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(argument) for argument in arguments if argument is not UnsetType)
    if origin is tuple:
        (item,) = {argument for argument in arguments if argument is not ...}
        return f"list[{_type(item)}] | tuple[{_type(item)}, ...]"
    if hint is type(None):
        return "None"
    return str(hint.__name__)


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
