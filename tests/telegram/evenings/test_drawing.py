"""The messages of an evening with many people."""

import pytest
from msgspec import structs

from locanda.translations import Language
from services.telegram.evenings.drawing import EveningFacts, wanted_of_evening
from services.telegram.evenings.evening import Evening, PlannedTable
from services.telegram.evenings.screens import EveningView, evening_screen, summary_screen
from services.telegram.evenings.summary import Score, Summary
from services.telegram.records import ChatRecord, EveningPageSlot, EveningSlot, ShownMessage
from services.telegram.screens.screen import TEXT_LIMIT, units
from tests.emulator.html import parse_html
from tests.telegram.samples import GAME, GROUP

PEOPLE = range(1, 131)
NAMES = {person: f"Massimiliano della Vecchia Torre {person}"[:32] for person in PEOPLE}
TABLES = tuple(
    PlannedTable(f"table-{number:02}", tuple(PEOPLE[4 * number : 4 * number + 4]), 4) for number in range(33)
)


def view(evening: Evening, **facts: object) -> EveningView:
    fingerprints = {table.ref: f"{number:064x}" for number, table in enumerate(TABLES)}
    letters = {table.ref: f"T{number}" for number, table in enumerate(TABLES)}
    shown = EveningView(
        evening=evening, game=GAME, now=0.0, names=NAMES, coming=PEOPLE, letters=letters, fingerprints=fingerprints
    )
    return structs.replace(shown, **facts)


EVENING = Evening("e", GROUP, None, "gatto_rosso", "Europe/Rome", 0.0, 1e9)


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_table_and_fingerprint_of_an_evening_of_130_is_shown_on_pages_that_fit(language: Language) -> None:
    evening = Evening("e", GROUP, None, "gatto_rosso", "Europe/Rome", 0.0, 1e9, "playing", (TABLES,))
    facts = EveningFacts(view=view(evening), group=ChatRecord(GROUP, language=language))
    wanted = wanted_of_evening(facts, {})
    assert wanted[EveningSlot("e")].screen.rows
    assert [slot for slot in wanted if isinstance(slot, EveningPageSlot)]
    texts = [content.screen.text for content in wanted.values()]
    for text in texts:
        assert units(text) <= TEXT_LIMIT
        parse_html(text)
    whole = "".join(texts)
    assert all(name in whole for name in NAMES.values())
    assert all(value in whole for value in facts.view.fingerprints.values())


def test_a_page_that_the_next_round_does_not_need_is_emptied() -> None:
    evening = Evening("e", GROUP, None, "gatto_rosso", "Europe/Rome", 0.0, 1e9, "playing", (TABLES[:2],))
    page = EveningPageSlot("e", 2)
    small = view(evening, fingerprints={})
    left = wanted_of_evening(EveningFacts(view=small, group=ChatRecord(GROUP)), {page: ShownMessage(7)})[page]
    assert left.screen.text == "⬆️"
    assert not left.create


@pytest.mark.parametrize("language", ["it", "en"])
def test_an_invitation_a_reminder_and_a_summary_for_130_fit_a_message(language: Language) -> None:
    summary = Summary(tuple(Score(person, 300 - person, 3, 9) for person in PEOPLE), 9)
    invitation = evening_screen(view(EVENING, staying=PEOPLE), language).text
    reminder = evening_screen(view(EVENING, staying=PEOPLE, now=EVENING.starts - 60), language).text
    summed = summary_screen(view(EVENING, summary=summary), language)
    assert summed is not None
    assert all(units(text) <= TEXT_LIMIT for text in (invitation, reminder, summed.text))
    assert all(more in text for text, more in ((invitation, "80"), (reminder, "80"), (summed.text, "90")))
