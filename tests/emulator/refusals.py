"""Telegram's refusals, and the faults that a test schedules: refusals, cut connections, slow responses, outages.

The refusals have the exact words of tdlib/telegram-bot-api (Client.cpp), tdlib/td, and public reports.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from tests.emulator.state import JSON, ChatState

CutPoint = Literal["before", "after"]
Spoiling = Literal["deleted", "fixed"]
PREFIXES = {400: "Bad Request", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 500: "Internal Server Error"}

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content"
    " and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
WEBHOOK_IS_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
OTHER_GET_UPDATES = "terminated by other getUpdates request; make sure that only one bot instance is running"
TERMINATED_BY_WEBHOOK = "terminated by setWebhook request"
CANNOT_INITIATE = "bot can't initiate conversation with a user"
BLOCKED = "bot was blocked by the user"
DEACTIVATED = "user is deactivated"
MIGRATED = "group chat was upgraded to a supergroup chat"


class RefusedError(Exception):
    """Telegram's refusal of a request: status, description, and sometimes parameters."""

    def __init__(self, status: int, description: str, parameters: JSON | None = None) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters

    def answer(self) -> JSON:
        answer: JSON = {"ok": False, "error_code": self.status, "description": self.description}
        return answer | ({"parameters": self.parameters} if self.parameters else {})


def bad_request(words: str) -> RefusedError:
    """Returns a refusal with status 400, the most frequent one."""
    return refusal(400, words)


def forbidden(words: str) -> RefusedError:
    """Returns a refusal with status 403: the bot may not write to the chat."""
    return refusal(403, words)


def refusal(status: int, words: str) -> RefusedError:
    """Returns a refusal with Telegram's prefix for its status; `words` lose their capital unless they are a code."""
    shouted = len(words) > 1 and (words[1] == "_" or words[1].isupper())
    return RefusedError(status, f"{PREFIXES[status]}: {words if shouted else words[0].lower() + words[1:]}")


def migrated(successor: ChatState) -> RefusedError:
    """Returns a refusal with status 400 and the id of the supergroup that the group has become."""
    return RefusedError(400, f"Bad Request: {MIGRATED}", {"migrate_to_chat_id": successor.id})


def too_many_requests(seconds: float) -> RefusedError:
    """Returns a refusal with status 429 and the whole seconds to wait, at least one."""
    wait = max(1, math.ceil(seconds))
    return RefusedError(429, f"Too Many Requests: retry after {wait}", {"retry_after": wait})


@dataclass
class Fault:
    """A fault of the next `times` calls of a method (in one chat, if its id is given).

    A refused call has no effect, unless it is refused `afterwards`: then it takes effect before the refusal. With
    `spoils`, the message of an edit is deleted or becomes uneditable just before the edit.
    """

    method: str
    times: int
    chat_id: int | None = None
    refusal: RefusedError | None = None
    afterwards: bool = False
    cut: CutPoint | None = None
    spoils: Spoiling | None = None
    delay: float = 0.0

    def hits(self, method: str, chat_id: int | None) -> bool:
        return self.times > 0 and self.method.lower() == method.lower() and self.chat_id in {None, chat_id}


@dataclass
class Faults:
    """The scheduled faults; the oldest matching one is used first."""

    ordered: list[Fault] = field(default_factory=list)
    outage: bool = False

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """Removes and returns the fault scheduled for this call, if any."""
        fault = next((fault for fault in self.ordered if fault.hits(method, chat_id)), None)
        if fault is not None:
            fault.times -= 1
        return fault
