"""Calls to subscribe to notices of a table, sent to a server or pushed to a browser, and to set its next evening."""

from locanda import messages
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import NOTICES, TABLE_PATH, ClientCall
from services.engine.http.server.context import AppContext
from services.engine.service.accounts import Group

PATH = f"{TABLE_PATH}/subscriptions"

calls = Calls()


@calls.call(NOTICES, "POST", PATH, problems=("impossible", "notices_off", "too_many_subscriptions"))
async def subscribe(
    context: AppContext, *, table: str, body: messages.Subscribe, token: str, account: Group
) -> messages.Subscribed:
    """Subscribe to notices of a table, sent to a server or pushed to a browser.

    Only if the operator allows it: see `webhooks` of `GET /v1/server`. You get a notice for each turn of the token's
    seat, or of every person, for the end of each match, and when the table is closed. It is a `POST` with a
    `WebhookNotice` without cards, signed as [Standard Webhooks](https://www.standardwebhooks.com/) with the secret in
    the response, which is shown only once. A notice that does not get 2xx is sent again with increasing pauses, for at
    most a day, and not after its turn has passed. Notices are sent in turns by subscriber, then by target. If more than
    256 of a client wait for one server, or 1,024 in all, the oldest are dropped. After a crash a notice may be
    repeated, with the same `webhook-id`. A response 410 ends the subscription, as does leaving the table. A seat has
    one subscription for each URL; subscribing again changes its secret. A browser subscribes with `push_key` of `GET
    /v1/server` (`PushManager.subscribe`); send the result as `browser`.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.subscribe(table, token, body, account)


@calls.read(NOTICES, PATH)
async def subscriptions(context: AppContext, *, table: str, token: str) -> messages.SubscriptionList:
    """List the subscriptions of the token's seat."""
    return await context.subscriptions.list(table, token)


@calls.call(NOTICES, "DELETE", f"{PATH}/{{subscription}}")
async def unsubscribe(context: AppContext, *, table: str, subscription: str, token: str) -> messages.SubscriptionList:
    """End a subscription.

    The response lists the seat's remaining subscriptions.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.unsubscribe(table, token, subscription)


@calls.call(NOTICES, "POST", f"{PATH}/{{subscription}}/test")
async def test_subscription(
    context: AppContext, *, table: str, subscription: str, token: str
) -> messages.WaitingNotice:
    """Send a test notice.

    A notice of type `test` is sent once, in its turn, even if the subscription does not include that type. After that,
    `deliveries` has its outcome. Only one test notice can wait at a time.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.test(table, token, subscription)


@calls.read(NOTICES, f"{PATH}/{{subscription}}/deliveries")
async def deliveries(context: AppContext, *, table: str, subscription: str, token: str) -> messages.DeliveryList:
    """List the outcomes of a subscription's latest notices.

    These are the last ten attempts to deliver a notice, newest first. Failures have a class, but neither status nor
    text of the response. They are deleted with the subscription.
    """
    return await context.subscriptions.deliveries(table, token, subscription)


@calls.call(
    NOTICES, "PUT", f"{TABLE_PATH}/evening", problems=("impossible",), client=ClientCall(unpacks=("game", "at"))
)
async def set_evening(
    context: AppContext, *, table: str, body: messages.SetEvening, token: str
) -> messages.NextEvening:
    """Set the next evening of a table's people.

    An evening is a time to play again. Subscribers to `invitation` at the table get a notice a day before, or
    immediately if that is past; subscribers to `evening` half an hour before. Setting the same evening again sends
    nothing twice. Subscriptions outlive the table: until a day after the evening or, without one, until 35 days after
    the last match. They end when everybody has left the table. Anyone with a seat may set the evening; after the table
    has expired, only the person who last set it. Another time, or null, replaces the evening and cancels its notices.
    """
    context.limits.write(f"{table} {token}")
    return await context.evenings.set(table, token, body)
