"""The bot's settings, from the environment."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from shared import settings
from shared.settings import HINTS_OF_ALL, RedisUrl, SettingsError

__all__ = ["Settings", "SettingsError", "load"]

Url = Annotated[str, Meta(pattern="^https?://[^\\s]+$")]


class Settings(settings.Settings, frozen=True, kw_only=True):
    """What the bot is told at its start; the names in the environment are these in capitals."""

    HINTS: ClassVar[Mapping[str, str]] = HINTS_OF_ALL | {
        "telegram_token": "must be a bot token as BotFather gives it, such as 123456:ABC-DEF",
        "telegram_api_url": "must be an http or https URL",
        "telegram_webhook_url": "must be an http or https URL, or empty to poll",
        "telegram_webhook_secret": "must be 1 to 256 of A-Z, a-z, 0-9, _ and -, and is needed with a webhook",
        "telegram_webhook_host": "must be an address to listen on",
        "telegram_webhook_port": "must be a port from 0 to 65535",
        "engine_url": "must be an http or https URL",
        "engine_api_key": "must be one of the engine's keys, or empty where it has none",
    }

    telegram_token: Annotated[str, Meta(pattern="^[0-9]+:[A-Za-z0-9_-]+$")]
    telegram_api_url: Url = "https://api.telegram.org"
    telegram_webhook_url: Annotated[str, Meta(pattern="^(https?://[^\\s]+)?$")] = ""
    """Where Telegram delivers updates; empty to poll for them."""
    telegram_webhook_secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,256}$")] = ""
    telegram_webhook_host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    telegram_webhook_port: Annotated[int, Meta(ge=0, le=65_535)] = 8090
    engine_url: Url = "http://127.0.0.1:8080"
    engine_api_key: Annotated[str, Meta(pattern="^([\\x21-\\x2b\\x2d-\\x7e]{16,128})?$")] = ""
    """The key with which the bot opens tables, where the engine asks for one."""
    redis_url: RedisUrl = ""
    """Empty: everything is kept in the process and lost with it."""


def load(environment: Mapping[str, str]) -> Settings:
    """Return the bot's settings. Raises `SettingsError`."""
    found = settings.read(Settings, environment)
    if found.telegram_webhook_url and not found.telegram_webhook_secret:
        raise SettingsError(f"TELEGRAM_WEBHOOK_SECRET {Settings.HINTS['telegram_webhook_secret']}.")
    return found
