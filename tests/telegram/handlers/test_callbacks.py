"""Forged presses: callback data is checked against its message, its chat and the person."""

import pytest

from services.telegram import callback_data
from services.telegram.callback_data import TYPES, CallbackData, pack
from services.telegram.repositories.repositories import Repositories
from services.telegram.screens.screen import Button, Screen
from services.telegram.sending.messages import Address
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.telegram.harness import BotHarness, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal, open_lobby, sit


async def forges(person: Person, place: Chat, message: Message, data: CallbackData) -> str:
    """Send forged callback data for a message, as a modified client can; return the answer's text."""
    button = InlineButton("forged", {"text": "forged", "callback_data": pack(data)}, message)
    return (await person.taps(place, button)).text or ""


async def ref_of(harness: BotHarness) -> str:
    """Return the reference of the only table."""
    return (await Repositories(harness.redis).chat_tables.refs())[0]


def shown(place: Chat) -> list[tuple[int, str, list[str]]]:
    """Return the bot's messages with their buttons."""
    return [(message.id, message.text, message.labels) for message in place.messages]


async def test_the_tables_message_is_neither_deleted_nor_overwritten(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    table = await group.sees(button="La mia mano")
    ref, user = await ref_of(harness), await turn_of_somebody([anna, bruno])
    before = shown(group)
    for data in (
        callback_data.MakeMove(ref, 1, "1"),
        callback_data.PickCard(ref, 1, 0, up=True),
        callback_data.LeaveTable(ref, sure=True),
        callback_data.TakeHandBack(ref),
        callback_data.ChooseGame("Zz3-Ef_8", "ramino"),
        callback_data.ChooseGame(ref, "ramino"),
        callback_data.ShowLeaderboard("ramino"),
        callback_data.ShowRules("ramino", 0),
        callback_data.ChangeSetting("language", 1),
        callback_data.ForgetPerson("all"),
    ):
        for person in (user, carla):
            assert await forges(person, group, table, data)
    assert shown(group) == before
    assert not table.deleted
    await plays(await turn_of_somebody([anna, bruno]))
    assert len(await Repositories(harness.redis).chat_tables.refs()) == 1


async def test_a_hands_buttons_act_on_hands_only_and_on_ones_own(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    ref = await ref_of(harness)
    await anna.says(anna.private, "/impostazioni")
    settings = await anna.private.sees("Le tue impostazioni")
    before = shown(anna.private)
    for message in (settings, next(m for m in anna.private.messages if "Benvenuti" in m.text)):
        for data in (
            callback_data.MakeMove(ref, 1, "1"),
            callback_data.PickCard(ref, 1, 0, up=True),
            callback_data.PutCardsBack(ref, 1),
            callback_data.LeaveTable(ref),
            callback_data.StartMatch(ref, 1),
        ):
            assert await forges(anna, anna.private, message, data)
    assert shown(anna.private) == before
    assert await forges(anna, anna.private, hand(anna), callback_data.CloseTable(ref, sure=True))
    assert shown(anna.private) == before


async def test_a_table_is_closed_only_in_its_own_chat(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    ref = await ref_of(harness)
    other = telegram.supergroup("Altri", [anna])
    await anna.says(other, "/aiuto")
    elsewhere = await other.sees("Benvenuti alla locanda")
    assert await forges(anna, other, elsewhere, callback_data.CloseTable(ref, sure=True))
    assert await forges(anna, other, elsewhere, callback_data.StandUp(ref))
    assert not elsewhere.deleted
    assert group.shows("👤 Anna") is not None


async def test_a_button_that_was_drawn_again_meanwhile_is_still_taken(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    lobby = await group.sees("👤 Anna")
    old = lobby.button("+ Computer")
    sit_down = lobby.button("Siediti")
    await sit(bruno, group)
    assert (await anna.taps(group, old)).text == "Il tavolo è andato avanti: eccolo com'è adesso."
    assert (await bruno.taps(group, sit_down)).text == "Hai già un posto a questo tavolo."


SAMPLES: dict[str, object] = {
    "version": 1,
    "match": 1,
    "seat": 1,
    "game": "gatto_rosso",
    "level": "easy",
    "allowed": True,
    "value": 30,
    "preset": "quick",
    "seconds": 30,
    "code": "1",
    "place": 0,
    "up": True,
    "remark": "well_played",
    "muted": True,
    "page": 0,
    "what": "all",
    "weekday": 3,
    "minute": 1260,
    "weekly": True,
    "comes": False,
    "after": 1,
    "length": "week",
    "number": 1,
    "sure": True,
    "step": 1,
    "by": 1,
    "asked": 1,
    "agree": True,
}
READ_BY_ALL = {"ShowLeaderboard", "ShowRules", "OpenRules", "ShowProof"}
"""Buttons that only show public content."""


def any_button(kind: type[CallbackData], ref: str) -> CallbackData:
    """Return callback data of this type for a table or its group."""
    name = "deals" if kind is callback_data.SetOption else "seconds"
    known = SAMPLES | {"ref": ref, "evening": f"{ref}20260131", "name": name}
    return kind(**{name: known[name] for name in kind.__struct_fields__ if name in known})


@pytest.mark.parametrize("in_play", [False, True])
async def test_nobodys_button_in_a_group_changes_anything_for_who_is_not_concerned(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat, *, in_play: bool
) -> None:
    await (deal([anna, bruno], group) if in_play else open_lobby(anna, group))
    assert harness.context
    ref, chats = await ref_of(harness), harness.context.repositories.chats
    await carla.says(group, "/aiuto")
    await group.sees("Benvenuti")
    await chats.update_settings(group.id, hosts="admins")
    await harness.settle()

    async def state() -> tuple[object, ...]:
        repositories = Repositories(harness.redis)
        table = (await repositories.chat_tables.refs(), await repositories.chat_tables.find(ref))
        seats = await repositories.seats.tokens(ref)
        return table, seats, await repositories.people.person(carla.id), await repositories.chats.chat(group.id)

    before = await state()
    buttons = [any_button(kind, ref) for kind in TYPES if kind is not callback_data.TakeSeat]
    harness.context.outbox.send(
        Address(group.id), Screen("Ogni tasto", tuple((Button("?", button_data),) for button_data in buttons))
    )
    message = await group.sees("Ogni tasto")
    for data in buttons:
        answer = await forges(carla, group, message, data)
        assert answer or type(data).__name__ in READ_BY_ALL, data
        assert await state() == before, data
