"""Games in which cards are taken up first: every legal move can be tapped together, and nothing else can be played."""

from collections.abc import Iterator
from itertools import chain, islice, product
from random import Random
from typing import Any

import msgspec
import pytest

from services.engine.fairness import shuffle
from services.telegram import buttons
from services.telegram.buttons import pack, unpack
from services.telegram.screens.acts import act
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.hand import hand_alert, hand_screen
from services.telegram.screens.refusals import TEXTS, explained
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import ALERT_LIMIT, TEXT_LIMIT, Button, Screen
from services.telegram.screens.selecting import selecting
from services.telegram.screens.table import table_screen
from shared.messages import JsonObject
from shared.translate import Language, translator
from tests.engine.games.subjects import SUBJECTS
from tests.telegram.played import Played, moments
from tests.telegram.scenes import keys, read

GAMES = ["ramino", "diavoletto", "presidente"]
LANGUAGES: tuple[Language, ...] = ("it", "en")
SOME = 150
"""Moments of play that a test looks at."""

games = pytest.mark.parametrize("name", GAMES)


def some(name: str, seed: int) -> Iterator[Played]:
    """Moments of play with somebody on turn, from all variants."""
    under_way = (played for number, played in enumerate(moments(name, seed)) if number % 17 == seed)
    return islice((played for played in under_way if played.turn is not None), SOME)


def places_for(scene: Scene, move: JsonObject) -> set[int]:
    """The cards that have to be taken up for a move."""
    how = selecting(scene.table)
    assert how is not None
    pieces = list(chain.from_iterable(how.pieces(scene.table.deal, translator("it"))))
    places: set[int] = set()
    for choice in how.takes(move):
        places.add(next(at for at, piece in enumerate(pieces) if piece.choice == choice and at not in places))
    return places


def offered(screen: Screen) -> list[Button]:
    """The buttons that play."""
    return [button for button in keys(screen) if isinstance(button.tap, buttons.Move)]


def move_of(name: str, button: Button) -> JsonObject:
    """What the engine is asked to play when a button is tapped."""
    assert isinstance(button.tap, buttons.Move)
    return DRAWINGS[name].move(button.tap.code)


def after(played: Played, move: JsonObject) -> Any:
    """The deal after a move."""
    return played.game.play(played.deal, msgspec.convert(move, played.game.move_type), shuffle)[0]


@games
def test_every_legal_move_has_a_button_once_its_cards_are_taken_up(name: str) -> None:
    for played in some(name, 3):
        scene = played.scene(played.turn)
        for move in Random(3).sample(scene.table.moves, min(4, len(scene.table.moves))):
            screen = hand_screen(played.scene(played.turn, places_for(scene, move)), "it")
            made = [move_of(name, button) for button in offered(screen)]
            assert any(after(played, each) == after(played, move) for each in made), (move, made)


@games
def test_no_button_plays_what_is_not_allowed(name: str) -> None:
    rng = Random(4)
    for played in some(name, 4):
        pieces = len(picks(hand_screen(played.scene(played.turn), "it")))
        picked = rng.sample(range(pieces), rng.randint(0, min(3, pieces)))
        for button in offered(hand_screen(played.scene(played.turn, picked), "it")):
            assert played.check(move_of(name, button)).legal, button


@games
def test_cards_that_stand_out_lead_on_to_a_legal_move(name: str) -> None:
    for played in some(name, 5):
        screen = hand_screen(played.scene(played.turn), "it")
        picked: set[int] = set()
        while not (picked and offered(screen)) and (bright := standing_out(screen)):
            picked.add(bright[-1])
            screen = hand_screen(played.scene(played.turn, picked), "it")
        assert offered(screen), (played.deal, picked)


def picks(screen: Screen) -> list[buttons.Pick]:
    """The buttons that take a card up or put it back."""
    return [key.tap for key in keys(screen) if isinstance(key.tap, buttons.Pick)]


def standing_out(screen: Screen) -> list[int]:
    """The places of the cards that stand out."""
    found = [key for key in keys(screen) if key.style == "primary"]
    return [key.tap.place for key in found if isinstance(key.tap, buttons.Pick)]


@games
def test_every_screen_fits_and_every_button_survives_the_way(name: str) -> None:
    for played in some(name, 6):
        for language in LANGUAGES:
            hand = hand_screen(played.scene(played.turn, {0, 1}), language)
            table = table_screen(played.scene(None), language)
            for screen in (hand, table):
                assert len(read(screen)) <= TEXT_LIMIT
                assert "{" not in read(screen)
                assert all(key.label and len(key.label) < 80 for key in keys(screen))
                assert all(key.tap is not None and unpack(pack(key.tap)) == key.tap for key in keys(screen))
            assert len(hand_alert(played.scene(played.turn), language)) <= ALERT_LIMIT


@games
def test_off_turn_nothing_can_be_played_and_nothing_stands_out(name: str) -> None:
    for played in islice(some(name, 7), 20):
        waiting = next(seat for seat in range(2) if seat != played.turn)
        screen = hand_screen(played.scene(waiting), "it")
        assert offered(screen) == []
        assert [key.label for key in keys(screen) if key.style] == []


@games
def test_every_event_of_play_is_told_in_both_languages(name: str) -> None:
    for played in moments(name, 8):
        names = played.scene(None).names
        for event, language in product(played.events, LANGUAGES):
            text = act(name, event, names, translator(language))
            assert text, event
            assert "{" not in text


@games
def test_every_refusal_of_the_game_has_words_of_its_own(name: str) -> None:
    heard = set()
    for played in islice(some(name, 9), 60):
        seen = played.table(played.turn)
        conceivable = list(SUBJECTS[name].moves(played.deal))
        for move in Random(9).sample(conceivable, min(60, len(conceivable))):
            refusal = played.game.check(played.deal, move)
            if refusal is None or refusal.code == "impossible":
                continue
            heard.add(refusal.code)
            facts = msgspec.to_builtins(refusal.facts)
            for language in LANGUAGES:
                text = explained(refusal.code, facts, seen, language)
                assert text not in {translator(language).gettext(TEXTS["unknown"]), ""}, refusal
                assert "{" not in text, (refusal, text)
                assert len(text) <= ALERT_LIMIT
    assert len(heard) >= 5


@games
def test_the_group_never_sees_a_hand_or_what_is_taken_up(name: str) -> None:
    for played in islice(some(name, 10), 40):
        shown = table_screen(played.scene(None, {0}), "it")
        assert "Hai scelto" not in read(shown)
        assert [type(key.tap) for key in keys(shown)] == [buttons.Hand, buttons.OpenRules]
