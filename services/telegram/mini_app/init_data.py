"""Who has opened the Mini App: Telegram's signed launch data (Bot API, "Validating data received via the Mini App")."""

import hmac
from hashlib import sha256
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from services.telegram.updates import TelegramUser

LONGEST = 8192
"""Bytes of launch data at most: Telegram's have some hundred."""
LONGEST_AGE = 24 * 3600
"""Seconds for which launch data are good: Telegram's desktop app uses them again when the app is reopened."""
CLOCK_SKEW = 300
"""Seconds by which Telegram's clock may be ahead of ours."""


class InitDataError(Exception):
    """Launch data are forged, damaged or too old: `code` says which, for the page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class InitData(Struct, frozen=True):
    """The verified content of launch data."""

    user: TelegramUser
    """The person who has opened the Mini App (Bot API, WebAppUser)."""
    start_param: str | None
    """The value of `startapp` in the link; None where the app was opened by a button of a private chat."""


def verified(text: str, token: str, now: float) -> InitData:
    """Verify launch data at `now` (Unix seconds) and return their content. Raises `InitDataError`.

    The hash covers every other field, `signature` among them.
    """
    if len(text) > LONGEST:
        raise InitDataError("bad_init_data")
    try:
        fields = dict(parse_qsl(text, keep_blank_values=True, strict_parsing=True))
        given = fields.pop("hash")
    except (ValueError, KeyError):
        raise InitDataError("bad_init_data") from None
    if not hmac.compare_digest(given.encode(errors="replace"), signature(fields, token).encode()):
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
    """Return the hash, as Telegram computes it, of the fields without `hash`."""
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    key = hmac.digest(b"WebAppData", token.encode(), sha256)
    return hmac.digest(key, lines.encode(errors="replace"), sha256).hex()
