"""The screens of an open table: choice of the game, lobby and options."""

from typing import cast

import msgspec
import pytest
from msgspec import structs

from locanda.client import EngineClient
from locanda.games.installed import NAME
from locanda.games.registry import GAME_NAMES, WIRE_TYPES
from locanda.messages import GameInfo, MoveReason, Review, ReviewedMove
from locanda.texts.options import PRESET_TITLES, Option, changed, most_players, summary, with_preset
from services.engine.settings import MOST_PLAYERS
from services.telegram import callback_data
from services.telegram.callback_data import PRESETS
from services.telegram.screens.computers import opponents_screen, review_screen
from services.telegram.screens.lobby import (
    Lobby,
    choose_screen,
    closed_screen,
    lobby_screen,
    options_screen,
    started_screen,
)
from services.telegram.tables.lookup import GameCatalogue
from tests.telegram.samples import COMMITMENT, GAME, REF, key, keys, read, table

TELEGRAMS_MOST_BUTTONS = 100
EMPTY = Lobby(ref=REF, game=GAME, options={}, max_seats=10, turn_seconds=120, version=3)
FULL = structs.replace(EMPTY, seats=table().seats, version=9)


def test_the_games_are_offered_by_name() -> None:
    assert key(choose_screen(REF, [GAME], "it"), "🐈 Gatto Rosso Gatto Grigio").data == callback_data.ChooseGame(
        REF, "gatto_rosso"
    )
    assert key(choose_screen(REF, [GAME], "en"), "🐈 Red Cat Grey Cat").data == callback_data.ChooseGame(
        REF, "gatto_rosso"
    )


class Engine:
    async def games(self) -> list[GameInfo]:
        return [GAME, structs.replace(GAME, game="unknown")]


async def test_a_game_that_the_bot_cannot_draw_is_not_offered() -> None:
    assert await GameCatalogue(cast("EngineClient", Engine())).games() == [GAME]


def test_who_plays_alone_chooses_the_game_then_how_many_to_play_against_and_how_well_they_play() -> None:
    first = choose_screen(REF, [GAME], "it", alone=True)
    assert key(first, "🐈 Gatto Rosso Gatto Grigio").data == callback_data.ChooseGame(REF, "gatto_rosso")
    second = opponents_screen(REF, GAME, "it", options={})
    assert key(second, "difficile × 2").data == callback_data.ChooseGame(REF, "gatto_rosso", 2, "hard")
    assert [button.label for button in second.rows[1]] == ["facile × 1", "facile × 2", "facile × 3"]


def test_who_plays_alone_may_choose_a_preset_which_goes_with_the_opponents() -> None:
    assert key(opponents_screen(REF, GAME, "it", options={}), "Lunga").data == callback_data.ChooseGame(
        REF, "gatto_rosso", preset="long"
    )
    chosen = opponents_screen(REF, GAME, "it", options={"deals": 3}, preset="long")
    assert key(chosen, "medio × 1").data == callback_data.ChooseGame(REF, "gatto_rosso", 1, "medium", "long")
    assert "Smazzate" in read(chosen) or "Deals" in read(chosen)


def test_a_computer_player_has_a_button_that_sets_the_next_level() -> None:
    assert key(lobby_screen(FULL, "it"), "🤖 Ugo: medio").data == callback_data.ChangeLevel(REF, 2, "hard")


def test_substitutes_and_hints_are_among_the_options_once_somebody_sits() -> None:
    screen = options_screen(FULL, "it")
    assert key(screen, "Sostituti: medio").data == callback_data.SetSubstitutes(REF, "hard")
    assert key(screen, "Consigli: no").data == callback_data.SetHints(REF, allowed=True)
    assert "Consigli: no" not in [button.label for button in keys(options_screen(EMPTY, "it"))]


def test_a_review_shows_the_costliest_moves_of_each_deal() -> None:
    seen = table()
    costly = ReviewedMove(
        4, {"type": "play", "card": "7h"}, {"type": "pass"}, 0.25, MoveReason("x", "Costa poco."), seen.deal
    )
    fine = ReviewedMove(1, {"type": "pass"}, {"type": "pass"}, 0.0, MoveReason("x", "Costa poco."))
    review = Review([fine, costly], [4], choices=9, same=7, others=[2])
    text = read(review_screen(seen, [review], "it"))
    assert "Smazzata 1: 7 scelte su 9 sono quelle di un giocatore forte." in text
    assert "Ben giocato" not in text
    assert "tu 7♥, meglio Passo. Costa poco." in text
    assert "avrebbe scelto diversamente anche alla mossa 3" in text


def test_a_deal_is_praised_only_where_the_engine_says_so() -> None:
    fine = ReviewedMove(1, {"type": "pass"}, {"type": "pass"}, 0.0, MoveReason("x", "Costa poco."))
    praised = Review([fine], [], choices=9, same=9, well_played=True)
    heading = "9 scelte su 9 sono quelle di un giocatore forte."
    assert f"{heading} Ben giocato!" in read(review_screen(table(), [praised], "it"))
    assert "Ben giocato" not in read(review_screen(table(), [Review([fine], [])], "it"))


def test_the_lobby_shows_who_sits_and_how_many_seats_are_free() -> None:
    text = read(lobby_screen(FULL, "it"))
    assert "👤 Anna\n👤 Bruno\n🤖 Ugo · medio\n7 posti liberi" in text
    assert "Tempo per mossa: 2 minuti" in text


def test_a_full_lobby_says_so_and_offers_no_seat() -> None:
    screen = lobby_screen(structs.replace(FULL, max_seats=3), "it")
    assert "🤖 Ugo · medio\nNon ci sono posti liberi\n" in read(screen)
    assert "Si può cominciare." in read(screen)
    labels = [button.label for button in keys(screen)]
    assert labels[:3] == ["Alzati", "− Computer", "🤖 Ugo: medio"]


def test_options_tell_how_many_they_admit_before_a_table_is_open() -> None:
    assert (most_players(GAME, {}), most_players(GAME, {"three_suits": "s"})) == (10, 2)


def test_an_empty_lobby_shows_how_many_are_missing_and_cannot_start() -> None:
    screen = lobby_screen(EMPTY, "it")
    assert "Ne mancano 2 per cominciare" in read(screen)
    assert "Si comincia" not in [button.label for button in keys(screen)]


def test_a_lobby_with_enough_people_can_start_at_this_version() -> None:
    assert key(lobby_screen(FULL, "it"), "Si comincia").data == callback_data.StartMatch(REF, 9)


def test_the_lobby_has_its_buttons() -> None:
    labels = [button.label for button in keys(lobby_screen(FULL, "it"))]
    assert labels[:7] == ["Siediti", "Alzati", "+ Computer", "− Computer", "🤖 Ugo: medio", "Opzioni", "Regole"]


def test_a_computer_player_can_be_sent_away_only_where_one_sits() -> None:
    assert "− Computer" not in [button.label for button in keys(lobby_screen(EMPTY, "it"))]


def test_the_lobby_shows_which_options_are_on() -> None:
    options = {"cats": True, "three_suits": "s", "deals": 3}
    lines = summary(GAME, options, "en")
    assert lines == ["The cats", "Three suits: without spades", "Deals: 3"]
    assert "⚙️ Three suits: without spades" in read(lobby_screen(structs.replace(FULL, differing=tuple(lines)), "en"))


def test_options_with_their_default_are_not_shown() -> None:
    assert summary(GAME, {}, "it") == []


def test_each_option_is_a_button_that_sets_its_next_value() -> None:
    screen = options_screen(EMPTY, "it")
    assert key(screen, "The cats: no").data == callback_data.SetOption(REF, 3, "cats", 1)
    assert key(screen, "Three suits: all four suits").data == callback_data.SetOption(REF, 3, "three_suits", 1)
    assert key(screen, "+").data == callback_data.SetOption(REF, 3, "deals", 2)
    assert key(screen, "−").data == callback_data.SetOption(REF, 3, "deals", 1)


def test_a_number_stays_within_its_bounds() -> None:
    most = structs.replace(EMPTY, options={"deals": 20})
    assert key(options_screen(most, "it"), "+").data == callback_data.SetOption(REF, 3, "deals", 20)


def test_a_number_with_many_values_moves_in_large_steps() -> None:
    target = Option("target", "Target", "", 101, least=1, most=1000)
    assert [target.next_to(number, 1) for number in (101, 60, 990, 1000)] == [151, 101, 1000, 1000]
    assert [target.next_to(number, -1) for number in (101, 60, 51, 1)] == [51, 51, 1, 1]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_each_preset_of_a_game_sets_options_that_it_has_and_differs_from_the_others(game: str) -> None:
    types = WIRE_TYPES[game]
    set_to = [msgspec.convert(types.PRESETS[preset], types.Options) for preset in PRESET_TITLES]
    assert len(set(set_to)) == len(PRESET_TITLES)


def test_presets_come_before_the_options_and_the_one_that_holds_is_marked() -> None:
    screen = options_screen(structs.replace(EMPTY, options={"deals": 3, "cats": True}), "it")
    assert [button.label for button in screen.rows[0]] == ["Veloce", "● Classica", "Lunga"]
    assert key(screen, "Lunga").data == callback_data.ApplyPreset(REF, "long")
    assert "Lunga · Deals: 5" in read(screen)


def test_a_preset_leaves_the_other_options() -> None:
    assert with_preset(GAME, {"deals": 5, "cats": True}, "quick") == {"cats": True}


def test_a_tapped_option_changes_and_one_set_back_is_left_out() -> None:
    assert changed(GAME, {}, "three_suits", 1) == {"three_suits": "s"}
    assert changed(GAME, {"three_suits": "s", "cats": True}, "three_suits", 0) == {"cats": True}
    assert changed(GAME, {}, "deals", 3) == {"deals": 3}


def test_the_time_for_a_turn_is_chosen_from_seven() -> None:
    screen = options_screen(EMPTY, "it")
    times = [button for button in keys(screen) if isinstance(button.data, callback_data.SetTime)]
    assert [button.data.seconds for button in times if isinstance(button.data, callback_data.SetTime)] == [
        0, 30, 60, 120, 300, 3600, 86_400,
    ]  # fmt: skip
    assert {"● 2 minuti", "senza limite"} < {button.label for button in times}


def test_a_started_lobby_keeps_the_fingerprint_of_the_shuffle_and_no_buttons() -> None:
    screen = started_screen(structs.replace(FULL, commitment=COMMITMENT), "it")
    assert COMMITMENT in read(screen)
    assert screen.rows == ()
    assert closed_screen(FULL, "it").rows == ()


def test_own_players_of_the_server_stand_behind_its_levels_on_every_button() -> None:
    game = structs.replace(GAME, levels=(*GAME.levels, "@ada", "@twelvelong12"))
    screen = opponents_screen(REF, game, "it", options={}, preset="classic")
    assert key(screen, "giocatore ada × 1").data == callback_data.ChooseGame(REF, game.game, 1, "@ada", "classic")
    assert key(screen, "giocatore twelvelong12 × 1").label == "giocatore twelvelong12 × 1"
    lobby = structs.replace(FULL, game=game, seats=(FULL.seats[0], structs.replace(FULL.seats[2], level="hard")))
    assert key(lobby_screen(lobby, "it"), "🤖 Ugo: difficile").data == callback_data.ChangeLevel(REF, 2, "@ada")


def test_the_longest_names_of_a_game_and_an_own_player_have_room_on_every_button() -> None:
    longest = "a23456789_123456789_1234"
    assert NAME.fullmatch(longest)
    assert not NAME.fullmatch(f"{longest}5")
    for preset in PRESETS:
        data = callback_data.ChooseGame(REF, longest, 3, "@twelvelong12", preset)
        assert callback_data.unpack(callback_data.pack(data)) == data


def test_a_chat_has_room_for_the_buttons_of_all_own_players() -> None:
    levels = tuple(f"@ada{number}" for number in range(2 * MOST_PLAYERS))
    game = structs.replace(GAME, levels=(*GAME.levels, *levels))
    assert len(keys(opponents_screen(REF, game, "it", options={}))) <= TELEGRAMS_MOST_BUTTONS
