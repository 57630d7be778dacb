"""Games in which cards are selected first: every legal move has its buttons, and no button plays another move."""

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.messages import JsonObject
from locanda.texts.selection import cards_of_moves
from locanda.texts.table import PROBLEM_SENTENCES
from locanda.translations import Language, translations_in
from services.engine.table.fairness import shuffle
from services.telegram import callback_data
from services.telegram.callback_data import pack, unpack
from services.telegram.move_codes import code_of, move_of
from services.telegram.play.cards import cards_of_hand
from services.telegram.screens.hand import hand_alert, hand_screen
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.screen import ALERT_LIMIT, TEXT_LIMIT, Button, Screen
from services.telegram.screens.table import TableViewModel, event_line, table_screen
from tests.games.subjects import SUBJECTS
from tests.telegram.played_deals import PlayedDeal, played_deals
from tests.telegram.samples import REF, keys, read

GAMES = ["ramino", "diavoletto", "presidente"]
LANGUAGES: tuple[Language, ...] = ("it", "en")
SOME = 150
"""The number of states of play in a test."""

games = pytest.mark.parametrize("name", GAMES)


def some(name: str, seed: int) -> Iterator[PlayedDeal]:
    """Yield states of play with somebody on turn, from all main variants of a game."""
    under_way = (played for number, played in enumerate(played_deals(name, seed)) if number % 17 == seed)
    return islice((played for played in under_way if played.turn is not None), SOME)


def places_for(view_model: TableViewModel, move: JsonObject) -> set[int]:
    """Return the indices of the cards to select for a move."""
    table = view_model.table
    cards = cards_of_hand(table, translations_in("it"))
    assert table.deal
    [takes] = cards_of_moves(table.game, [move], table.deal)
    places: set[int] = set()
    for taken in takes.cards:
        fits = (at for at, card in enumerate(cards) if card.pile == taken.pile and card.card == taken.card)
        places.add(next(at for at in fits if at not in places))
    return places


def offered(screen: Screen) -> list[Button]:
    """Return the buttons that play a move."""
    return [button for button in keys(screen) if isinstance(button.data, callback_data.MakeMove)]


def move_on(name: str, button: Button) -> JsonObject:
    """Return the move that a button sends to the engine."""
    assert isinstance(button.data, callback_data.MakeMove)
    return move_of(name, button.data.code)


def after(played: PlayedDeal, move: JsonObject) -> Any:
    """Return the deal after a move."""
    return played.game.play(played.deal, msgspec.convert(move, played.game.move_type), shuffle)[0]


@games
def test_every_legal_move_has_a_button_once_its_cards_are_selected(name: str) -> None:
    for played in some(name, 3):
        view_model = played.view_model(played.turn)
        for move in Random(3).sample(view_model.table.moves, min(4, len(view_model.table.moves))):
            screen = hand_screen(played.view_model(played.turn, places_for(view_model, move)), "it")
            made = [move_on(name, button) for button in offered(screen)]
            assert any(after(played, other) == after(played, move) for other in made), (move, made)


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_legal_move_of_a_game_is_spelt_on_a_button_and_read_again(name: str) -> None:
    for played in some(name, 13):
        for move in played.table(played.turn).moves:
            code = code_of(name, move)
            assert after(played, move_of(name, code)) == after(played, move)
            button = callback_data.MakeMove(REF, 999_999_999, code)
            assert unpack(pack(button)) == button


@pytest.mark.parametrize("code", ["7h", "-", "p7h7d,", "draw,stock,", "hand,7h,new,", "end", "9/", "0/:?", "0/:"])
@pytest.mark.parametrize("name", SUBJECTS)
def test_no_button_of_another_release_or_of_a_forger_is_read_as_a_move(name: str, code: str) -> None:
    with pytest.raises((LookupError, ValueError)):
        move_of(name, code)


@games
def test_no_button_plays_what_is_not_allowed(name: str) -> None:
    rng = Random(4)
    for played in some(name, 4):
        cards = len(picks(hand_screen(played.view_model(played.turn), "it")))
        picked = rng.sample(range(cards), rng.randint(0, min(3, cards)))
        for button in offered(hand_screen(played.view_model(played.turn, picked), "it")):
            assert played.check(move_on(name, button)).legal, button


@games
def test_what_is_highlighted_is_a_legal_move_or_leads_to_one(name: str) -> None:
    for played in some(name, 5):
        screen = hand_screen(played.view_model(played.turn), "it")
        picked: set[int] = set()
        while not (picked and offered(screen)) and (bright := standing_out(screen)):
            picked.add(bright[-1])
            screen = hand_screen(played.view_model(played.turn, picked), "it")
        assert offered(screen) or picks(screen), (played.deal, picked)
        for button in offered(screen):
            assert not button.style or played.check(move_on(name, button)).legal, (played.deal, button)


@games
def test_of_legal_moves_only_what_ends_a_turn_is_not_highlighted(name: str) -> None:
    for played in some(name, 12):
        plain = [
            move_on(name, key) for key in offered(hand_screen(played.view_model(played.turn), "it")) if not key.style
        ]
        assert {move["type"] for move in plain} <= {"discard", "pass"}


def picks(screen: Screen) -> list[callback_data.PickCard]:
    """Return the callback data of the buttons that select or deselect a card."""
    return [key.data for key in keys(screen) if isinstance(key.data, callback_data.PickCard)]


def standing_out(screen: Screen) -> list[int]:
    """Return the indices of the highlighted cards."""
    bright = [key for key in keys(screen) if key.style == "primary"]
    return [key.data.place for key in bright if isinstance(key.data, callback_data.PickCard)]


@games
def test_every_screen_fits_and_every_button_is_packed_and_unpacked_the_same(name: str) -> None:
    for played in some(name, 6):
        for language in LANGUAGES:
            hand = hand_screen(played.view_model(played.turn, {0, 1}), language)
            table = table_screen(played.view_model(None), language)
            for screen in (hand, table):
                assert len(read(screen)) <= TEXT_LIMIT
                assert "{" not in read(screen)
                assert all(key.label and len(key.label) < 80 for key in keys(screen))
                assert all(key.data is not None and unpack(pack(key.data)) == key.data for key in keys(screen))
            assert len(hand_alert(played.view_model(played.turn), language)) <= ALERT_LIMIT


@games
def test_off_turn_nothing_can_be_played_and_nothing_is_highlighted(name: str) -> None:
    for played in islice(some(name, 7), 20):
        waiting = next(seat for seat in range(2) if seat != played.turn)
        screen = hand_screen(played.view_model(waiting), "it")
        assert offered(screen) == []
        assert [key.label for key in keys(screen) if key.style] == []


@games
def test_every_event_of_play_has_a_text_in_both_languages(name: str) -> None:
    for played in played_deals(name, 8):
        names = played.view_model(None).names
        for event, language in product(played.events, LANGUAGES):
            text = event_line(name, event, names, translations_in(language))
            assert text, event
            assert "{" not in text


@games
def test_every_refusal_of_the_game_has_its_own_text(name: str) -> None:
    codes = set()
    for played in islice(some(name, 9), 60):
        seen = played.table(played.turn)
        conceivable = list(SUBJECTS[name].moves(played.deal))
        for move in Random(9).sample(conceivable, min(60, len(conceivable))):
            refusal = played.game.check(played.deal, move)
            if refusal is None or refusal.code == "impossible":
                continue
            codes.add(refusal.code)
            facts = msgspec.to_builtins(refusal.facts)
            for language in LANGUAGES:
                text = refusal_text(refusal.code, facts, seen, language)
                assert text not in {translations_in(language).gettext(PROBLEM_SENTENCES["unknown"]), ""}, refusal
                assert "{" not in text, (refusal, text)
                assert len(text) <= ALERT_LIMIT
    assert len(codes) >= 5


@games
def test_the_group_never_sees_a_hand_or_a_selection(name: str) -> None:
    for played in islice(some(name, 10), 40):
        shown = table_screen(played.view_model(None, {0}), "it")
        assert "Hai scelto" not in read(shown)
        assert [type(key.data) for key in keys(shown)] == [callback_data.ShowHand, callback_data.OpenRules]
