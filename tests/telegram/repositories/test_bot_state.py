"""Stored updates and deliveries: their exact bytes, which can be read back."""

import msgspec
from msgspec import structs

from services.telegram.records import (
    NO_ID,
    HandSlot,
    LobbySlot,
    Podium,
    PodiumPlace,
    SeatRequest,
    StoredButton,
    StoredDeletion,
    StoredDelivery,
    StoredMessage,
)
from services.telegram.repositories.outbox_store import OutboxStore
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP

BUTTON = StoredButton("7♥", '2["m","Ab3-Ef_8",17,"7h"]', None, "primary")
MESSAGE = StoredMessage(chat=GROUP, thread=3, text="<b>x</b>", rows=((BUTTON,),), priority=3, since=1.5)


async def test_updates_are_kept_until_they_are_handled(repositories: Repositories) -> None:
    await repositories.updates.keep({10: '{"update_id":10}', 9: '{"update_id":9}'})
    assert list((await repositories.updates.load()).items()) == [(9, '{"update_id":9}'), (10, '{"update_id":10}')]
    await repositories.updates.forget(9)
    assert list(await repositories.updates.load()) == [10]


def test_the_stored_form_of_deliveries() -> None:
    assert msgspec.json.encode(MESSAGE).decode() == (
        '{"kind":"message","chat":-500,"thread":3,"text":"<b>x</b>",'
        '"rows":[[["7♥","2[\\"m\\",\\"Ab3-Ef_8\\",17,\\"7h\\"]",null,"primary",null]]],"priority":3,"since":1.5}'
    )
    assert msgspec.json.encode(StoredDeletion(GROUP, 7)) == b'{"kind":"deletion","chat":-500,"message":7}'


def test_the_stored_form_of_photos() -> None:
    hand = structs.replace(MESSAGE, rows=(), photo=(("7h", "*"),))
    end = structs.replace(MESSAGE, rows=(), photo=Podium(("XV",), (PodiumPlace(1, "Anna", "21 carte"),)))
    head = '{"kind":"message","chat":-500,"thread":3,"text":"<b>x</b>","photo":'
    assert msgspec.json.encode(hand).decode() == head + '[["7h","*"]],"priority":3,"since":1.5}'
    assert msgspec.json.encode(end).decode() == (
        head + '{"cards":["XV"],"places":[{"place":1,"name":"Anna","points":"21 carte"}]},"priority":3,"since":1.5}'
    )
    for message in (hand, end):
        assert msgspec.json.decode(msgspec.json.encode(message), type=StoredMessage) == message


async def test_deliveries_are_kept_until_they_are_done(repositories: Repositories) -> None:
    stored: dict[str, StoredDelivery] = {"send a": MESSAGE, "delete -500 7": StoredDeletion(GROUP, 7)}
    await repositories.deliveries.write(stored, [])
    assert await repositories.deliveries.load() == stored
    await repositories.deliveries.write({}, ["send a"])
    assert await repositories.deliveries.load() == {"delete -500 7": StoredDeletion(GROUP, 7)}


async def test_a_request_for_a_seat_is_deleted_with_its_table(repositories: Repositories) -> None:
    request = SeatRequest("key", "Anna", "seed", None, {"points": 51}, 60)
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.seats.save_request(CHAT_TABLE.ref, ANNA, request)
    assert await repositories.seats.request(CHAT_TABLE.ref, ANNA) == request
    await repositories.chat_tables.delete(CHAT_TABLE)
    assert await repositories.seats.request(CHAT_TABLE.ref, ANNA) is None


async def test_the_messages_of_all_tables_are_found_each_with_its_chat(repositories: Repositories) -> None:
    assert await OutboxStore(repositories).shown_messages() == []
    for ref, user, message in (("Ab3-Ef_8", ANNA, 7), ("Zb3-Ef_8", BRUNO, 9)):
        await repositories.chat_tables.save(structs.replace(CHAT_TABLE, ref=ref))
        await repositories.messages.record_id(HandSlot(ref, user), message)
    await repositories.messages.record_id(LobbySlot("Ab3-Ef_8"), 4000)
    await repositories.messages.record_id(LobbySlot("Zb3-Ef_8"), NO_ID)
    shown = {(chat, message.id) for chat, message in await OutboxStore(repositories).shown_messages()}
    assert shown == {(ANNA, 7), (BRUNO, 9), (GROUP, 4000), (GROUP, NO_ID)}
