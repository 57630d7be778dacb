"""Subscriptions to notices of a table. Each belongs to a seat, whose token creates, lists and ends the subscription."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import get_args
from urllib.parse import urlsplit

from msgspec import UNSET, structs

from locanda import messages
from locanda.messages import Language
from services.engine.errors import ProblemError
from services.engine.outbound.addresses import Network
from services.engine.outbound.push import browser_keys
from services.engine.outbound.targets import push_service_of, refusal_of
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.service.errors import NoSuchTableError
from services.engine.service.notices import (
    EVENING_KINDS,
    KINDS,
    DeliveryRecord,
    Recipient,
    decode_delivery,
    decode_recipient,
    encode,
    notice_id,
)
from services.engine.service.queries import Queries
from services.engine.service.validation import ImpossibleError
from services.engine.store import Store
from services.engine.store.notices import NoticeSubscription
from services.engine.table.news import test_of
from services.engine.table.state import AnyTable, TableError

MOST_OF_TABLE, MOST_OF_SEAT = 40, 4
NOTICES = 3_072
"""Bytes that a subscription with its notices and deliveries counts for, in addition to twice its recipient's size."""
HTTPS = 443
"""Port of push services."""
ID_BYTES = 16
"""Bytes of a subscription's id, which has 22 characters."""


class Subscriptions:
    """The API calls about subscriptions."""

    def __init__(self, store: Store, queries: Queries, *, webhooks: bool, listed: Sequence[Network]) -> None:
        """`webhooks`: whether webhooks are enabled. `listed`: private networks to which webhooks may also be sent."""
        self._store = store.notices
        self._deliveries = store.deliveries
        self._holdings = store.holdings
        self._evenings = store.evenings
        self._queries = queries
        self.webhooks = webhooks
        self._listed = listed
        self.push_key: str | None = None
        """The key with which browsers subscribe. None if pushes are disabled, and until the key has been read from
        Redis.
        """

    async def subscribe(
        self, table: str, token: str | None, body: messages.Subscribe, account: Group
    ) -> messages.Subscribed:
        """Subscribe a seat to notices of a table, or change its subscription for the same URL.

        The `account` identifies the subscriber in the fair queue of notices.

        Raises the errors of `Queries.access`, `ImpossibleError` for a URL that notices cannot be sent to, and
        `TableError`: `notices_off` if the operator does not allow them, `too_many_subscriptions` above the limit.
        """
        state, seat = await self._seat(table, token)
        recipient = structs.replace(self._recipient(body), asker=account)
        number = _number(seat, recipient.url)
        kinds = "".join(KINDS[type_] for type_ in KINDS if type_ in body.types)
        of_evenings = "".join(EVENING_KINDS[type_] for type_ in EVENING_KINDS if type_ in body.types)
        subscription = NoticeSubscription(seat, body.whole_table, kinds, encode(recipient))
        await self._holdings.admit(state.opener, 2 * len(subscription.recipient) + NOTICES)
        outcome = await self._store.subscribe(
            table, number, subscription, most=MOST_OF_TABLE, most_of_seat=MOST_OF_SEAT, opener=state.opener
        )
        if outcome == "no_table":
            raise NoSuchTableError
        if outcome != "stored":
            raise TableError("too_many_subscriptions", most=MOST_OF_SEAT if outcome == "seat_full" else MOST_OF_TABLE)
        if of_evenings:
            evenings, played = structs.replace(subscription, kinds=of_evenings), state.match.number > 1
            await self._evenings.subscribe(
                table, number, evenings, opener=state.opener, played=played or state.match.result is not None
            )
        else:
            await self._evenings.unsubscribe(table, number)
        secret = recipient.secret if recipient.channel == "webhook" else None
        return messages.Subscribed(_shown(number, subscription, kinds + of_evenings), secret)

    def _recipient(self, body: messages.Subscribe) -> Recipient:
        if body.url is not UNSET and body.browser is UNSET:
            return self._server(body.url)
        if body.browser is not UNSET and body.url is UNSET:
            return self._browser(body.browser, body.language)
        raise ImpossibleError("url", "exactly one of `url` and `browser` is required")

    def _server(self, url: str) -> Recipient:
        if not self.webhooks:
            raise TableError("notices_off")
        if refusal := refusal_of(url, self._listed):
            raise ImpossibleError("url", refusal)
        return Recipient("webhook", url, f"whsec_{b64encode(tokens.new_secret()).decode()}")

    def _browser(self, browser: messages.PushBrowser, language: Language) -> Recipient:
        if self.push_key is None:
            raise TableError("notices_off")
        if not self._is_push_service(browser.endpoint):
            raise ImpossibleError("browser.endpoint", "it must be an address at a push service")
        try:
            browser_keys(browser.p256dh, browser.auth)
        except ValueError:
            raise ImpossibleError("browser.p256dh", "these are not the keys of a browser") from None
        return Recipient("push", browser.endpoint, f"{browser.p256dh}.{browser.auth}", language)

    def _is_push_service(self, url: str) -> bool:
        """Return whether a URL belongs to a push service or, with http, to a server in a listed network."""
        if url.startswith("http:"):
            return refusal_of(url, self._listed) is None
        try:
            parts = urlsplit(url)
            return parts.port in (None, HTTPS) and push_service_of(parts.hostname or "") is not None
        except ValueError:
            return False

    async def list(self, table: str, token: str | None) -> messages.SubscriptionList:
        """Return the subscriptions of the token's seat."""
        _, seat = await self._seat(table, token)
        subscriptions, evenings = await self._store.subscriptions(table), await self._evenings.subscriptions(table)
        kinds = {
            number: entry.kinds + (evenings[number].kinds if number in evenings else "")
            for number, entry in subscriptions.items()
        }
        return messages.SubscriptionList(
            [_shown(number, entry, kinds[number]) for number, entry in subscriptions.items() if entry.seat == seat]
        )

    async def test(self, table: str, token: str | None, number: str) -> messages.WaitingNotice:
        """Queue a test notice, or return the one that is waiting. Raises the errors of `unsubscribe`."""
        news = test_of(await self._own(table, token, number))
        at = await self._deliveries.test(table, number, encode(news))
        if at is None:
            raise TableError("no_such_subscription")
        self._store.note_new()
        return messages.WaitingNotice(notice_id(number, news, at))

    async def deliveries(self, table: str, token: str | None, number: str) -> messages.DeliveryList:
        """Return the outcomes of a subscription's latest notices. Raises the errors of `unsubscribe`."""
        await self._own(table, token, number)
        last = map(decode_delivery, await self._deliveries.last(table, number))
        return messages.DeliveryList([_delivery_message(delivery) for delivery in last if delivery])

    async def unsubscribe(self, table: str, token: str | None, number: str) -> messages.SubscriptionList:
        """End a subscription of the seat, and return its others. Raises `TableError` `no_such_subscription`."""
        await self._own(table, token, number)
        await self._store.unsubscribe(table, number)
        await self._evenings.unsubscribe(table, number)
        return await self.list(table, token)

    async def _own(self, table: str, token: str | None, number: str) -> AnyTable:
        """Return the table if the token's seat has this subscription, or raise `no_such_subscription`."""
        accessed, seat = await self._seat(table, token)
        subscription, _ = await self._store.subscription(table, number)
        if subscription is None or subscription.seat != seat:
            raise TableError("no_such_subscription")
        return accessed

    async def _seat(self, table: str, token: str | None) -> tuple[AnyTable, bytes]:
        """Return the table, and the digest of a seat's token. Raises `ProblemError` `no_token` without a token."""
        accessed = await self._queries.access(table, token)
        if token is None or accessed.seat is None:
            raise ProblemError("no_token")
        return accessed.table, tokens.digest(token)


def _number(seat: bytes, url: str) -> str:
    """Return the id of a subscription. It depends only on seat and URL, so a retry does not create a second one."""
    return urlsafe_b64encode(sha256(seat + url.encode()).digest()[:ID_BYTES]).rstrip(b"=").decode()


def _shown(number: str, subscription: NoticeSubscription, kinds: str) -> messages.TableSubscription:
    recipient = decode_recipient(subscription.recipient)
    url = recipient.url if recipient.channel == "webhook" else None
    kind_of = {**KINDS, **EVENING_KINDS}
    types = [type_ for type_ in get_args(messages.NoticeType) if kind_of[type_] in kinds]
    return messages.TableSubscription(number, url, types, subscription.whole)


def _delivery_message(delivery: DeliveryRecord) -> messages.Delivery:
    at = datetime.fromtimestamp(delivery.at / 1000, UTC)
    return messages.Delivery(delivery.notice, delivery.type, at, delivery.failure)
