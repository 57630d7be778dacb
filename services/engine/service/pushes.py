"""Sends notices to subscribed browsers, through the push services of the browsers' makers."""

from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import urlsplit

import msgspec

from locanda.texts.notices import notice_title
from locanda.translations import translations_in
from services.engine import catalogue
from services.engine.outbound.answers import Post
from services.engine.outbound.push import SenderKey, browser_keys, encrypted
from services.engine.service.notices import Attempt, Notice, Recipient, attempt

GONE = (404, 410)
KEPT_SECONDS = 12 * 3600
"""Seconds for which a push service stores a notice for an offline browser."""
NOBODY = "https://locanda.example.org"
"""Contact address for push services if the installation has none. Some services require one."""


class Pushes:
    """Sends notices by Web Push."""

    def __init__(self, post: Post, now: Callable[[], int], key: SenderKey, public_url: str) -> None:
        self._post = post
        self._now = now
        self._key = key
        self._subject = public_url if public_url.startswith("https:") else NOBODY

    async def send(self, recipient: Recipient, notice: Notice) -> Attempt:
        """Send a notice. It counts as sent when the push service has accepted it."""
        parts = urlsplit(recipient.url)
        service = f"{parts.scheme}://{parts.netloc}"
        headers = {
            "Authorization": self._key.authorization(service, self._subject, self._now() // 1000),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_SECONDS),
            "Topic": notice.news.table,  # while a browser is offline, a table's newer notice replaces the older one
            "Urgency": "high",
        }
        body = encrypted(msgspec.json.encode(shown(recipient, notice)), browser_keys(*recipient.secret.split(".")))
        return await attempt(self._post, recipient.url, body, headers, gone=GONE)


def shown(recipient: Recipient, notice: Notice) -> dict[str, str]:
    """Return the text of a browser notification, and its table. The browser formats the time of an evening itself."""
    game = catalogue.details(notice.news.game).name
    at = notice.news.at
    evening = (
        {} if at is None else {"at": datetime.fromtimestamp(at / 1000, UTC).isoformat(), "language": recipient.language}
    )
    return {
        "id": notice.id,
        "title": notice_title(notice.news.type, translations_in(recipient.language)),
        "body": game.it if recipient.language == "it" else game.en,
        "table": notice.news.table,
        **evening,
    }
