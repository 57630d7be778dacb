"""Messages about subscriptions, and the notices that subscribers get."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.games.base import Count, SeatNumber
from locanda.messages.values import Language, Request, TableId

NoticeType = Literal["turn", "over", "closed", "invitation", "evening"]
"""Subject of a notice. `turn`: it is your turn. `over`: the match is over. `closed`: the table was closed.
`invitation`: the table's people meet again within a day. `evening`: they meet within half an hour."""
SentNoticeType = Literal[NoticeType, "test"]
"""Subject of a notice as sent. `test` is for a notice with which a seat tests delivery."""
DeliveryFailure = Literal["refused", "late", "unreachable", "broken", "too_big", "status"]
"""Why a notice was not delivered. `refused`: the engine does not send to this address. `late`: no response within ten
seconds. `unreachable`: nothing listens there, or the certificate is invalid. `broken`: the connection ended, or the
response was not HTTP. `too_big`: the response exceeded 64 KiB. `status`: the status was not 2xx."""
SubscriptionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22, description="A subscription's id.")]
WebhookUrl = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r'^https?://[A-Za-z0-9.\[\]:-]{1,260}([/?][!-"$-~]*)?$',
        description="Where notices are sent: https, without user, password and fragment.",
    ),
]


class PushBrowser(Request, frozen=True):
    """A browser's `PushSubscription`, to which notices are pushed."""

    endpoint: WebhookUrl
    """The browser's URL at a push service."""
    p256dh: Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]
    """The browser's public key, in base64."""
    auth: Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]+=*$")]
    """The browser's authentication secret, in base64."""


class Subscribe(Request, frozen=True):
    """Subscribes a URL or a browser to notices of a table; exactly one of `url` and `browser` must be set."""

    url: WebhookUrl | UnsetType = UNSET
    """The URL that notices are sent to."""
    browser: PushBrowser | UnsetType = UNSET
    """The browser that notices are pushed to."""
    language: Language = "en"
    """The language of pushed notices."""
    types: Annotated[tuple[NoticeType, ...], Meta(min_length=1, max_length=5)] = ("turn", "over", "closed")
    """The subjects to subscribe to."""
    whole_table: bool = False
    """Whether to send a notice for every person's turn, not only for those of your own seat."""


class TableSubscription(Struct, frozen=True):
    """A subscription: where notices of a table go, and which."""

    id: SubscriptionId
    """The subscription's id."""
    url: str | None
    """The URL that notices are sent to; null for a browser."""
    types: list[NoticeType]
    """The subjects that the subscription includes."""
    whole_table: bool
    """Whether notices are sent for every person's turn, not only for turns of the subscriber's seat."""


class Subscribed(Struct, frozen=True):
    """A subscription, with the secret to verify notices."""

    subscription: TableSubscription
    """The subscription as it is now."""
    secret: str | None
    """Secret for verifying signatures (Standard Webhooks): `whsec_` and base64. It is shown only once. Null for a
    browser."""


class SubscriptionList(Struct, frozen=True):
    """The subscriptions of a seat."""

    subscriptions: list[TableSubscription]
    """All subscriptions of the seat."""


class WaitingNotice(Struct, frozen=True):
    """A notice that is waiting to be sent."""

    id: str
    """The notice's id, as in the header `webhook-id` and in `deliveries`."""


class Delivery(Struct, frozen=True):
    """An attempt to deliver a notice."""

    id: str
    """The id of the notice, as in the header `webhook-id`."""
    type: SentNoticeType
    """The subject of the notice."""
    at: Annotated[datetime, Meta(tz=True)]
    """When the attempt ended, in UTC."""
    failure: DeliveryFailure | None
    """Why delivery failed; null if it succeeded."""


class DeliveryList(Struct, frozen=True):
    """The last attempts to deliver notices of a subscription."""

    deliveries: list[Delivery]
    """The attempts, at most ten, newest first."""


EVENING_DAYS = 35
"""Most days ahead for which an evening can be set."""


class SetEvening(Request, frozen=True):
    """Sets when the people of a table meet again."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    """The game that they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When they begin, at most 35 days ahead; null for no evening, or to cancel it."""


class NextEvening(Struct, frozen=True):
    """When the people of a table meet again."""

    game: str
    """The game that they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When they begin, in UTC; null if no evening is set."""


class NoticeData(Struct, frozen=True, omit_defaults=True):
    """An event at a table. Read the table for more."""

    table: TableId
    """The table's id."""
    version: Count | None = None
    """The table's version at that moment. This and all fields below are left out if the table has expired."""
    game: str | None = None
    """The game that is played."""
    match: Count | None = None
    """The number of the match, counted from 1."""
    deal: Count | None = None
    """The number of the deal in the match, counted from 1; left out before the first."""
    seat: SeatNumber | None = None
    """The seat that is on turn; only in notices of a turn."""
    at: Annotated[datetime, Meta(tz=True)] | None = None
    """When the table's people meet again, in UTC; only in notices of an evening."""


class WebhookNotice(Struct, frozen=True):
    """The body of a webhook. A repeated notice has the same header `webhook-id`."""

    type: SentNoticeType
    """The subject; `test` for a test notice."""
    timestamp: Annotated[datetime, Meta(tz=True)]
    """When the event happened, in UTC."""
    data: NoticeData
    """Where and when the event happened."""
