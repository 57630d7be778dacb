"""What the messages of an evening are to show: a function of its facts. Pure."""

from msgspec import Struct

from locanda.translations import Language
from services.telegram.drawing.hands import Shown
from services.telegram.evenings.screens import EveningView, evening_screen, summary_screen
from services.telegram.records import ChatRecord, EveningSlot, SummarySlot, TableSlot
from services.telegram.screens.screen import Wanted


class EveningFacts(Struct, frozen=True, kw_only=True):
    """The facts of an evening at one moment."""

    view: EveningView
    group: ChatRecord
    last_end: float | None = None
    """When its last match has ended, or its last round begun; None while a match is under way."""

    @property
    def language(self) -> Language:
        """That of its messages."""
        return self.group.language


def wanted_of_evening(facts: EveningFacts, shown: Shown) -> dict[TableSlot, Wanted]:
    """Return what each message of an evening is to show; `shown` are the records of its messages."""
    evening, language, slot = facts.view.evening, facts.language, EveningSlot(facts.view.evening.ref)
    if not facts.group.present:
        return {}
    goes_on = evening.state in {"gathering", "playing"}
    ring = evening.ring(facts.view.now) if goes_on else shown[slot].ring if slot in shown else ""
    found: dict[TableSlot, Wanted] = {slot: Wanted(evening_screen(facts.view, language), ring, create=goes_on)}
    result = summary_screen(facts.view, language) if evening.state == "over" else None
    if result is not None:
        found[SummarySlot(evening.ref)] = Wanted(result, silent=True)
    return found
