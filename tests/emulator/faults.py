"""Troubles that a test orders: refusals, cut connections, slow answers, outages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tests.emulator.refusals import RefusedError

Moment = Literal["before", "after"]


@dataclass
class Fault:
    """What happens to the next `times` calls of a method (in one chat, if its id is given)."""

    method: str
    times: int
    chat_id: int | None = None
    refusal: RefusedError | None = None
    cut: Moment | None = None
    delay: float = 0.0

    def hits(self, method: str, chat_id: int | None) -> bool:
        return self.times > 0 and self.method.lower() == method.lower() and self.chat_id in {None, chat_id}


@dataclass
class Faults:
    """The troubles still to come; the oldest that fits is taken first."""

    ordered: list[Fault] = field(default_factory=list)
    outage: bool = False

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """The fault for this call, if one was ordered."""
        fault = next((fault for fault in self.ordered if fault.hits(method, chat_id)), None)
        if fault is not None:
            fault.times -= 1
        return fault
