"""The calls to have a table's notices sent to a server, or pushed to a browser."""

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
    """Have notices of a table sent to a server, or pushed to a browser.

    Where the operator lets people do so: `webhooks` of `GET /v1/server`. A notice comes for each turn of the bearer's
    seat, or of every person, for the end of each match, and when the table is closed: a `POST` with a `WebhookNotice`,
    signed as [Standard Webhooks](https://www.standardwebhooks.com/) lay down with the secret in the answer, which is
    shown this once. No card is in it. It is tried again, each time after twice as long, until the receiver answers 2xx,
    at most for a day; one whose turn has passed is not sent. Notices take turns by the client that has subscribed, and
    then by where they go; where more than 256 of a client wait for one server, or 1,024 in all, the oldest are dropped.
    After a crash one may come twice, with the same `webhook-id`. 410 ends the subscription, as does leaving the table.
    The same seat and URL have one subscription: asked for again, it gets another secret. With `push_key` of `GET
    /v1/server` a browser subscribes to pushes (`PushManager.subscribe`); what it gets is given as `browser`.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.subscribe(table, token, body, account)


@calls.read(NOTICES, PATH)
async def subscriptions(context: AppContext, *, table: str, token: str) -> messages.SubscriptionList:
    """The subscriptions of the bearer's seat."""
    return await context.subscriptions.list(table, token)


@calls.call(NOTICES, "DELETE", f"{PATH}/{{subscription}}")
async def unsubscribe(context: AppContext, *, table: str, subscription: str, token: str) -> messages.SubscriptionList:
    """End a subscription.

    The answer lists the others.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.unsubscribe(table, token, subscription)


@calls.call(NOTICES, "POST", f"{PATH}/{{subscription}}/test")
async def test_subscription(
    context: AppContext, *, table: str, subscription: str, token: str
) -> messages.WaitingNotice:
    """Have a test notice sent.

    A notice of the type `test` is sent once, in its turn among the others, whatever the subscription's types are;
    `deliveries` then says what came of it. One waits at a time: until it is sent, the answer stays the same.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.test(table, token, subscription)


@calls.read(NOTICES, f"{PATH}/{{subscription}}/deliveries")
async def deliveries(context: AppContext, *, table: str, subscription: str, token: str) -> messages.DeliveryList:
    """What came of the last notices of a subscription.

    The last ten attempts to deliver a notice, newest first, with the class of a failure alone: neither the status nor
    the text of an answer is shown. They go with the subscription.
    """
    return await context.subscriptions.deliveries(table, token, subscription)


@calls.call(
    NOTICES, "PUT", f"{TABLE_PATH}/evening", problems=("impossible",), client=ClientCall(unpacks=("game", "at"))
)
async def set_evening(
    context: AppContext, *, table: str, body: messages.SetEvening, token: str
) -> messages.NextEvening:
    """Set when a table's people meet again.

    Subscribers to `invitation` at the table get a notice a day before, or at once where that is past, and subscribers
    to `evening` half an hour before: each once, however often the same is set. They hear of it though the table has
    expired by then: as long as an evening is set and a day after it, and with none set until 35 days after the last
    match. When everybody has left the table, nobody does any more. Anybody with a seat at the table may set it; once
    the table has expired, its last setter may set it again. Another time, or null, takes the place of the one
    before, whose notices are not sent any more.
    """
    context.limits.write(f"{table} {token}")
    return await context.evenings.set(table, token, body)
