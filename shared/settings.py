"""Settings from the environment: read once at the start, and refused in one clear sentence."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

S = TypeVar("S", bound="Settings")


class SettingsError(ValueError):
    """A setting has a bad value; the message is one sentence for whoever starts the service."""


class Settings(Struct, frozen=True, kw_only=True):
    """What every service is told at its start; the names in the environment are these in capitals."""

    HINTS: ClassVar[Mapping[str, str]] = {}
    """What each setting must be, in words."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"

    def __repr__(self) -> str:
        """Return nothing that must stay secret."""
        return "Settings(...)"


LOG_HINTS = {
    "log_level": "must be one of debug, info, warning, error",
    "log_format": "must be console or json",
}

RedisUrl = Annotated[
    str, Meta(pattern="^((redis|rediss|redis\\+cluster|rediss\\+cluster|redis\\+sentinel|unix)://[^\\s]+)?$")
]
"""Where a service keeps what it must remember; what an empty one means is the service's."""

HINTS_OF_ALL = LOG_HINTS | {
    "redis_url": "must be a redis://, rediss://, unix://, redis+cluster:// or redis+sentinel:// URL, or empty",
}

NO_REDIS = "not a URL of Redis: redis://, rediss://, unix://, redis+cluster://, redis+sentinel://"
"""What is wrong with a URL that looks like one and names nothing, in words that repeat nothing of it."""


def read(type_: type[S], environment: Mapping[str, str]) -> S:
    """Return the settings. Raises `SettingsError`, which never repeats the bad value: it may be a secret."""
    given = {}
    for field in msgspec.structs.fields(type_):
        value = environment.get(field.name.upper(), "").strip()
        if value:
            given[field.name] = _convert(type_, field, value)
        elif field.required:
            raise SettingsError(f"{field.name.upper()} is missing: it {type_.HINTS[field.name]}.")
    return msgspec.convert(given, type_)


def _convert(type_: type[S], field: msgspec.structs.FieldInfo, value: str) -> object:
    told = value.lower() if field.name in LOG_HINTS else value
    try:
        return msgspec.convert(told, field.type, strict=False)
    except msgspec.ValidationError:
        problem = f"{field.name.upper()} {type_.HINTS[field.name]}."
    # Out here, so that the value is not even in this error's context.
    raise SettingsError(problem)
