"""Signs the engine's notices as Standard Webhooks (standardwebhooks.com), for which receivers have libraries."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256


def signed(secret: str, message_id: str, seconds: int, body: bytes) -> Mapping[str, str]:
    """Return the headers that authenticate a body and the time when it was sent.

    `message_id` stays the same if the message is sent again; `seconds` are seconds since 1970.
    """
    content = b".".join((message_id.encode(), str(seconds).encode(), body))
    digest = hmac.digest(b64decode(secret.removeprefix("whsec_")), content, sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }
