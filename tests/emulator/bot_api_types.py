"""The types of the Bot API as aiogram publishes them.

aiogram builds the validators of all its models on import, which takes 3 seconds of processor time. Here each is built
when it is first needed.
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
    """The methods of the Bot API by lower-case name, with unbuilt models."""
    with patch.object(BaseModel, "model_rebuild"):
        import aiogram.methods  # noqa: PLC0415 (its types alone take a second)

    base = aiogram.methods.TelegramMethod
    classes = (class_ for _, class_ in inspect.getmembers(aiogram.methods, inspect.isclass))
    return {
        method.__api_method__.lower(): method for method in classes if issubclass(method, base) and method is not base
    }


@functools.cache
def built_method(name: str) -> type[TelegramMethod[Any]]:
    """A method by its name, in any case."""
    method = methods()[name.lower()]
    build(method)
    return method


@functools.cache
def built_type(name: str) -> type[BaseModel]:
    """A type by its name, such as `Update`."""
    type_: type[BaseModel] = _names()[name]
    build(type_)
    return type_


def build(annotation: Any) -> None:
    """Build every model of an annotation."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        annotation.model_rebuild(_types_namespace=_names())
    for part in typing.get_args(annotation):
        build(part)


@functools.cache
def _names() -> dict[str, Any]:
    """The types in annotations of aiogram's models."""
    methods()
    import aiogram.types  # noqa: PLC0415
    from aiogram.client.default import Default  # noqa: PLC0415

    types = {name: getattr(aiogram.types, name) for name in aiogram.types.__all__}
    of_typing = {name: getattr(typing, name) for name in ("Optional", "Union", "Literal")}
    return {**of_typing, **types, "List": list, "Default": Default}
