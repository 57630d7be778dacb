"""Sends notices to subscribed servers, signed as Standard Webhooks."""

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from locanda import messages
from services.engine.outbound.answers import Post
from services.engine.outbound.signing import signed
from services.engine.service.notices import Attempt, Notice, Recipient, attempt
from services.engine.table.news import News

GONE = (410,)

_encoder = msgspec.json.Encoder()


class Webhooks:
    """Sends notices as webhooks."""

    def __init__(self, post: Post, now: Callable[[], int]) -> None:
        self._post = post
        self._now = now

    async def send(self, recipient: Recipient, notice: Notice) -> Attempt:
        """Send a notice. Any 2xx response means that the notice was delivered."""
        body = _encoder.encode(body_of(notice))
        headers = signed(recipient.secret, notice.id, self._now() // 1000, body)
        return await attempt(self._post, recipient.url, body, headers, gone=GONE)


def body_of(notice: Notice) -> messages.WebhookNotice:
    """Return the body of a webhook for a notice."""
    at = datetime.fromtimestamp(notice.at / 1000, UTC)
    return messages.WebhookNotice(notice.news.type, at, _data(notice.news))


def _data(news: News) -> messages.NoticeData:
    if news.at is not None:
        return messages.NoticeData(news.table, game=news.game, at=datetime.fromtimestamp(news.at / 1000, UTC))
    if not news.version:
        return messages.NoticeData(news.table)
    return messages.NoticeData(news.table, news.version, news.game, news.match, news.deal or None, news.seat)
