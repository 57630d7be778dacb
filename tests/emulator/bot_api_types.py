"""The types of the Bot API as aiogram publishes them.

aiogram builds the validators of all its models on import, which takes 3 seconds of processor time. This module builds
each validator when it is first needed.
"""

from __future__ import annotations

import functools
import inspect
import typing
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from pydantic import BaseModel

if TYPE_CHECKING:
    from aiogram.methods import TelegramMethod


@functools.cache
def methods() -> dict[str, type[TelegramMethod[Any]]]:
    """Returns the methods of the Bot API by lower-case name; their validators are not built yet."""
    with patch.object(BaseModel, "model_rebuild"):
        import aiogram.methods  # noqa: PLC0415 (its types alone take a second)

    base = aiogram.methods.TelegramMethod
    classes = (class_ for _, class_ in inspect.getmembers(aiogram.methods, inspect.isclass))
    return {
        method.__api_method__.lower(): method for method in classes if issubclass(method, base) and method is not base
    }


@functools.cache
def built_method(name: str) -> type[TelegramMethod[Any]]:
    """Returns a method, with its validator, by its name in any case."""
    method = methods()[name.lower()]
    build(method)
    return method


@functools.cache
def built_type(name: str) -> type[BaseModel]:
    """Returns a type, with its validator, by its name, such as `Update`."""
    type_: type[BaseModel] = _names()[name]
    build(type_)
    return type_


def build(annotation: Any) -> None:
    """Builds the validators of all models in an annotation."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        annotation.model_rebuild(_types_namespace=_names())
    for part in typing.get_args(annotation):
        build(part)


@functools.cache
def _names() -> dict[str, Any]:
    """Returns the names that annotations of aiogram's models use, with their types."""
    methods()
    import aiogram.types  # noqa: PLC0415
    from aiogram.client.default import Default  # noqa: PLC0415

    types = {name: getattr(aiogram.types, name) for name in aiogram.types.__all__}
    of_typing = {name: getattr(typing, name) for name in ("Optional", "Union", "Literal")}
    return {**of_typing, **types, "List": list, "Default": Default}
