"""Notices to subscribers: built from a table's commit, and stored with their recipients until they are sent."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from locanda.messages import DeliveryFailure, Language
from services.engine.outbound.answers import OutboundError, Post
from services.engine.service.accounts import Group
from services.engine.store.errors import DamagedError
from services.engine.store.evenings import EveningKind
from services.engine.store.notices import NEW_TURN, Kind, news
from services.engine.table.news import News, NewsType, news_of
from services.engine.table.state import AnyTable, NewerReleaseError

SECONDS = 10.0
"""Timeout of a request in seconds, shorter than the claim on a notice."""
LONGEST_ANSWER = 1 << 16
KINDS: Mapping[NewsType, Kind] = {"turn": "t", "over": "o", "closed": "c"}
EVENING_KINDS: Mapping[NewsType, EveningKind] = {"invitation": "i", "evening": "e"}

Channel: TypeAlias = Literal["webhook", "push"]
Attempt: TypeAlias = Literal["sent", "gone"] | DeliveryFailure
"""`sent`, `gone` (the recipient no longer exists), or the reason to retry."""
Outcome: TypeAlias = Literal["sent", "gone", "failed", "dropped", "passed", "left", "given_up"]
"""The final outcome of a due notice: `sent`; `gone`; `failed`; `dropped` for newer ones; `passed` if its turn is over;
`left` if its person has left the table; `given_up` if it could not be delivered for too long."""


class Recipient(Struct, frozen=True, array_like=True):
    """Where a subscription's notices are sent."""

    channel: Channel
    url: str
    secret: str
    """The key that signs webhooks, or the keys that encrypt messages for a browser."""
    language: Language = "en"
    asker: Group = b""
    """The subscriber's group of clients; empty if an earlier release stored the recipient."""


class Notice(Struct, frozen=True):
    """A notice for one recipient."""

    id: str
    """The notice's id. It stays the same if the notice is sent again."""
    at: int
    """When the notice was written, in epoch milliseconds."""
    news: News


class DeliveryRecord(Struct, frozen=True, array_like=True):
    """The outcome of an attempt to send a notice."""

    notice: str
    type: NewsType
    at: int
    """When the attempt ended, in epoch milliseconds."""
    failure: DeliveryFailure | None = None


Send: TypeAlias = Callable[[Recipient, Notice], Awaitable[Attempt]]
Observe: TypeAlias = Callable[[Channel, Outcome, float], None]
"""Called with the channel, a notice's outcome, and the seconds since it was written."""

encode = msgspec.msgpack.Encoder().encode
"""Encodes the content of a notice, a recipient or a delivery, to store it."""
_news = msgspec.msgpack.Decoder(News)
_deliveries = msgspec.msgpack.Decoder(DeliveryRecord)
_recipients = msgspec.msgpack.Decoder(Recipient)


def encoded_news(before: AnyTable | None, after: AnyTable) -> bytes:
    """Return the encoded news of a transition, for its commit; empty if there is none."""
    item = news_of(before, after)
    if item is None:
        return b""
    if item.type == "turn" and item.seat is None:
        return news(NEW_TURN, b"", b"")
    seat = b"" if item.seat is None else after.seats[item.seat].token
    return news(KINDS[item.type], seat, encode(item))


def decode_news(content: bytes) -> News:
    """Return the news of a notice. Raises `DamagedError`, or `NewerReleaseError` for an unknown kind."""
    try:
        return _news.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise (NewerReleaseError() if _is_whole(content) else DamagedError()) from None


def _is_whole(content: bytes) -> bool:
    """Return whether content is well-formed msgpack."""
    try:
        msgspec.msgpack.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


def notice_id(subscription: str, news: News, at: int) -> str:
    """Return the id of a notice written at a time. It stays the same if the notice is sent again."""
    if news.type == "test":
        return f"{subscription}.t{at}"
    return f"{subscription}.{news.version if news.at is None else f'{EVENING_KINDS[news.type]}{news.at}'}"


def judged(attempt: Attempt) -> tuple[Outcome, DeliveryFailure | None]:
    """Return the outcome of an attempt, and the reason if the attempt failed."""
    match attempt:
        case "sent" | "gone":
            return attempt, None
        case failure:
            return "failed", failure


def decode_delivery(stored: bytes) -> DeliveryRecord | None:
    """Return a stored delivery, or None if this release cannot read it."""
    try:
        return _deliveries.decode(stored)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def decode_recipient(stored: bytes) -> Recipient:
    """Return a stored recipient. Raises `DamagedError` if its bytes are invalid."""
    try:
        return _recipients.decode(stored)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DamagedError from None


async def attempt(post: Post, url: str, body: bytes, headers: Mapping[str, str], *, gone: Collection[int]) -> Attempt:
    """Send a notice once. Any 2xx status means delivered; a status in `gone` ends the subscription."""
    try:
        answer = await post(url, body, headers, seconds=SECONDS, most_bytes=LONGEST_ANSWER)
    except OutboundError as error:
        return error.failure
    if answer.status in gone:
        return "gone"
    return "sent" if 200 <= answer.status < 300 else "status"
