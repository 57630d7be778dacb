import pytest
from msgspec import structs

from locanda.games.gatto_rosso.chat import SCREENS
from locanda.games.gatto_rosso.types import Options
from locanda.messages import Seat
from locanda.translations import Language, translations_in
from services.telegram.play.timeline import PlayedTurn
from services.telegram.screens.screen import TEXT_LIMIT
from services.telegram.screens.table import TableViewModel, table_screen
from tests.telegram.samples import key, keys, match, read, table, view, view_model


def spectators(**changes: object) -> TableViewModel:
    """Return the view model of the sample table for spectators in the group."""
    return view_model(table=table(you=None, moves=[], deal=view(seat=None, hand=None, **changes)))


def test_the_table_shows_the_trick_with_its_top_card_last_and_who_played_it() -> None:
    assert "5♥ ▸ 7♥ di Anna" in read(table_screen(spectators(), "it"))


def test_an_empty_table_shows_who_leads() -> None:
    assert "apre Bruno" in read(table_screen(spectators(table=(), last=None), "it"))


def test_a_long_trick_shows_its_last_cards() -> None:
    cards = ("Ah", "2h", "3h", "4h", "5h", "6h", "7h", "Jh", "Qh", "Kh")
    text = read(table_screen(spectators(table=cards), "en"))
    assert "… 3♥ 4♥ 5♥ 6♥ 7♥ J♥ Q♥ ▸ K♥" in text
    assert "A♥" not in text


def test_the_table_shows_what_each_holds_and_has_captured() -> None:
    text = read(table_screen(spectators(), "en"))
    assert "Anna · 3 in hand · 4 cards captured" in text
    assert "Ugo 🤖 · 4 in hand · 6 cards captured" in text


def test_the_table_shows_whose_turn_it_is_and_the_deadline_in_the_readers_time_zone() -> None:
    screen = table_screen(spectators(), "it")
    assert "È il turno di Bruno · ⏳ 1 minuto" in read(screen)
    assert '<tg-time unix="1769889660" format="T">' in screen.text


def test_no_deadline_is_shown_for_a_computer_player() -> None:
    assert "⏳" not in table_screen(spectators(turn=2), "it").text


def test_no_deadline_is_shown_where_the_turn_has_no_limit() -> None:
    assert "⏳" not in table_screen(view_model(table=table(turn_seconds=None, deadline=None)), "it").text


def test_the_table_marks_who_is_away_and_who_cannot_be_reached() -> None:
    seats = (Seat(0, "Anna", "person", None, away=True), *table().seats[1:])
    drawn = structs.replace(view_model(table=table(seats=seats)), unreachable=frozenset({1}))
    text = read(table_screen(drawn, "it"))
    assert "Anna · 3 in mano · 4 carte prese · assente" in text
    assert "Bruno · 3 in mano · 0 carte prese · irraggiungibile" in text


def test_the_last_events_are_shown_oldest_first() -> None:
    events = (
        {"type": "played", "seat": 2, "card": "2h"},
        {"type": "played", "seat": 0, "card": "5h"},
        {"type": "passed", "seat": 1},
        {"type": "timed_out", "seat": 2},
        {"type": "trick_taken", "seat": 0, "cards": ["2h", "5h"]},
        {"type": "refilled", "drawn": [1, 1, 1], "stock_count": 17},
    )
    text = read(table_screen(view_model(turns=(PlayedTurn(2, events),)), "it"))
    assert "Anna cala 5♥\nBruno passa\nTempo scaduto per Ugo 🤖\nAnna fa la presa: 2 carte" in text
    assert "2♥" not in text


def test_tables_of_one_group_have_letters() -> None:
    assert "tavolo B" in read(table_screen(view_model(letter="B"), "it"))
    assert "tavolo" not in read(table_screen(view_model(), "it")).splitlines()[0]


def test_a_match_of_several_deals_counts_them_and_the_points_so_far() -> None:
    drawn = view_model(table=table(options={"deals": 3}, match=match(deal=2, points=(21, 12, 7))))
    text = read(table_screen(drawn, "it"))
    assert "smazzata 2 di 3" in text
    assert "finora 21 carte prese" in text


def test_the_table_offers_the_hand_and_the_rules_and_nothing_to_play_with() -> None:
    assert [button.label for button in keys(table_screen(spectators(), "it"))] == ["La mia mano", "Regole"]


def test_the_end_of_the_stock_is_announced() -> None:
    assert "Il tallone è finito" in read(table_screen(spectators(stock_count=0), "it"))


def test_who_sits_out_of_the_trick_is_marked() -> None:
    drawn = spectators(options=Options(pass_lock=True), sitting_out=(0,))
    assert "Anna · 3 in mano · 4 carte prese · fuori da questa presa" in read(table_screen(drawn, "it"))


def test_a_name_cannot_break_the_message() -> None:
    seats = (Seat(0, "<b>&", "person", None, away=False), *table().seats[1:])
    assert "&lt;b&gt;&amp;" in table_screen(view_model(table=table(seats=seats)), "it").text


@pytest.mark.parametrize("language", ["it", "en"])
def test_ten_players_with_long_names_fit_in_a_message(language: Language) -> None:
    seats = tuple(Seat(number, f"{number}" + "&" * 31, "person", None, away=True) for number in range(10))
    deal = view(counts=(4,) * 10, captured=(40,) * 10, sitting_out=tuple(range(10)), table=("Ah",) * 40)
    events = tuple({"type": "trick_taken", "seat": number, "cards": ["Ah"] * 40} for number in range(10))
    drawn = view_model(
        table=table(seats=seats, deal=deal, options={"deals": 20}, match=match(deal=9, points=(360,) * 10)),
        place="&" * 128,
        letter="Z",
        turns=(PlayedTurn(0, events),),
        unreachable=frozenset(range(10)),
    )
    assert len(read(table_screen(drawn, language))) <= TEXT_LIMIT


def test_the_hand_of_the_viewer_is_not_on_the_table_even_when_the_view_holds_it() -> None:
    text = read(table_screen(view_model(), "it"))
    assert not any(card in text for card in ("K♠", "2♦", "A♥"))
    assert SCREENS.hand(view(), translations_in("it")) == "A♥ 2♦ K♠"


def test_the_button_of_the_hand_names_the_table_alone() -> None:
    assert key(table_screen(view_model(), "it"), "La mia mano").data is not None
