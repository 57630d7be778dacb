"""The title of a game's last winner in a group, as a tag beside their name."""

from collections.abc import Sequence

import pytest

from locanda.games.registry import GAME_NAMES
from locanda.texts.games import texts_of
from locanda.translations import translations_in
from services.telegram.records import ChatTable
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import sit
from tests.telegram.screens.test_results import ended

LONGEST_TAG = 16
"""Maximum number of characters of a tag (Bot API, setChatMemberTag)."""


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person, carla: Person) -> Chat:
    """A group of Dora's, in which the bot has all rights."""
    return telegram.supergroup("Amici", [telegram.person("Dora"), anna, bruno, carla], bot="administrator")


@pytest.fixture
async def people(harness: BotHarness, group: Chat, anna: Person, bruno: Person, carla: Person) -> list[Person]:
    """Anna, Bruno and Carla, after each has written to the bot."""
    for person in (bruno, carla):
        await person.starts()
        await person.private.sees("Benvenuti")
    assert harness.context
    await harness.context.repositories.chats.update_settings(group.id, language="it")
    return [anna, bruno, carla]


class Matches:
    """Matches of Presidente that end in a group."""

    def __init__(self, harness: BotHarness, group: Chat) -> None:
        self._harness = harness
        self._group = group
        self._number = 0

    async def end(self, ranked: Sequence[Person], game: str = "presidente") -> None:
        """Process the end of a match with these places, as a table's follower does."""
        await self.count(ranked, game)
        assert self._harness.context
        await self._harness.context.titles.show(self._group.id)

    async def count(self, ranked: Sequence[Person], game: str = "presidente") -> None:
        """Count a match with these places, without the other effects of its end."""
        context = self._harness.context
        assert context
        self._number += 1
        table = ChatTable(f"Ab3-Ef_{self._number}", self._group.id, None, "A", game, ranked[0].id, over=True)
        await context.repositories.chat_tables.save(table)
        result = ended(game, "all_placed").table
        seats = {person.id: seat for seat, person in enumerate(ranked)}
        await context.titles.note(table, result, seats)
        places = {person.id: place for place, person in enumerate(ranked)}
        await context.repositories.leaderboards.count(table, 1, places)

    @property
    def tags(self) -> dict[int, str]:
        """The tags of the group's members."""
        return self._group.state.tags


@pytest.fixture
def matches(harness: BotHarness, group: Chat) -> Matches:
    return Matches(harness, group)


async def test_who_wins_a_match_of_presidente_bears_the_title_in_the_group(
    harness: BotHarness, people: list[Person], group: Chat
) -> None:
    anna, bruno, _ = people
    await anna.says(group, "/gioca")
    await group.sees("A che cosa giochiamo?")
    await anna.taps(group, "Presidente")
    await group.sees(button="Siediti")
    await sit(bruno, group)
    await anna.taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    context = harness.context
    assert context
    (chat_table,) = await context.repositories.chat_tables.of_person(anna.id)
    tokens = await context.repositories.seats.tokens(chat_table.ref)
    seen = [(await context.tables.lookup.view_for(chat_table, person.id))[0] for person in (anna, bruno)]
    by_seat = {table.you: tokens[person.id] for table, person in zip(seen, (anna, bruno), strict=True)}
    table = seen[0]
    while table.status == "playing" and table.deal is not None:
        token = by_seat[table.deal.turn]
        mine = await harness.engine.table(table.id, token)
        table = (await harness.engine.play(table.id, token, mine.moves[0])).table
    assert table.match.result is not None
    [winner] = table.match.result.ranking[0]
    won = anna if seen[0].you == winner else bruno
    await group.until(lambda _: group.state.tags == {won.id: "Presidente"})


async def test_the_title_goes_from_the_former_winner_to_the_new_one(matches: Matches, people: list[Person]) -> None:
    anna, bruno, carla = people
    await matches.end([anna, bruno, carla])
    assert matches.tags == {anna.id: "Presidente"}
    await matches.end([bruno, anna, carla])
    assert matches.tags == {bruno.id: "Presidente"}
    await matches.end([carla, bruno, anna], game="ramino")
    assert matches.tags == {bruno.id: "Presidente"}, "its winners have no title"


async def test_tags_that_people_have_given_and_administrators_are_left_alone(
    matches: Matches, people: list[Person], group: Chat, telegram: Emulator
) -> None:
    anna, bruno, carla = people
    matches.tags[bruno.id] = "Cassiere"
    await matches.end([anna, bruno, carla])
    await matches.end([bruno, anna, carla])
    assert matches.tags == {bruno.id: "Cassiere"}, "nobody else is the President"
    group.state.standing[carla.id] = "administrator"
    await matches.end([carla, bruno, anna])
    assert matches.tags == {bruno.id: "Cassiere"}
    assert all(call.status == 200 for call in telegram.journal.of("setChatMemberTag"))


async def test_without_the_right_nothing_happens_until_it_is_given(
    matches: Matches, people: list[Person], group: Chat, telegram: Emulator
) -> None:
    group.state.standing[telegram.world.bot.id] = "member"
    for _ in range(3):
        await matches.end(people)
    assert not telegram.journal.of("setChatMemberTag")
    assert len(telegram.journal.of("getChatMember", chat=group.id)) == 1, "it is asked once whether the bot may"
    [dora] = [user for user in group.members if group.state.status_of(user) == "creator"]
    await Person(telegram.world, dora).promotes_bot(group, without=("can_manage_tags",))
    await Person(telegram.world, dora).promotes_bot(group)
    await group.until(lambda _: matches.tags == {people[0].id: "Presidente"})


async def test_a_title_is_handed_over_though_the_bot_is_killed_or_telegram_away(
    matches: Matches,
    harness: BotHarness,
    people: list[Person],
    group: Chat,
    telegram: Emulator,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anna, bruno, carla = people
    monkeypatch.setattr("services.telegram.following.titles.PAUSES", (0.0,))
    await matches.end([anna, bruno, carla])
    telegram.drop_next("setChatMemberTag")
    await matches.end([bruno, anna, carla])
    assert matches.tags == {bruno.id: "Presidente"}
    telegram.fail_next("setChatMemberTag", 500, times=2)
    await matches.end([carla, bruno, anna])
    assert matches.tags == {bruno.id: "Presidente"}
    await matches.end([carla, bruno, anna])
    assert matches.tags == {carla.id: "Presidente"}
    await matches.count([anna, bruno, carla])
    await harness.kill()
    await harness.open()
    await group.until(lambda _: matches.tags == {anna.id: "Presidente"})


async def test_who_is_forgotten_loses_the_title_and_nothing_is_stored_of_it(
    matches: Matches, harness: BotHarness, people: list[Person], group: Chat
) -> None:
    anna, bruno, carla = people
    await matches.end([anna, bruno, carla])
    await anna.says(anna.private, "/dimenticami")
    await anna.private.sees(button="Toglimi dalle classifiche")
    await anna.taps(anna.private, "Toglimi dalle classifiche")
    await anna.private.sees("Fatto")
    assert matches.tags == {}
    assert harness.context
    assert str(anna.id) not in str(await harness.context.repositories.titles.of_chat(group.id))
    await matches.end([anna, bruno, carla])
    assert matches.tags == {}, "who is on no leaderboard bears no title"


def test_each_games_title_fits_a_tag() -> None:
    for language in ("it", "en"):
        for game in GAME_NAMES:
            for titles in texts_of(game).TITLES.values():
                title = translations_in(language).gettext(titles[0])
                assert 0 < len(title) <= LONGEST_TAG
                assert title.isprintable()
