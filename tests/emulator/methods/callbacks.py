"""answerCallbackQuery."""

from __future__ import annotations

import re

from tests.emulator.refusals import QUERY_TOO_OLD, bad_request
from tests.emulator.state import JSON
from tests.emulator.world import TapAnswer, World

LONGEST_ALERT = 200
DEEP_LINK = (
    r"(?:(?:https?://)?(?:t|telegram)\.me/{name}\?start=|tg://resolve\?domain={name}&start=)(?P<payload>[\w-]{{0,64}})"
)


def start_payload(url: str, username: str) -> str | None:
    """Returns the payload of a link that starts this bot; None for other links."""
    match = re.fullmatch(DEEP_LINK.format(name=re.escape(username)), url, re.IGNORECASE | re.ASCII)
    return match["payload"] if match else None


def answer_callback_query(world: World, params: JSON) -> bool:
    """Shows a toast, an alert or a link to the person who tapped; only the first answer counts."""
    text, url = params.get("text") or None, params.get("url") or None
    query = world.queries.get(params["callback_query_id"])
    if query is None or world.clock.now() - query.at > world.behaviour.callback_seconds:
        raise bad_request(QUERY_TOO_OLD)
    if text and len(text) > LONGEST_ALERT:
        raise bad_request("MESSAGE_TOO_LONG")
    if url and start_payload(url, world.bot.username or "") is None:
        raise bad_request("URL_INVALID")
    answer = TapAnswer(text, bool(params.get("show_alert")) and text is not None, url)
    if not query.answered.done():
        query.answered.set_result(answer)
        world.notify(query, answer)
    return True
