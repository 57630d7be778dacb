"""The bot's settings, from the environment."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from services.common import settings
from services.common.redis_urls import RedisUrl
from services.common.settings import COMMON_EXPECTATIONS, SettingsError

__all__ = ["BotSettings", "SettingsError", "load"]

REQUEST_SECONDS = 20.0
"""Time limit for a client to send the head of a request, and again for its body."""

Url = Annotated[str, Meta(pattern="^https?://[^\\s]+$")]


class BotSettings(settings.ServiceSettings, frozen=True, kw_only=True):
    """The bot's settings. Each environment variable is the field's name in capitals."""

    EXPECTATIONS: ClassVar[Mapping[str, str]] = COMMON_EXPECTATIONS | {
        "telegram_token": "must be a bot token as BotFather gives it, such as 123456:ABC-DEF, or empty to wait",
        "telegram_api_url": "must be an http or https URL",
        "telegram_webhook_url": "must be an http or https URL, or empty to poll",
        "telegram_webhook_secret": "must be 1 to 256 of A-Z, a-z, 0-9, _ and -, and is needed with a webhook",
        "telegram_webhook_host": "must be an address to listen on",
        "telegram_webhook_port": "must be a port from 0 to 65535",
        "telegram_health_port": "must be a port from 1 to 65535, or 0 for none",
        "telegram_owner": "must be the id of a person at Telegram, a number, or 0 for nobody",
        "telegram_app": "must be the short name of an app from BotFather's /newapp, or empty",
        "engine_url": "must be an http or https URL",
        "engine_accounts_key": "must be the engine's key of that name, or empty where it has none",
        "engine_api_key": "must be one of the engine's keys, or empty where it has none",
    }

    telegram_token: Annotated[str, Meta(pattern="^([0-9]+:[A-Za-z0-9_-]+)?$")] = ""
    """The bot's token. Empty: the bot waits, and logs it once."""
    telegram_api_url: Url = "https://api.telegram.org"
    """Bot API server: Telegram's, your own, or an emulator."""
    telegram_webhook_url: Annotated[str, Meta(pattern="^(https?://[^\\s]+)?$")] = ""
    """URL to which Telegram delivers updates. Empty: long polling."""
    telegram_webhook_secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,256}$")] = ""
    """Secret that shows the bot that a delivery comes from Telegram."""
    telegram_webhook_host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    """Address on which the bot listens for webhooks and probes."""
    telegram_webhook_port: Annotated[int, Meta(ge=0, le=65_535)] = 8090
    """Port for Telegram's deliveries."""
    telegram_health_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """Port of the bot's `/healthz` and `/readyz`, at `telegram_webhook_host`."""
    telegram_owner: Annotated[int, Meta(ge=0, lt=2**52)] = 0
    """Telegram id of the bot's owner: `/help` explains the setup to this person only."""
    telegram_app: Annotated[str, Meta(pattern="^([A-Za-z][A-Za-z0-9_]{2,29})?$")] = ""
    """Short name of the Mini App, from BotFather's /newapp. The app is the page at `public_url`."""
    engine_url: Url = "http://127.0.0.1:8080"
    """Address of the engine."""
    engine_api_key: Annotated[str, Meta(pattern="^([\\x21-\\x2b\\x2d-\\x7e]{16,128})?$")] = ""
    """Key for opening tables, if the engine requires one."""
    engine_accounts_key: Annotated[str, Meta(pattern="^([A-Za-z0-9._~+/-]{16,126}={0,2})?$")] = ""
    """Key that lets the bot charge each request to a chat's account, so that each chat has its own rate limits."""
    redis_url: RedisUrl = ""
    """Empty: an embedded Redis, whose data ends with the process."""


def load(environment: Mapping[str, str]) -> BotSettings:
    """Return the bot's settings from environment variables. Raises `SettingsError`."""
    bot_settings = settings.read(BotSettings, environment)
    if bot_settings.telegram_webhook_url and not bot_settings.telegram_webhook_secret:
        raise SettingsError(f"TELEGRAM_WEBHOOK_SECRET {BotSettings.EXPECTATIONS['telegram_webhook_secret']}.")
    if bot_settings.telegram_app and not bot_settings.public_url.startswith("https://"):
        raise SettingsError("TELEGRAM_APP needs PUBLIC_URL, the https address at which the page is served.")
    return bot_settings
