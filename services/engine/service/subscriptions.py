"""Who has subscribed to a table: made, listed and ended with a seat's token, which each subscription belongs to."""

from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256

from locanda import messages
from locanda.messages import NoticeType
from services.engine.service import tokens
from services.engine.service.errors import NoSuchTableError, NoTokenError
from services.engine.service.notices import KINDS, Recipient, decode_recipient, encode_recipient
from services.engine.service.queries import Queries
from services.engine.service.validation import ImpossibleError
from services.engine.store.notices import NoticeStore, NoticeSubscription
from services.engine.table.state import TableError

MOST_OF_TABLE, MOST_OF_SEAT = 40, 4
ID_BYTES = 16
"""Of a subscription's id: 22 characters."""


class Subscriptions:
    """The calls on subscriptions."""

    def __init__(self, store: NoticeStore, queries: Queries, *, webhooks: bool, http: bool) -> None:
        """`webhooks`: whether there are any; `http`: whether one may go by http, into networks that are listed."""
        self._store = store
        self._queries = queries
        self.webhooks = webhooks
        self._http = http

    async def subscribe(self, table: str, token: str | None, asked: messages.Subscribe) -> messages.Subscribed:
        """Subscribe to a table, or change the subscription of the same seat for the same URL.

        Raises as `Queries.access` does, `ImpossibleError`, and `TableError` `notices_off`, `too_many_subscriptions`.
        """
        seat = await self._seat(table, token)
        if not self.webhooks:
            raise TableError("notices_off")
        if asked.url.startswith("http:") and not self._http:
            raise ImpossibleError("url", "it must begin with https:")
        recipient = Recipient("webhook", asked.url, f"whsec_{b64encode(tokens.new_secret()).decode()}")
        number = _number(seat, recipient.url)
        kinds = "".join(KINDS[each] for each in KINDS if each in asked.types)
        subscription = NoticeSubscription(seat, asked.whole_table, kinds, encode_recipient(recipient))
        outcome = await self._store.subscribe(
            table, number, subscription, most=MOST_OF_TABLE, most_of_seat=MOST_OF_SEAT
        )
        if outcome == "no_table":
            raise NoSuchTableError
        if outcome != "stored":
            raise TableError("too_many_subscriptions", most=MOST_OF_SEAT if outcome == "seat_full" else MOST_OF_TABLE)
        return messages.Subscribed(_shown(number, subscription, recipient), recipient.secret)

    async def list(self, table: str, token: str | None) -> messages.SubscriptionList:
        """Return the subscriptions of the token's seat."""
        seat = await self._seat(table, token)
        found = (await self._store.subscriptions(table)).items()
        return messages.SubscriptionList(
            [_shown(number, each, decode_recipient(each.recipient)) for number, each in found if each.seat == seat]
        )

    async def unsubscribe(self, table: str, token: str | None, number: str) -> messages.SubscriptionList:
        """End a subscription, and return the others. Raises `TableError` `no_such_subscription`."""
        seat = await self._seat(table, token)
        found, _ = await self._store.subscription(table, number)
        if found is None or found.seat != seat:
            raise TableError("no_such_subscription")
        await self._store.unsubscribe(table, number)
        return await self.list(table, token)

    async def _seat(self, table: str, token: str | None) -> bytes:
        """Return the digest of a token that is a seat's."""
        accessed = await self._queries.access(table, token)
        if token is None or accessed.seat is None:
            raise NoTokenError
        return tokens.digest(token)


def _number(seat: bytes, url: str) -> str:
    """Return the id of a subscription: the same for the same seat and URL, so that a retry makes no second one."""
    return urlsafe_b64encode(sha256(seat + url.encode()).digest()[:ID_BYTES]).rstrip(b"=").decode()


def _shown(number: str, subscription: NoticeSubscription, recipient: Recipient) -> messages.TableSubscription:
    types: list[NoticeType] = [each for each, kind in KINDS.items() if kind in subscription.kinds]
    return messages.TableSubscription(number, recipient.url, types, subscription.whole)
