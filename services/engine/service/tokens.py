"""Table ids, bearer tokens and secrets: random, or derived from the caller's idempotency key."""

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
    """Return the table id for an idempotency key: the same for every retry, and as unguessable as the key."""
    return _text(hashlib.sha256(b"table" + key.encode()).digest()[:ID_BYTES])


def short_id(table: str) -> str:
    """Return the beginning of a table's id, for logs: long enough to find the table in Redis, too short to watch it."""
    return table[:6]


def new_token() -> str:
    """Return a bearer token: 256 random bits in 43 characters."""
    return token_urlsafe(SECRET_BYTES)


def token_for(key: str, nonce: bytes) -> str:
    """Return the token derived from an idempotency key and a stored nonce. Only the key's owner can get it again."""
    return _text(hmac.digest(key.encode(), nonce, "sha256"))


def fresh_token(key: str | None) -> tuple[str, bytes]:
    """Return a new token and its nonce. With an idempotency key, the token can be derived again from the nonce."""
    if key is None:
        return new_token(), b""
    nonce = new_secret()
    return token_for(key, nonce), nonce


def new_secret() -> bytes:
    """Return 32 random bytes."""
    return token_bytes(SECRET_BYTES)


def digest(secret: str) -> bytes:
    """Return the SHA-256 of a token or an idempotency key. Only this digest is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()
