"""Contents of an evening's messages, computed from `EveningFacts`. No I/O."""

from msgspec import Struct, structs

from locanda.translations import Language
from services.telegram.drawing.hands import Shown
from services.telegram.evenings.screens import EveningView, evening_screen, summary_screen
from services.telegram.records import ChatRecord, EveningPageSlot, EveningSlot, SummarySlot, TableSlot
from services.telegram.screens.screen import Screen, Wanted, pages

EMPTY_PAGE = Screen("⬆️")
"""The text of a page that an evening no longer needs."""


class EveningFacts(Struct, frozen=True, kw_only=True):
    """Everything that an evening's messages depend on, at one moment."""

    view: EveningView
    group: ChatRecord
    last_end: float | None = None
    """When the last match ended or the last round began, whichever is later (Unix seconds); None during a match."""

    @property
    def language(self) -> Language:
        """The language of the evening's messages."""
        return self.group.language


def wanted_of_evening(facts: EveningFacts, shown: Shown) -> dict[TableSlot, Wanted]:
    """Return the wanted content of an evening's messages; `shown` has the records of the messages in the chat."""
    evening, language, slot = facts.view.evening, facts.language, EveningSlot(facts.view.evening.ref)
    if not facts.group.present:
        return {}
    goes_on = evening.state in {"gathering", "playing"}
    ring = evening.ring(facts.view.now) if goes_on else shown[slot].ring if slot in shown else ""
    screen = evening_screen(facts.view, language)
    first, *others = pages(screen.text)
    by_slot: dict[TableSlot, Wanted] = {slot: Wanted(structs.replace(screen, text=first), ring, create=goes_on)}
    for page, text in enumerate(others, start=2):
        by_slot[EveningPageSlot(evening.ref, page)] = Wanted(Screen(text), ring, create=goes_on, silent=True)
    for left in (left for left in shown if isinstance(left, EveningPageSlot) and left not in by_slot):
        by_slot[left] = Wanted(EMPTY_PAGE, shown[left].ring, create=False)
    result = summary_screen(facts.view, language) if evening.state == "over" else None
    if result is not None:
        by_slot[SummarySlot(evening.ref)] = Wanted(result, silent=True)
    return by_slot
