"""Selecting cards in a chat: quickly, twice, too late, by another person, and across a restart of the bot."""

from dataclasses import replace

import pytest

from locanda.client.transport import Call, Transport
from services.telegram.callback_data import MakeMove, pack, unpack
from services.telegram.screens import controls
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import sit


@pytest.fixture
async def players(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> list[Person]:
    """The players of a match of Presidente, the player on turn first; no combination has a button of its own."""
    monkeypatch.setattr(controls, "FEW", 0)
    await anna.says(group, "/gioca")
    await group.sees(button="Presidente")
    await anna.taps(group, "🎩 Presidente")
    await sit(bruno, group)
    await group.sees(button="Si comincia")
    await anna.taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    for person in (anna, bruno):
        await person.private.sees(button="Lascio il tavolo")
    return [anna, bruno] if "Tocca a te" in hand(anna).text else [bruno, anna]


def hand(person: Person) -> Message:
    """Return a person's hand message."""
    hand_message = person.private.shows(button="Lascio il tavolo")
    assert hand_message is not None
    return hand_message


def cards(person: Person) -> list[InlineButton]:
    """Return the buttons that select or deselect a person's cards."""
    return [key for row in hand(person).rows for key in row if (key.callback_data or "").startswith('2["pick"')]


def played(person: Person) -> list[str]:
    """Return the labels of the buttons that play a move."""
    return [label for label in hand(person).labels if label.startswith("Cala")]


async def test_a_card_is_selected_played_and_gone(players: list[Person], group: Chat) -> None:
    leader, other = players
    card = cards(leader)[-1].text
    await leader.taps(leader.private, card)
    await leader.private.sees(f"Hai scelto {card}. Così va bene.")
    await leader.taps(leader.private, f"Cala {card}")
    await group.sees(f"{leader.name} cala {card}")
    await other.private.sees(f"{card} di {leader.name}")
    await leader.private.until(lambda _: card not in [key.text for key in cards(leader)])


async def test_selecting_and_playing_ask_the_engine_for_nothing_that_its_stream_has_shown(
    harness: BotHarness, players: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    leader, other = players
    await harness.settle()
    calls: list[str] = []
    fetch = Transport.fetch

    async def counted(transport: Transport, call: Call) -> bytes | None:
        calls.append(f"{call.method} {call.path.rpartition('/')[2]}")
        return await fetch(transport, call)

    monkeypatch.setattr(Transport, "fetch", counted)
    card = cards(leader)[-1].text
    await leader.taps(leader.private, card)
    await leader.private.sees(f"Hai scelto {card}. Così va bene.")
    assert calls == []
    await leader.taps(leader.private, f"Cala {card}")
    await other.private.sees("Tocca a te")
    await leader.private.until(lambda _: card not in [key.text for key in cards(leader)])
    assert calls == ["POST moves"]


async def test_selecting_a_card_changes_the_caption_of_a_photo_and_sends_no_photo_again(
    telegram: Emulator, players: list[Person]
) -> None:
    leader, _ = players
    await leader.says(leader.private, "/impostazioni")
    await leader.private.sees(button="Accendi le foto")
    await leader.taps(leader.private, "Accendi le foto")
    await leader.private.until(lambda _: hand(leader).photo)
    card = cards(leader)[-1].text
    await leader.taps(leader.private, card)
    await leader.private.sees(f"Hai scelto {card}.")
    assert hand(leader).photo
    assert len(telegram.journal.of("sendPhoto")) + len(telegram.journal.of("editMessageMedia")) == 1
    assert telegram.journal.of("editMessageCaption")


async def test_two_quick_presses_select_two_cards(players: list[Person]) -> None:
    leader, _ = players
    first, second = cards(leader)[:2]
    taps = [leader.presses(leader.private, key) for key in (first, second)]
    for tap in taps:
        assert not (await tap.answer()).text
    await leader.private.sees(f"Hai scelto {first.text} e {second.text}.")
    await leader.private.sees(button="Rimetti a posto")
    await leader.taps(leader.private, "Rimetti a posto")
    await leader.private.until(lambda _: "Hai scelto" not in hand(leader).text)


async def test_a_double_press_selects_a_card_once(players: list[Person]) -> None:
    leader, _ = players
    card = cards(leader)[0]
    taps = [leader.presses(leader.private, card) for _ in range(2)]
    for tap in taps:
        await tap.answer()
    await leader.private.sees(f"Hai scelto {card.text}.", button=f"✅ {card.text}")
    await leader.taps(leader.private, f"✅ {card.text}")
    await leader.private.until(lambda _: "Hai scelto" not in hand(leader).text)


async def test_a_selection_survives_a_restart(harness: BotHarness, players: list[Person]) -> None:
    leader, _ = players
    card = cards(leader)[-1].text
    await leader.taps(leader.private, card)
    await leader.private.sees(f"Hai scelto {card}.")
    await harness.restart()
    await harness.settle()
    assert f"Hai scelto {card}." in hand(leader).text
    await leader.taps(leader.private, f"Cala {card}")
    await leader.private.until(lambda _: "Tocca a te" not in hand(leader).text)


async def test_a_selection_ends_when_the_table_changes(players: list[Person]) -> None:
    leader, other = players
    lowest, highest = cards(leader)[0], cards(leader)[-1]
    await leader.taps(leader.private, highest)
    await leader.private.sees(button=f"Cala {highest.text}")
    await leader.taps(leader.private, f"Cala {highest.text}")
    await other.private.sees("Tocca a te")
    assert (await leader.taps(leader.private, lowest)).text == f"Non tocca ancora a te: è il turno di {other.name}."
    await leader.private.until(lambda _: "Hai scelto" not in hand(leader).text)


async def test_out_of_turn_no_card_is_selected(players: list[Person]) -> None:
    leader, other = players
    answer = await other.taps(other.private, cards(other)[0])
    assert answer.text == f"Non tocca ancora a te: è il turno di {leader.name}."
    assert "Hai scelto" not in hand(other).text


async def test_nobody_else_sees_a_selection(telegram: Emulator, players: list[Person], group: Chat) -> None:
    leader, _ = players
    for key in cards(leader)[:3]:
        await leader.taps(leader.private, key)
    await leader.private.sees("Hai scelto")
    assert not [call for call in telegram.journal.readable_by_others(leader.id) if "Hai scelto" in call.payload]


async def test_a_forged_move_is_refused(players: list[Person]) -> None:
    leader, _ = players
    card = cards(leader)[0]
    await leader.taps(leader.private, card)
    shown = await leader.private.sees(button=f"Cala {card.text}")
    key = shown.button(f"Cala {card.text}")
    data = unpack(key.callback_data or "")
    assert isinstance(data, MakeMove)
    forged = replace(key, raw=key.raw | {"callback_data": pack(MakeMove(data.ref, data.version, "nonsense"))})
    answer = await leader.presses(leader.private, forged).answer()
    assert answer.text == "Il tavolo è andato avanti: eccolo com'è adesso."
