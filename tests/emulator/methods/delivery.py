"""getUpdates, and the methods of the webhook, which replaces it."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

from tests.emulator.refusals import OTHER_GET_UPDATES, TERMINATED_BY_WEBHOOK, WEBHOOK_IS_ACTIVE, bad_request, refusal
from tests.emulator.state import JSON
from tests.emulator.world import Webhook, World

LONGEST_POLL = 50


async def get_updates(world: World, params: JSON) -> list[JSON]:
    """Confirms the updates below the offset, then waits for new ones; a newer call ends an older one."""
    if world.webhook.url:
        raise refusal(409, WEBHOOK_IS_ACTIVE)
    world.updates.allow(params.get("allowed_updates"))
    offset = params.get("offset") or 0
    if offset:
        world.updates.confirm_below(offset)
    limit = min(max(params.get("limit") or 100, 1), 100)
    timeout = min(max(params.get("timeout") or 0, 0), LONGEST_POLL)
    if timeout and not world.updates.pending:
        await _wait(world, timeout)
    return [update.as_json() for update in world.updates.pending[:limit]]


async def _wait(world: World, seconds: float) -> None:
    end_poll(world, OTHER_GET_UPDATES)
    poll: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    world.poll = poll
    try:
        await world.changes.until(lambda: bool(world.updates.pending) or poll.done(), seconds)
        if poll.done():
            poll.result()
    finally:
        if world.poll is poll:
            world.poll = None


def end_poll(world: World, words: str) -> None:
    """Ends a running call of getUpdates with error 409."""
    if world.poll is not None and not world.poll.done():
        world.poll.set_exception(refusal(409, words))
        world.changes.notify()


def set_webhook(world: World, params: JSON) -> bool:
    """Sets the webhook's URL. Like Telegram's local server, this method accepts plain HTTP and any port."""
    url, secret = params.get("url") or "", params.get("secret_token") or ""
    if params.get("drop_pending_updates"):
        world.updates.drop()
    if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname):
        raise bad_request("invalid webhook URL specified")
    if len(secret) > 256:
        raise bad_request("secret token is too long")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", secret):
        raise bad_request("secret token contains unallowed characters")
    if url:
        end_poll(world, TERMINATED_BY_WEBHOOK)
    world.updates.allow(params.get("allowed_updates"))
    connections = min(max(params.get("max_connections") or 40, 1), 100)
    world.webhook = Webhook(url, secret, connections, bool(params.get("certificate")), params.get("ip_address"))
    world.changes.notify()
    return True


def delete_webhook(world: World, params: JSON) -> bool:
    """Removes the webhook, so that getUpdates works again."""
    if params.get("drop_pending_updates"):
        world.updates.drop()
    world.webhook = Webhook()
    world.changes.notify()
    return True


def get_webhook_info(world: World, _: JSON) -> JSON:
    """Returns the WebhookInfo object."""
    webhook = world.webhook
    info: JSON = {"url": webhook.url, "has_custom_certificate": webhook.certificate}
    info["pending_update_count"] = len(world.updates.pending)
    if webhook.last_error:
        info |= {"last_error_date": webhook.last_error_date, "last_error_message": webhook.last_error}
    if webhook.url:
        info |= {"max_connections": webhook.max_connections, "ip_address": webhook.ip_address or "127.0.0.1"}
    if world.updates.allowed:
        info["allowed_updates"] = sorted(world.updates.allowed)
    return info
