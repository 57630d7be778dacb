"""Photos of hands are sent only to the hand's owner, and only if the owner wants them."""

from io import BytesIO

import pytest
from PIL import Image

from services.telegram.sending import photos
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import Message
from tests.telegram.harness import (
    BotHarness,
    all_stay,
    cards,
    hand,
    plays,
    plays_until,
    plays_until_one_has_one_card,
    turn_of_somebody,
)
from tests.telegram.lobby_steps import deal

UPLOADS = ("sendPhoto", "editMessageMedia")


async def switches_photos(person: Person, label: str) -> None:
    await person.says(person.private, "/impostazioni")
    await person.private.sees(button=label)
    await person.taps(person.private, label)


def uploads(telegram: Emulator, chat: int | None = None) -> int:
    return sum(len(telegram.journal.of(method, chat=chat)) for method in UPLOADS)


def shown(message: Message) -> tuple[int, int]:
    image = Image.open(BytesIO(message.photo))
    image.load()
    return image.size


async def test_nobody_gets_a_photo_who_has_not_asked_for_one(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await harness.settle()
    assert not uploads(telegram)


async def test_photos_go_to_the_private_chat_of_the_one_who_asked_and_nowhere_else(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await switches_photos(anna, "Accendi le foto")
    await deal([anna, bruno], group)
    for _ in range(6):
        await plays(await turn_of_somebody([anna, bruno]))
    await harness.settle()
    assert uploads(telegram, anna.private.id) > 1
    assert uploads(telegram) == uploads(telegram, anna.private.id)
    assert shown(hand(anna))[0] == 1080
    assert not hand(bruno).photo


async def test_a_hand_in_play_gets_its_photo_at_once_and_loses_it_at_once(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await switches_photos(anna, "Accendi le foto")
    await anna.private.until(lambda _: hand(anna).photo)
    before = hand(anna)
    await switches_photos(anna, "Spegni le foto")
    await anna.private.until(lambda _: not hand(anna).photo)
    await harness.settle()
    assert before.deleted
    assert sum(1 for message in anna.private.messages if cards(message)) == 1


async def test_a_photo_of_before_a_restart_gives_way_to_a_text(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await switches_photos(anna, "Accendi le foto")
    await deal([anna, bruno], group)
    await anna.private.until(lambda _: hand(anna).photo)
    before = hand(anna)
    await harness.restart()
    await switches_photos(anna, "Spegni le foto")
    await anna.private.until(lambda _: before.deleted and not hand(anna).photo)


async def test_an_old_hand_that_cannot_be_deleted_shows_its_cards_no_more(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await switches_photos(anna, "Accendi le foto")
    await deal([anna, bruno], group)
    telegram.fail_next("deleteMessage", 400, "Bad Request: message can't be deleted for everyone", times=99)
    for _ in range(3):
        await plays(await turn_of_somebody([anna, bruno]))
    old = await anna.private.sees("⬇️")
    await anna.private.until(lambda _: old.photo != hand(anna).photo)
    await harness.settle()
    assert not old.rows
    held = [message for message in anna.private.messages if message.photo and message is not hand(anna)]
    assert held
    assert len({message.photo for message in held}) == 1


async def test_a_photo_that_cannot_be_drawn_gives_way_to_the_text(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> bytes:
        raise FileNotFoundError("no tile")

    monkeypatch.setattr(photos, "_drawn", fail)
    await switches_photos(anna, "Accendi le foto")
    await deal([anna, bruno], group)
    await plays(await turn_of_somebody([anna, bruno]))
    await harness.settle()
    assert cards(hand(anna))
    assert not uploads(telegram)


async def test_a_group_that_admits_no_photos_gets_the_text(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    telegram.fail_next("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", times=99)
    telegram.fail_next("editMessageMedia", 400, "Bad Request: not enough rights to send photos to the chat", times=99)
    await anna.says(group, "/impostazioni")
    await group.sees(button="Accendi l'immagine di fine partita")
    await anna.taps(group, "Accendi l'immagine di fine partita")
    await deal([anna, bruno], group)
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    await group.sees("Mazzo controllato")
    await all_stay([anna, bruno], group)
    await turn_of_somebody([anna, bruno])


async def test_one_who_leaves_sees_no_cards_any_more(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await switches_photos(anna, "Accendi le foto")
    await deal([anna, bruno], group)
    await anna.private.until(lambda _: hand(anna).photo)
    held = hand(anna).photo
    await anna.taps(anna.private, "Lascio il tavolo")
    await anna.private.sees(button="Sì, me ne vado")
    await anna.taps(anna.private, "Sì, me ne vado")
    left = await anna.private.sees("Hai lasciato il tavolo")
    await harness.settle()
    assert left.photo != held
    assert all(message.photo != held for message in anna.private.messages)


async def test_a_group_that_wants_one_gets_a_picture_of_the_end_of_a_match(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/impostazioni")
    await group.sees(button="Accendi l'immagine di fine partita")
    await anna.taps(group, "Accendi l'immagine di fine partita")
    await group.sees(button="Spegni l'immagine di fine partita")
    await deal([anna, bruno], group)
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    await harness.settle()
    end = await group.sees(button="Ci sto")
    assert shown(end)[0] == 1080
    assert "Vince" in end.text or "Pareggio" in end.text
    await group.sees("Mazzo controllato")
    assert uploads(telegram) == uploads(telegram, group.id) == 1
    await all_stay([anna, bruno], group)
    await group.until(lambda place: place.shows(button="Ci sto") is None)
    await harness.settle()
    assert not end.deleted
    assert end.photo
