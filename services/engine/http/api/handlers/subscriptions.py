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

    If the operator allows it: see `webhooks` of `GET /v1/server`. You get a notice for each turn of the bearer's seat,
    or of every person, for the end of each match, and when the table is closed: a `POST` with a `WebhookNotice` without
    cards, signed after [Standard Webhooks](https://www.standardwebhooks.com/) with the secret in the response, which is
    shown only once. A notice that does not get 2xx is repeated, each time after twice as long, for at most a day, and
    not after its turn has passed. Notices take turns by subscriber, then by target; if more than 256 of a client wait
    for one server, or 1,024 in all, the oldest are dropped. After a crash a notice may come twice, with the same
    `webhook-id`. 410 ends the subscription, as does leaving the table. A seat and URL have one subscription;
    subscribing again changes its secret. A browser subscribes to pushes with `push_key` of `GET /v1/server`
    (`PushManager.subscribe`); send the result as `browser`.
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

    The response lists the remaining ones.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.unsubscribe(table, token, subscription)


@calls.call(NOTICES, "POST", f"{PATH}/{{subscription}}/test")
async def test_subscription(
    context: AppContext, *, table: str, subscription: str, token: str
) -> messages.WaitingNotice:
    """Send a test notice.

    A notice of type `test` is sent once, in its turn, for any types of the subscription; `deliveries` then has its
    outcome. Only one waits at a time.
    """
    context.limits.write(f"{table} {token}")
    return await context.subscriptions.test(table, token, subscription)


@calls.read(NOTICES, f"{PATH}/{{subscription}}/deliveries")
async def deliveries(context: AppContext, *, table: str, subscription: str, token: str) -> messages.DeliveryList:
    """The outcomes of a subscription's last notices.

    The last ten attempts to deliver a notice, newest first. Failures have a class, but neither status nor text of the
    response. They are deleted with the subscription.
    """
    return await context.subscriptions.deliveries(table, token, subscription)


@calls.call(
    NOTICES, "PUT", f"{TABLE_PATH}/evening", problems=("impossible",), client=ClientCall(unpacks=("game", "at"))
)
async def set_evening(
    context: AppContext, *, table: str, body: messages.SetEvening, token: str
) -> messages.NextEvening:
    """Set the next evening of a table's people.

    Subscribers to `invitation` at the table get a notice a day before, or at once if that is past; subscribers to
    `evening` half an hour before. Setting the same evening again sends nothing twice. Subscriptions outlive the table:
    until a day after the evening or, without one, until 35 days after the last match. They end when everybody has left
    the table. Anyone with a seat at the table may set it; once the table has expired, only the last setter. Another
    time, or null, replaces the evening and cancels its notices.
    """
    context.limits.write(f"{table} {token}")
    return await context.evenings.set(table, token, body)
