"""Subscriptions, and the notices that they are sent."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.games.base import Count, SeatNumber
from locanda.messages.values import Language, Request, TableId

NoticeType = Literal["turn", "over", "closed", "invitation", "evening"]
"""A notice's subject: a turn has come, a match is over, the table is closed; the table's people meet again within a
day, or within half an hour."""
SentNoticeType = Literal[NoticeType, "test"]
"""The subject of a sent notice; `test` has none: its seat tests whether notices arrive."""
DeliveryFailure = Literal["refused", "late", "unreachable", "broken", "too_big", "status"]
"""Why a notice has not arrived: the address is none to which the engine sends; no answer came within ten seconds;
nothing listens there, or its certificate is not its own; the connection ended, or what came was no HTTP; the answer was
larger than 64 KiB; its status was none of 2xx."""
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
    """A browser that takes pushes: its `PushSubscription`."""

    endpoint: WebhookUrl
    """Its address at a push service."""
    p256dh: Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]
    """Its public key, in base64."""
    auth: Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]+=*$")]
    """The secret that it shares, in base64."""


class Subscribe(Request, frozen=True):
    """Has notices of a table sent to a URL, or pushed to a browser: exactly one of them is given."""

    url: WebhookUrl | UnsetType = UNSET
    """Where they are sent."""
    browser: PushBrowser | UnsetType = UNSET
    """The browser for pushes."""
    language: Language = "en"
    """The language of pushes."""
    types: Annotated[tuple[NoticeType, ...], Meta(min_length=1, max_length=5)] = ("turn", "over", "closed")
    """Which notices are sent."""
    whole_table: bool = False
    """Whether every person's turn makes a notice, not just the turns of your own seat."""


class TableSubscription(Struct, frozen=True):
    """Where notices of a table go, and which."""

    id: SubscriptionId
    """The subscription's id."""
    url: str | None
    """Where they are sent; null for a browser."""
    types: list[NoticeType]
    """Which notices are sent."""
    whole_table: bool
    """Whether every person's turn is one."""


class Subscribed(Struct, frozen=True):
    """A subscription, and the secret with which its receiver verifies the sender."""

    subscription: TableSubscription
    """The current subscription."""
    secret: str | None
    """The secret of the signatures, `whsec_` and base64, as Standard Webhooks have it: shown this once. Null for a
    browser."""


class SubscriptionList(Struct, frozen=True):
    """The subscriptions of a seat."""

    subscriptions: list[TableSubscription]
    """All subscriptions of the seat."""


class WaitingNotice(Struct, frozen=True):
    """A notice that waits to be sent."""

    id: str
    """Its id, which `webhook-id` and `deliveries` have."""


class Delivery(Struct, frozen=True):
    """An attempt to deliver a notice."""

    id: str
    """The notice's id: that of its header `webhook-id`."""
    type: SentNoticeType
    """The notice's subject."""
    at: Annotated[datetime, Meta(tz=True)]
    """When the attempt ended, in UTC."""
    failure: DeliveryFailure | None
    """Why it has not arrived; null if it has."""


class DeliveryList(Struct, frozen=True):
    """The last attempts to deliver notices of a subscription."""

    deliveries: list[Delivery]
    """At most ten, newest first."""


EVENING_DAYS = 35
"""How many days ahead an evening may be at most."""


class SetEvening(Request, frozen=True):
    """When the people of a table meet again."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    """The game that they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When it begins, at most 35 days ahead; null for no evening, or for one that is called off."""


class NextEvening(Struct, frozen=True):
    """When the people of a table meet again."""

    game: str
    """The game that they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When it begins, in UTC; null for no evening."""


class NoticeData(Struct, frozen=True, omit_defaults=True):
    """News of a table. For more, read the table."""

    table: TableId
    """The table at which it happened."""
    version: Count | None = None
    """The table's version at which it happened; left out of a table that has expired, as is all below."""
    game: str | None = None
    """The game that is played."""
    match: Count | None = None
    """The number of the match, counted from 1."""
    deal: Count | None = None
    """The number of the deal in the match, counted from 1; left out before the first one."""
    seat: SeatNumber | None = None
    """The seat whose turn has come; left out of other notices."""
    at: Annotated[datetime, Meta(tz=True)] | None = None
    """When the table's people meet again, in UTC; left out of notices of other things than an evening."""


class WebhookNotice(Struct, frozen=True):
    """The body of a webhook. Its header `webhook-id` is the same whenever it is sent again."""

    type: SentNoticeType
    """The event; `test` for a test notice."""
    timestamp: Annotated[datetime, Meta(tz=True)]
    """When it happened, in UTC."""
    data: NoticeData
    """Where and when it happened."""
