"""Signs the engine's notices by Standard Webhooks (standardwebhooks.com), for which receivers have libraries."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256


def signed(secret: str, message_id: str, seconds: int, body: bytes) -> Mapping[str, str]:
    """Return the headers that prove the sender and the time of a body.

    `message_id` is the same each time that a message is sent; `seconds` are since 1970.
    """
    content = b".".join((message_id.encode(), str(seconds).encode(), body))
    digest = hmac.digest(b64decode(secret.removeprefix("whsec_")), content, sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }
