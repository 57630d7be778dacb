"""The bot's settings, from the environment."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Url = Annotated[str, Meta(pattern="^https?://[^\\s]+$")]


class SettingsError(ValueError):
    """A setting has a bad value; the message is one sentence for whoever starts the bot."""


class Settings(Struct, frozen=True, kw_only=True):
    """What the bot is told at its start; the names in the environment are these in capitals."""

    telegram_token: Annotated[str, Meta(pattern="^[0-9]+:[A-Za-z0-9_-]+$")]
    telegram_api_url: Url = "https://api.telegram.org"
    telegram_webhook_url: Annotated[str, Meta(pattern="^(https?://[^\\s]+)?$")] = ""
    """Where Telegram delivers updates; empty to poll for them."""
    telegram_webhook_secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,256}$")] = ""
    telegram_webhook_host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    telegram_webhook_port: Annotated[int, Meta(ge=0, le=65_535)] = 8081
    engine_url: Url = "http://127.0.0.1:8080"
    redis_url: Annotated[str, Meta(pattern="^((redis|rediss|unix)://[^\\s]+)?$")] = ""
    """Empty: everything is kept in the process and lost with it."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"

    def __repr__(self) -> str:
        """Return nothing that must stay secret."""
        return "Settings(...)"


HINTS = {
    "telegram_token": "must be a bot token as BotFather gives it, such as 123456:ABC-DEF",
    "telegram_api_url": "must be an http or https URL",
    "telegram_webhook_url": "must be an http or https URL, or empty to poll",
    "telegram_webhook_secret": "must be 1 to 256 characters of A-Z, a-z, 0-9, _ and -, and is needed with a webhook",
    "telegram_webhook_host": "must be an address to listen on",
    "telegram_webhook_port": "must be a port from 0 to 65535",
    "engine_url": "must be an http or https URL",
    "redis_url": "must be a redis://, rediss:// or unix:// URL, or empty",
    "log_level": "must be one of debug, info, warning, error",
    "log_format": "must be console or json",
}


def load(environment: Mapping[str, str]) -> Settings:
    """Return the settings. Raises `SettingsError`, which never repeats the bad value: it may be a secret."""
    given = {name: environment[name.upper()].strip() for name in HINTS if environment.get(name.upper(), "").strip()}
    for name in ("log_level", "log_format"):
        if name in given:
            given[name] = given[name].lower()
    settings = _convert(given)
    if settings.telegram_webhook_url and not settings.telegram_webhook_secret:
        raise SettingsError(f"TELEGRAM_WEBHOOK_SECRET {HINTS['telegram_webhook_secret']}.")
    return settings


def _convert(given: dict[str, str]) -> Settings:
    if "telegram_token" not in given:
        raise SettingsError("TELEGRAM_TOKEN is missing: get one from BotFather.")
    for name, hint in HINTS.items():
        try:
            msgspec.convert(
                {"telegram_token": "1:x"} | {k: v for k, v in given.items() if k == name}, Settings, strict=False
            )
        except msgspec.ValidationError:
            raise SettingsError(f"{name.upper()} {hint}.") from None
    return msgspec.convert(given, Settings, strict=False)
