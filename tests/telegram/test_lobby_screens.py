from msgspec import structs

from services.telegram import buttons
from services.telegram.records import Chat, Person, Standing
from services.telegram.screens.board import board_screen
from services.telegram.screens.house import forget_screen, group_screen, person_screen
from services.telegram.screens.lobby import (
    Lobby,
    alone_screen,
    choose_screen,
    closed_screen,
    lobby_screen,
    started_screen,
)
from services.telegram.screens.options import options_screen
from services.telegram.screens.rules import pages, rules_screen
from services.telegram.screens.talk import commands_of, help_screen, nudge_screen, seated_screen
from shared.words.options import changed, summary
from tests.telegram.scenes import COMMITMENT, GAME, REF, key, keys, read, table

EMPTY = Lobby(ref=REF, game=GAME, options={}, turn_seconds=120, version=3)
FULL = structs.replace(EMPTY, seats=table().seats, version=9)


def test_the_games_are_offered_by_name() -> None:
    assert key(choose_screen(REF, [GAME], "it"), "🐈 Gatto Rosso Gatto Grigio").tap == buttons.Choose(
        REF, "gatto_rosso"
    )
    assert key(choose_screen(REF, [GAME], "en"), "🐈 Red Cat Grey Cat").tap == buttons.Choose(REF, "gatto_rosso")


def test_a_game_that_the_bot_cannot_draw_is_not_offered() -> None:
    assert choose_screen(REF, [structs.replace(GAME, game="tresette")], "it").rows == ()


def test_who_plays_alone_chooses_how_many_to_play_against() -> None:
    screen = alone_screen(REF, [GAME], "it")
    assert key(screen, "🐈 2 computer").tap == buttons.Choose(REF, "gatto_rosso", 2)


def test_the_lobby_shows_who_sits_and_how_many_seats_are_free() -> None:
    text = read(lobby_screen(FULL, "it"))
    assert "👤 Anna\n👤 Bruno\n🤖 Ugo\n7 posti liberi" in text
    assert "Tempo per mossa: 2 minuti" in text


def test_an_empty_lobby_says_how_many_are_missing_and_cannot_start() -> None:
    screen = lobby_screen(EMPTY, "it")
    assert "Ne mancano 2 per cominciare" in read(screen)
    assert "Si comincia" not in [button.label for button in keys(screen)]


def test_a_lobby_with_enough_people_can_start_at_this_version() -> None:
    assert key(lobby_screen(FULL, "it"), "Si comincia").tap == buttons.Start(REF, 9)


def test_the_lobby_has_its_buttons() -> None:
    labels = [button.label for button in keys(lobby_screen(FULL, "it"))]
    assert labels[:7] == ["Siediti", "Alzati", "+ Computer", "− Computer", "Opzioni", "Regole", "Chiudi"]


def test_a_computer_player_can_be_sent_away_only_where_one_sits() -> None:
    assert "− Computer" not in [button.label for button in keys(lobby_screen(EMPTY, "it"))]


def test_the_lobby_tells_which_options_are_on() -> None:
    options = {"cats": True, "three_suits": "s", "deals": 3}
    lines = summary(GAME, options, "en")
    assert lines == ["The cats", "Three suits: without spades", "Deals: 3"]
    assert "⚙️ Three suits: without spades" in read(lobby_screen(structs.replace(FULL, differing=tuple(lines)), "en"))


def test_options_that_are_as_usual_are_not_told() -> None:
    assert summary(GAME, {}, "it") == []


def test_each_option_is_a_button_that_sets_its_next_value() -> None:
    screen = options_screen(EMPTY, "it")
    assert key(screen, "The cats: no").tap == buttons.SetOption(REF, 3, "cats", 1)
    assert key(screen, "Three suits: all four suits").tap == buttons.SetOption(REF, 3, "three_suits", 1)
    assert key(screen, "+").tap == buttons.SetOption(REF, 3, "deals", 2)
    assert key(screen, "−").tap == buttons.SetOption(REF, 3, "deals", 1)


def test_a_number_stays_within_its_bounds() -> None:
    most = structs.replace(EMPTY, options={"deals": 20})
    assert key(options_screen(most, "it"), "+").tap == buttons.SetOption(REF, 3, "deals", 20)


def test_a_tapped_option_changes_and_one_set_back_is_left_out() -> None:
    assert changed(GAME, {}, "three_suits", 1) == {"three_suits": "s"}
    assert changed(GAME, {"three_suits": "s", "cats": True}, "three_suits", 0) == {"cats": True}
    assert changed(GAME, {}, "deals", 3) == {"deals": 3}


def test_the_time_for_a_turn_is_chosen_from_seven() -> None:
    screen = options_screen(EMPTY, "it")
    times = [button for button in keys(screen) if isinstance(button.tap, buttons.SetTime)]
    assert [button.tap.seconds for button in times if isinstance(button.tap, buttons.SetTime)] == [
        0, 30, 60, 120, 300, 3600, 86_400,
    ]  # fmt: skip
    assert {"● 2 minuti", "senza limite"} < {button.label for button in times}


def test_a_started_lobby_keeps_the_fingerprint_of_the_shuffle_and_no_buttons() -> None:
    screen = started_screen(structs.replace(FULL, commitment=COMMITMENT), "it")
    assert COMMITMENT in read(screen)
    assert screen.rows == ()
    assert closed_screen(FULL, "it").rows == ()


def test_the_settings_show_what_is_and_offer_what_may_be() -> None:
    chat = Chat(-5, language="it", seconds=60, hosts="admins", nudges=False)
    screen = group_screen(chat, "it")
    text = read(screen)
    assert "Lingua: Italiano" in text
    assert "Tempo per mossa ai tavoli nuovi: 1 minuto" in text
    assert "Chi apre e chiude i tavoli: gli amministratori" in text
    assert "Solleciti (/sollecita): spenti" in text
    assert key(screen, "Tavoli: tutti").tap == buttons.SetHouse("hosts", 0)
    assert key(screen, "Accendi i solleciti").tap == buttons.SetHouse("nudges", 1)
    assert key(screen, "English").tap == buttons.SetHouse("language", 1)


def test_a_person_chooses_his_own_language() -> None:
    labels = [button.label for button in keys(person_screen(Person(1, "Anna", "it"), "it"))]
    assert labels == ["● Italiano", "English"]


def test_forgetting_is_offered_in_part_and_as_a_whole() -> None:
    assert [button.tap for button in keys(forget_screen("it"))] == [
        buttons.Forget("boards"), buttons.Forget("all"), buttons.Forget("nothing"),
    ]  # fmt: skip


def test_the_leaderboard_ranks_by_wins_then_by_fewer_matches() -> None:
    standings = [Standing(1, "Anna", 1, 5), Standing(2, "Bruno", 3, 4), Standing(3, "Carla", 1, 1)]
    text = read(board_screen(GAME, standings, [GAME], "it"))
    assert "🥇 Bruno · 3 vittorie · 4 partite\n🥈 Carla · 1 vittoria · 1 partita\n🥉 Anna" in text


def test_an_empty_leaderboard_says_so() -> None:
    assert "nessuno ha ancora finito" in read(board_screen(GAME, [], [GAME], "it"))


RULES = "# Title & more\n\nA *soft* and **strong** line with `7h`.\n\n- one\n- two <b>\n\n## Next\n\n" + "long " * 500


def test_rules_are_cut_into_pages_that_keep_the_markup() -> None:
    first = pages(RULES)[0]
    assert "<b>Title &amp; more</b>" in first
    assert "<i>soft</i> and <b>strong</b> line with <code>7h</code>" in first
    assert "• one\n• two &lt;b&gt;" in first
    assert all(len(page) < 4096 for page in pages(RULES))


def test_the_pages_of_the_rules_turn_and_end() -> None:
    last = len(pages(RULES)) - 1
    assert key(rules_screen("gatto_rosso", RULES, 0, "it"), "▶️").tap == buttons.Rules("gatto_rosso", 1)
    assert "▶️" not in [button.label for button in keys(rules_screen("gatto_rosso", RULES, last, "it"))]
    assert read(rules_screen("gatto_rosso", RULES, 99, "it")) == read(rules_screen("gatto_rosso", RULES, last, "it"))


def test_the_rules_at_a_table_mark_the_variants_that_are_on() -> None:
    text = read(rules_screen("gatto_rosso", RULES, 0, "it", ref=REF, variants=("I gatti",)))
    assert "A questo tavolo valgono:\n✅ I gatti" in text


def test_the_help_names_the_commands_in_each_language() -> None:
    assert "/gioca" in read(help_screen("it"))
    assert "/play" in read(help_screen("en"))
    assert len(commands_of("it")) == len(commands_of("en")) == len(set(dict(commands_of("it"))))


def test_a_nudge_makes_the_phone_of_that_person_ring() -> None:
    assert '<a href="tg://user?id=42">Anna</a>, tocca a te!' in nudge_screen(42, "Anna", "it").text


def test_whoever_sat_down_by_link_finds_the_way_back() -> None:
    assert key(seated_screen("Amici", "https://t.me/c/1/2", "it"), "Torna al gruppo").url == "https://t.me/c/1/2"
    assert seated_screen("Amici", "", "it").rows == ()
