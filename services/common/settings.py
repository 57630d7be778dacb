"""Reads settings from environment variables at start. An invalid value is refused with one clear sentence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from services.common import redis_urls

PublicUrl: TypeAlias = Annotated[str, Meta(pattern="^(https?://[^\\s/?#]+(/[^\\s?#]*[^\\s?#/])?)?$")]
"""A URL without a slash at its end, to which paths are appended."""

S = TypeVar("S", bound="ServiceSettings")


class SettingsError(ValueError):
    """A setting is invalid. The message is one sentence for the person who starts the service."""


class ServiceSettings(Struct, frozen=True, kw_only=True):
    """The settings of all services. The environment variable of a setting has the field's name in capitals."""

    EXPECTATIONS: ClassVar[Mapping[str, str]] = {}
    """The allowed values of each setting, for error messages."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of the lines that are logged, to standard error."""
    log_format: Literal["console", "json"] = "console"
    """Readable lines, or a JSON object per line. The container images log JSON."""
    public_url: PublicUrl = ""
    """Public address of this installation, used in links to tables."""

    def __repr__(self) -> str:
        """Return a text without the values, some of which are secret."""
        return "Settings(...)"


LOG_EXPECTATIONS = {
    "log_level": "must be one of debug, info, warning, error",
    "log_format": "must be console or json",
}

COMMON_EXPECTATIONS = LOG_EXPECTATIONS | {
    "redis_url": redis_urls.EXPECTED,
    "public_url": "must be an http or https URL without a slash at its end, or empty",
}
"""The allowed values of settings that all services share, in words."""


def read(type_: type[S], environment: Mapping[str, str]) -> S:
    """Return the settings. Raises `SettingsError`, which never contains the invalid value, since it may be a secret."""
    converted = {}
    for field in msgspec.structs.fields(type_):
        value = value_of(field.name.upper(), environment)
        if value:
            converted[field.name] = _convert(type_, field, value)
        elif field.required:
            raise SettingsError(f"{field.name.upper()} is missing: it {type_.EXPECTATIONS[field.name]}.")
    return msgspec.convert(converted, type_)


def value_of(name: str, environment: Mapping[str, str]) -> str:
    """Return a setting, or the content of the file that `NAME_FILE` names. Raises `SettingsError`."""
    value, file = (environment.get(setting_name, "").strip() for setting_name in (name, f"{name}_FILE"))
    if not file:
        return value
    try:
        kept = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{name}_FILE must name a file of text that the service can read.") from None
    if value and kept:
        raise SettingsError(f"{name} and {name}_FILE are both given: leave one out.")
    return value or kept


def _convert(type_: type[S], field: msgspec.structs.FieldInfo, value: str) -> object:
    text = value.lower() if field.name in LOG_EXPECTATIONS else value
    try:
        return msgspec.convert(text, field.type, strict=False)
    except msgspec.ValidationError:
        problem = f"{field.name.upper()} {type_.EXPECTATIONS[field.name]}."
    # Raised outside the `except` block, so that the value is not in this error's context.
    raise SettingsError(problem)


EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - nothing is bound here
"""Addresses that mean all interfaces of a machine, including IPv4."""


def local_url(host: str, port: object) -> str:
    """Return the URL at which this machine reaches a service that listens at an address."""
    reached = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://{f'[{reached}]' if ':' in reached else reached}:{port}"
