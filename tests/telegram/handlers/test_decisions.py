"""Changes of evenings and seasons: administrators and the person who set them decide alone, others need votes."""

import pytest

from services.telegram.repositories import personal_data
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.samples import CHAT_TABLE


@pytest.fixture
def dora(telegram: Emulator) -> Person:
    return telegram.person("Dora", language="it")


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person, carla: Person, dora: Person) -> Chat:
    """A group whose only administrator is Dora."""
    return telegram.supergroup("Amici", [dora, anna, bruno, carla])


@pytest.fixture(autouse=True)
async def repositories(harness: BotHarness, group: Chat, anna: Person, bruno: Person, carla: Person) -> Repositories:
    """The repositories of a group in which Anna has beaten Bruno, and Carla has never played."""
    for person in (bruno, carla):
        await person.starts()
        await person.private.sees("Benvenuti")
    assert harness.context
    stored = harness.context.repositories
    table = CHAT_TABLE.__class__("Ab3-Ef_8", group.id, None, "A", "gatto_rosso", anna.id)
    await stored.leaderboards.count(table, 1, {anna.id: 0, bruno.id: 1})
    return stored


async def ends_season(person: Person, group: Chat) -> None:
    """Ask for the season's end."""
    await person.says(group, "/stagione")
    await group.sees(button="Chiudi la stagione")
    await person.taps(group, "Chiudi la stagione")
    await group.sees(button="Sì, chiudi")
    await person.taps(group, "Sì, chiudi")


async def test_who_only_looks_on_ends_no_season_and_those_who_play_do_by_votes(
    anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await ends_season(carla, group)
    question = await group.sees("Proposta di Carla: la stagione finisce adesso", button="👍")
    assert "altrimenti servono 2 voti" in question.text
    assert "👍" not in question.text, "who has never played has no vote"
    assert "solo chi ha giocato in questo gruppo" in ((await carla.taps(group, "👍")).text or "")
    await anna.taps(group, "👍")
    await group.sees("👍 Anna")
    assert not group.shows("Stagione 2")
    await bruno.taps(group, "👍")
    await group.sees("Stagione 2")
    await group.sees("L'hanno deciso Anna e Bruno.")
    await group.sees("Il titolo va a Anna")


@pytest.mark.costly
async def test_points_count_from_the_next_season_on_and_whoever_fixed_them_changes_them(
    anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/stagione 9 1")
    shown = await group.sees("Dalla prossima stagione: 9, 1.")
    assert "🥇 Anna · 5 punti" in shown.text
    assert "L'ha deciso Anna." in shown.text
    first = await bruno.says(group, "/stagione 1 1")
    await group.sees("Proposta di Bruno: i punti dei primi posti, dalla prossima stagione: 1, 1.", button="👎")
    again = await bruno.says(group, "/stagione 1 1")
    assert again != first
    await group.sees("Proposta di Bruno", button="👎", after=again)  # the question comes after any lost answer
    await anna.taps(group, "👎")
    await group.sees("Resta tutto com'era.")
    await bruno.says(group, "/stagione 1 1")
    await group.sees("Oggi hai già chiesto un cambiamento al gruppo.")
    await ends_season(anna, group)
    await group.sees("Punti dei primi posti: 9, 1")


async def test_an_administrator_decides_alone(bruno: Person, carla: Person, dora: Person, group: Chat) -> None:
    await ends_season(carla, group)
    await group.sees("Proposta di Carla", button="👍")
    await dora.taps(group, "👍")
    await group.sees("L'ha deciso Dora.")


async def test_a_fixed_evening_its_zone_and_its_end_are_the_matter_of_who_fixed_it(
    repositories: Repositories, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/serata giovedì alle 21")
    await group.sees(button="Ogni giovedì")
    await anna.taps(group, "Ogni giovedì")
    assert "L'ha deciso Anna." in (await group.sees(button="Niente più serate")).text
    before = await repositories.evenings.plan(group.id)
    await bruno.says(group, "/serata venerdì alle 3:47 America/New_York")
    await group.sees("Proposta di Bruno: il fuso orario è America/New_York.", button="👎")
    assert (await repositories.chats.chat(group.id)).zone == ""
    await anna.taps(group, "👎")
    await group.sees("Resta tutto com'era.")
    await bruno.taps(group, "Niente più serate")
    assert await repositories.evenings.plan(group.id) == before
    await anna.taps(group, "Niente più serate")
    await group.sees("Non è più fissata nessuna serata")
    assert await repositories.evenings.plan(group.id) is None


async def test_nothing_of_a_vote_is_left_of_who_is_forgotten(
    repositories: Repositories, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await ends_season(carla, group)
    await group.sees("Proposta di Carla", button="👍")
    await anna.taps(group, "👍")
    await group.sees("👍 Anna")
    for person, has_asked in ((anna, False), (carla, True)):
        stored = (await personal_data.stored_on(repositories, person.id))["changes_of_evenings_and_seasons"]
        assert [decision["asked"] for decision in stored] == [has_asked]
        await personal_data.forget(repositories, person.id)
        assert not await repositories.decisions.of_person(person.id)
