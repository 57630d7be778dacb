"""The news in hands: other players' events since the viewer's last turn, with names and cards."""

from collections.abc import Iterator, Sequence
from itertools import chain, product, takewhile
from random import Random

import msgspec
import pytest
from msgspec import structs

from locanda.games.choosing import choose_quickly
from locanda.games.players import Situation
from locanda.games.rules import GAMES
from locanda.messages import JsonObject, Seat
from locanda.texts.chat import lines_on_a_phone, visible
from locanda.texts.games import short_names
from locanda.translations import Language, translations_in
from services.engine.table.fairness import shuffle
from services.telegram.play.timeline import PlayedTurn
from services.telegram.screens.hand import hand_screen
from services.telegram.screens.screen import PHONE_LINES
from services.telegram.screens.table import TableViewModel, event_line, in_one
from tests.telegram.played_deals import PlayedDeal

TABLES = [("gatto_rosso", 5), ("ramino", 4), ("diavoletto", 2), ("presidente", 5)]
LEAST = 0.95
LANGUAGES: tuple[Language, ...] = ("it", "en")


def turns_begun(name: str, seats: int, seed: int) -> Iterator[PlayedDeal]:
    """Yield the states of a deal between computer players at the beginning of each turn."""
    game, rng = GAMES[name], Random(seed)
    ranking = tuple((seat,) for seat in range(seats))
    deal = game.deal(game.options(), seats, 0, rng.randbytes(32), shuffle, ranking)
    turns, history = [PlayedTurn(None, ())], list[object]()
    while deal.turn is not None:
        seat = deal.turn
        if turns[-1].seat != seat:
            yield PlayedDeal(name, deal, tuple(turns))
            turns.append(PlayedTurn(seat, ()))
        situation = Situation(game.view(deal, seat), tuple(history))
        deal, events = game.play(deal, choose_quickly(game, situation, "medium", rng).move, shuffle)
        history += events
        turns[-1] = PlayedTurn(seat, turns[-1].events + tuple(msgspec.to_builtins(events)))


def of_others(model: TableViewModel) -> list[JsonObject]:
    """Return other players' events since the viewer's last turn."""
    since = takewhile(lambda turn: turn.seat != model.table.you, reversed(model.turns))
    return [event for turn in since for event in turn.events if event.get("seat", model.table.you) != model.table.you]


def is_shown(event: JsonObject, text: str, model: TableViewModel, language: Language) -> bool:
    """Return whether a text names the player of an event, and all cards that the event's own line names."""
    translations = translations_in(language)
    line = visible(event_line(model.table.game, event, model.names, translations))
    named = [event.get("card"), *event.get("cards", ())]
    short = short_names(model.table.game, translations)
    cards = [short[card] for card in named if isinstance(card, str) and short[card] in line]
    return not line or all(part in text for part in (model.names[event["seat"]], *cards))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_hand_tells_nearly_all_that_others_did(name: str, seats: int) -> None:
    turns = [played for seed in (1, 2) for played in turns_begun(name, seats, seed)]
    for alone, language in product((False, True), LANGUAGES):
        shown = list(chain.from_iterable(shown_in_hand(played, alone=alone, language=language) for played in turns))
        assert sum(shown) >= LEAST * len(shown), (alone, language)


def shown_in_hand(played: PlayedDeal, *, alone: bool, language: Language) -> list[bool]:
    """Return for each event of others since the last turn whether the hand tells it."""
    model = structs.replace(played.view_model(played.turn), alone=alone, place="" if alone else "Amici del venerdì")
    if alone:
        others = (seat.seat != model.table.you for seat in model.table.seats)
        kinds: Sequence[Seat] = [
            structs.replace(seat, kind="computer") if other else seat
            for seat, other in zip(model.table.seats, others, strict=True)
        ]
        model = structs.replace(model, table=structs.replace(model.table, seats=tuple(kinds)))
    text = hand_screen(model, language).text
    assert lines_on_a_phone(text) <= PHONE_LINES
    return [is_shown(event, visible(text), model, language) for event in of_others(model)]


def test_cards_that_go_to_the_same_place_are_told_with_one_verb() -> None:
    lines = ["<b>Ugo</b> plays 2♥ on build 1", "<b>Ugo</b> plays 3♦ on build 1", "<b>Ugo</b> plays 9♠ on build 2"]
    assert in_one(lines) == "<i><b>Ugo</b> plays 2♥, 3♦ on build 1, 9♠ on build 2</i>"
    assert in_one(["<b>Ugo</b> draws from the stock", "<b>Ugo</b> discards II", "<b>Pia</b> draws from the stock"]) == (
        "<i><b>Ugo</b> draws from the stock, discards II. <b>Pia</b> draws from the stock</i>"
    )
