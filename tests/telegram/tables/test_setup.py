"""Computer players in chats: levels, substitutes, hints, and the review of a match."""

import pytest

from locanda.messages import OwnServer
from locanda.messages.own_players import OwnPlayer
from services.engine.service.administration import Operator
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, plays, plays_until, plays_until_one_has_one_card
from tests.telegram.lobby_steps import open_lobby, practise, sit

pytestmark = pytest.mark.usefixtures("inline")


async def test_hints_and_substitutes_are_set_among_the_options(harness: BotHarness, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    await anna.taps(group, "Opzioni")
    await group.sees(button="Consigli: no")
    await anna.taps(group, "Consigli: no")
    await group.sees(button="Consigli: sì")
    await anna.taps(group, "Sostituti: medio")
    await group.sees(button="Sostituti: difficile")


async def test_in_practice_a_hint_names_a_move_that_is_on_the_buttons(harness: BotHarness, anna: Person) -> None:
    await practise(anna, "facile × 1")
    hand = await anna.private.sees("Tocca a te")
    answer = await anna.taps(anna.private, "💡 Consiglio", message=hand)
    assert answer.alert
    assert (answer.text or "").startswith("💡 ")
    move = (answer.text or "").removeprefix("💡 ").splitlines()[0]
    assert move in hand.labels
    assert len((answer.text or "").splitlines()) == 2, "the move, and why"


async def test_an_old_hint_button_shows_that_the_table_has_moved_on_as_an_old_card_does(
    harness: BotHarness, anna: Person
) -> None:
    await practise(anna, "facile × 1")
    hand = await anna.private.sees("Tocca a te")
    hint = hand.button("💡 Consiglio")
    await plays(anna)
    await anna.private.until(lambda place: any("Tocca a te" in message.text for message in place.messages))
    assert (await anna.taps(anna.private, hint)).text == "La mano è cambiata: eccola."


async def test_a_hand_has_no_hint_where_the_table_allows_none(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.taps(group, "+ Computer")
    await group.sees(button="Si comincia")
    await anna.taps(group, "Si comincia")
    hand = await anna.private.sees(button="Passo")
    assert "💡 Consiglio" not in hand.labels


async def test_after_a_match_one_looks_back_at_ones_moves(harness: BotHarness, anna: Person) -> None:
    await practise(anna, "facile × 1")
    await anna.private.sees("Tocca a te")
    await plays_until_one_has_one_card(harness, [anna])
    await plays_until([anna], lambda: anna.private.shows(button="🔍 Le mie mosse"))
    assert (await anna.taps(anna.private, "🔍 Le mie mosse")).text == "Guardo: ti scrivo in privato."
    review = await anna.private.sees("accanto a quelle di un giocatore forte")
    assert "Smazzata 1: " in review.text


async def add_ada(harness: BotHarness) -> None:
    """Add an own player as the server's operator; its address is never called."""
    ada = OwnPlayer("ada", OwnServer("https://127.0.0.1:1/"))
    await harness.administered.administration.add_player(ada, Operator("127.0.0.1", "test"))
    assert harness.context is not None
    await harness.context.catalogue.look()  # the bot does this each minute


async def test_alone_with_the_bot_one_plays_an_own_player_of_the_server(harness: BotHarness, anna: Person) -> None:
    await add_ada(harness)
    await practise(anna, "giocatore ada × 1")
    for _ in range(2):
        await anna.private.sees("Tocca a te")
        await plays(anna)


async def test_a_match_with_an_own_player_that_was_added_meanwhile_is_in_no_leaderboard(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    await anna.taps(group, "+ Computer")
    await group.sees(button=": medio")
    await add_ada(harness)
    for level in ("difficile", "giocatore ada"):
        await anna.taps(group, "🤖 ")
        await group.sees(button=f": {level}")
    await anna.taps(group, "Si comincia")
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    await harness.settle()
    assert anna.private.shows("Il tuo punteggio in classifica") is None
    await anna.says(group, "/classifica")
    await group.sees("Qui nessuno ha ancora finito una partita.")
