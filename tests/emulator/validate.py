"""Checks every request against the types of the Bot API, as aiogram publishes them.

Real Telegram ignores unknown parameters and fields. Here they are refused, so that payloads that differ from the Bot
API are noticed; `strict=False` ignores them as Telegram does.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import typing
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from tests.emulator.bot_api_types import built_method
from tests.emulator.keyboards import keyboard
from tests.emulator.refusals import QUERY_TOO_OLD, RefusedError, bad_request
from tests.emulator.state import JSON

if TYPE_CHECKING:
    from aiogram.methods import TelegramMethod

REQUIRED = {
    "chat_id": "chat_id is empty",
    "text": "message text is empty",
    "message_id": "message identifier is not specified",
    "user_id": "invalid user_id specified",
    "callback_query_id": QUERY_TOO_OLD,
}
NOT_JSON = {
    "reply_markup": "can't parse reply keyboard markup JSON object",
    "reply_parameters": "can't parse reply parameters JSON object",
    "link_preview_options": "can't parse link preview options JSON object",
    "commands": "can't parse commands JSON object",
    "scope": "can't parse BotCommandScope JSON object",
}


def parameters(method: str, raw: JSON, *, strict: bool) -> JSON:
    """Decodes parameters and checks their types; refuses wrong parameters and, if `strict`, unknown ones."""
    model = built_method(method)
    known = model.model_fields
    unknown = sorted(raw.keys() - known.keys())
    if unknown and strict:
        raise bad_request(f'unknown parameter "{unknown[0]}" in {model.__api_method__}')
    structured = _structured(model)
    decoded = {
        name: _decode(name, value, structured=name in structured) if isinstance(value, str) else value
        for name, value in raw.items()
        if name in known
    }
    # Keyboards first, because Telegram words these refusals differently from the types' errors.
    keyboard(decoded.get("reply_markup"), private=True, only_inline=method.lower().startswith("edit"))
    instance = _validated(model, decoded)
    for name in decoded if strict else ():
        _refuse_unknown(getattr(instance, name), name)
    return {name: value if name in structured else getattr(instance, name) for name, value in decoded.items()}


def _validated(model: type[TelegramMethod[Any]], values: JSON) -> TelegramMethod[Any]:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _wrong(error) from None


def _wrong(error: ValidationError) -> RefusedError:
    first = error.errors()[0]
    name = str(first["loc"][0])
    if first["type"] == "missing" and len(first["loc"]) == 1:
        return bad_request(REQUIRED.get(name, f'parameter "{name}" is required'))
    path = ".".join(map(str, first["loc"]))
    return bad_request(f"can't parse {path}: {first['msg']}")


def _decode(name: str, value: str, *, structured: bool) -> object:
    if name == "chat_id" and re.fullmatch(r"-?\d+", value):
        return int(value)
    if not structured:
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise bad_request(NOT_JSON.get(name, f"can't parse {name} JSON object")) from None


def _refuse_unknown(value: object, path: str) -> None:
    if isinstance(value, BaseModel):
        unknown = sorted(value.model_extra or {})
        if unknown:
            raise bad_request(f'unknown field "{unknown[0]}" in {path}')
        for name in type(value).model_fields:
            _refuse_unknown(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_unknown(item, f"{path}[{index}]")


@functools.cache
def _structured(model: type[TelegramMethod[Any]]) -> frozenset[str]:
    """Returns the names of a method's parameters that are sent as JSON text in a form."""
    return frozenset(name for name, field in model.model_fields.items() if _is_structured(field.annotation))


def _is_structured(annotation: Any) -> bool:
    if typing.get_origin(annotation) in {list, dict}:
        return True
    if inspect.isclass(annotation):
        return issubclass(annotation, BaseModel)
    return any(_is_structured(inner) for inner in typing.get_args(annotation))
