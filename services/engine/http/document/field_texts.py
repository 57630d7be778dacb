"""Descriptions of fields in the OpenAPI document, taken from the docstrings below the fields in the source.

Deals and views share the texts of the game's state; `locanda.games.base` describes the fields of every game.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from locanda import explanations, messages
from locanda.games import base
from locanda.games.registry import WIRE_TYPES
from locanda.messages import administration, events
from services.engine.http.api.handlers import system


def field_texts(cls: type[Struct]) -> dict[str, str]:
    """Return the descriptions of a struct's fields with a docstring, including inherited ones."""
    texts: dict[str, str] = {}
    for class_ in reversed(cls.__mro__):
        by_class = _texts_of_module(class_.__module__)
        for name in OF_DEALS.get(class_.__name__, (class_.__name__,)):
            texts |= by_class.get(name, {})
    config = cls.__struct_config__
    if isinstance(config.tag, str) and config.tag_field == "type":
        texts["type"] = f"Always `{config.tag}`, the type of this object."
    return {**base.FIELDS_OF_ALL_GAMES, **texts} if cls.__module__ in _OF_GAMES else texts


OF_DEALS = {"Deal": ("View", "DealState"), "View": ("DealState", "View")}
"""The classes whose field descriptions a deal or view uses; later classes take precedence."""

_MESSAGES = {cls.__module__ for _, cls in inspect.getmembers(messages, inspect.isclass) if issubclass(cls, Struct)}
_OF_GAMES = {base.__name__, *(types.__name__ for types in WIRE_TYPES.values())}
_MODULES = (
    administration,
    base,
    events,
    explanations,
    system,
    *WIRE_TYPES.values(),
    *(sys.modules[name] for name in _MESSAGES),
)
SOURCES = {module.__name__: inspect.getsource(module) for module in _MODULES}
"""The source texts of the modules that define messages, by name. They are read at import, so that no request waits for
a file.
"""


@cache
def _texts_of_module(name: str) -> Mapping[str, Mapping[str, str]]:
    tree = ast.parse(SOURCES.get(name, ""))
    return {node.name: dict(_texts_of_class(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _texts_of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement, next_statement in zip(node.body, node.body[1:], strict=False):
        match statement, next_statement:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield _wire_name(name, statement), " ".join(inspect.cleandoc(text).split())
            case _:
                pass


def _wire_name(name: str, statement: ast.AnnAssign) -> str:
    """Return a field's name in JSON, which `field(name=…)` may change."""
    keywords = statement.value.keywords if isinstance(statement.value, ast.Call) else []
    renamed = (word.value.value for word in keywords if word.arg == "name" and isinstance(word.value, ast.Constant))
    return str(next(renamed, name))
