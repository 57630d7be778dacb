"""Authentication of the Mini App's calls by Telegram's signed launch data, and the fields common to all calls."""

import hmac
from hashlib import sha256
from typing import Annotated
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from locanda.translations import Language, nearest_language
from services.telegram.handlers.context import BotContext
from services.telegram.records import ChatTable
from services.telegram.updates import TelegramUser

# --- launch data (Bot API, "Validating data received via the Mini App")

LONGEST_INIT_DATA = 8192
"""Maximum length of launch data; Telegram sends a few hundred characters."""
LONGEST_AGE = 24 * 3600
"""Seconds for which launch data are valid. Telegram's desktop client reuses them when the app is reopened."""
CLOCK_SKEW = 300
"""Tolerance in seconds for a clock of Telegram that is ahead of this machine's clock."""


class InitDataError(Exception):
    """Launch data are forged, damaged or too old. `code` is the page's problem code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class InitData(Struct, frozen=True):
    """The verified content of launch data."""

    user: TelegramUser
    """The person who opened the Mini App (Bot API, WebAppUser)."""
    start_param: str | None
    """The value of `startapp` in the link; None if a button in a private chat opened the app."""


def verified(text: str, token: str, now: float) -> InitData:
    """Verify launch data at `now` (Unix seconds) and return their content. Raises `InitDataError`.

    The hash covers every other field, `signature` among them.
    """
    if len(text) > LONGEST_INIT_DATA:
        raise InitDataError("bad_init_data")
    try:
        fields = dict(parse_qsl(text, keep_blank_values=True, strict_parsing=True))
        signature_sent = fields.pop("hash")
    except (ValueError, KeyError):
        raise InitDataError("bad_init_data") from None
    if not hmac.compare_digest(signature_sent.encode(errors="replace"), signature(fields, token).encode()):
        raise InitDataError("bad_init_data")
    try:
        user = msgspec.json.decode(fields["user"], type=TelegramUser)
        age = now - int(fields["auth_date"])
    except (ValueError, KeyError):
        raise InitDataError("bad_init_data") from None
    if not -CLOCK_SKEW <= age <= LONGEST_AGE:
        raise InitDataError("expired_init_data")
    return InitData(user, fields.get("start_param") or None)


def signature(fields: dict[str, str], token: str) -> str:
    """Return the signature of launch data: Telegram's HMAC of all fields except `hash`."""
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    key = hmac.digest(b"WebAppData", token.encode(), sha256)
    return hmac.digest(key, lines.encode(errors="replace"), sha256).hex()


# --- calls


class AppRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields in the body of every call."""

    init_data: str
    """Telegram's launch data, unchanged."""
    table: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The bot's reference for the table, if the launch data have none: a button in a private chat opened the app."""
    language: Language | None = None
    """The page's language; null for the person's language in Telegram."""


class AppCaller(Struct, frozen=True):
    """A caller and their table."""

    user: TelegramUser
    chat_table: ChatTable
    language: Language
    """Language of the answer's texts."""

    @property
    def ref(self) -> str:
        """The bot's reference for the table."""
        return self.chat_table.ref


def language_of(launched: InitData, wanted: AppRequest) -> Language:
    """Return the language in which a call is answered."""
    return wanted.language or nearest_language(launched.user.language_code)


async def caller_of(context: BotContext, launched: InitData, wanted: AppRequest) -> AppCaller:
    """Return the caller. Raises `ActionRefusedError` if the table does not exist or the person may not see it."""
    lookup = context.tables.lookup
    chat_table = await lookup.chat_table(launched.start_param or wanted.table or "")
    if launched.start_param is None:
        # The table's reference is not signed, so only the people seated there may see it.
        await lookup.require_seated(chat_table, launched.user.id)
    return AppCaller(launched.user, chat_table, language_of(launched, wanted))
