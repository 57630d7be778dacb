"""Ids, tokens and secret roots: from the operating system's generator, or from the caller's own idempotency key."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from secrets import token_bytes, token_urlsafe

ID_BYTES = 16
SECRET_BYTES = 32


def new_table_id() -> str:
    """Return an unguessable id: 128 random bits in 22 characters."""
    return token_urlsafe(ID_BYTES)


def table_id_for(key: str) -> str:
    """Return the id that a retry with the same idempotency key finds again; as unguessable as the key is."""
    return _text(hashlib.sha256(b"table" + key.encode()).digest()[:ID_BYTES])


def beginning(table: str) -> str:
    """Return by what a table is named in logs: enough to find it in the store, too little to look at it."""
    return table[:6]


def new_token() -> str:
    """Return a bearer token: 256 random bits in 43 characters."""
    return token_urlsafe(SECRET_BYTES)


def token_for(key: str, nonce: bytes) -> str:
    """Return a token that only the holder of the idempotency key can get again, from a random nonce that is stored."""
    return _text(hmac.digest(key.encode(), nonce, "sha256"))


def new_secret() -> bytes:
    """Return 32 random bytes."""
    return token_bytes(SECRET_BYTES)


def digest(secret: str) -> bytes:
    """Return what is stored instead of a token or an idempotency key: its SHA-256."""
    return hashlib.sha256(secret.encode()).digest()


def _text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()
