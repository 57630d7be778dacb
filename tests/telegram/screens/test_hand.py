import pytest
from msgspec import structs

from locanda.games.registry import GAME_NAMES
from locanda.messages import Seat
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.move_codes import code_of
from services.telegram.records import FACE_DOWN
from services.telegram.screens.hand import (
    content_while_waiting,
    hand_alert,
    hand_screen,
    leave_screen,
    left_screen,
    remark_rows,
)
from services.telegram.screens.screen import ALERT_LIMIT, Screen
from tests.telegram.played_deals import played_deals
from tests.telegram.samples import REF, key, keys, over, read, table, view, view_model


def test_all_cards_are_buttons_by_suit_and_rank_and_so_is_the_pass() -> None:
    labels = [button.label for button in keys(hand_screen(view_model(), "it"))]
    assert labels == ["A♥", "2♦", "K♠", "Passo", "Regole", "Lascio il tavolo", "💬"]


def test_the_cards_that_may_be_played_are_highlighted() -> None:
    screen = hand_screen(view_model(), "it")
    assert key(screen, "2♦").style == "primary"
    assert key(screen, "K♠").style is None
    assert key(screen, "Passo").style is None


def test_a_pass_that_is_allowed_is_highlighted() -> None:
    screen = hand_screen(view_model(table=table(moves=[{"type": "pass"}])), "it")
    assert key(screen, "Passo").style == "primary"
    assert "Non hai niente che superi 7♥: devi passare." in read(screen)
    empty = table(moves=[{"type": "pass"}], deal=view(hand=()))
    assert "Sei senza carte: devi passare." in read(hand_screen(view_model(table=empty), "it"))


def test_one_for_whom_the_bot_passes_reads_that_and_is_not_told_that_it_is_their_turn() -> None:
    forced = table(moves=[{"type": "pass"}])
    text = read(hand_screen(view_model(table=forced, passes=True), "it"))
    assert "Non puoi giocare niente: passo io per te." in text
    assert "Tocca a te" not in text


def test_a_card_plays_at_this_table_and_version() -> None:
    assert key(hand_screen(view_model(), "it"), "2♦").data == callback_data.MakeMove(
        REF, 17, code_of("gatto_rosso", {"type": "play", "card": "2d"})
    )
    assert key(hand_screen(view_model(), "it"), "Passo").data == callback_data.MakeMove(
        REF, 17, code_of("gatto_rosso", {"type": "pass"})
    )


def test_on_turn_the_hand_shows_what_to_beat_and_with_what() -> None:
    text = read(hand_screen(view_model(), "it"))
    assert "👉 Tocca a te · ⏳ 1 minuto" in text
    assert "Supera 7♥: puoi con 2♦." in text


def test_a_leader_reads_that_any_card_may_be_played() -> None:
    assert "Apri tu" in read(hand_screen(view_model(table=table(deal=view(table=(), last=None))), "it"))


def test_the_hand_of_one_who_waits_shows_nothing_that_moves_of_others_change() -> None:
    text = read(hand_screen(view_model(place="Amici", table=table(deal=view(turn=0), moves=[])), "it"))
    assert "Quando tocca a te, le carte ti arrivano qui. Il tavolo è nel gruppo Amici." in text
    assert "Tallone" not in text


def test_beside_what_may_be_said_each_other_person_can_be_muted() -> None:
    labels = [button.label for row in remark_rows(view_model(), {0}, "en") for button in row]
    assert labels[-2:] == ["🔊 Hear Anna", "Back"]
    assert "🔇 Mute Anna" in [button.label for row in remark_rows(view_model(), (), "en") for button in row]
    hears_nobody = [button.label for row in remark_rows(view_model(), None, "en") for button in row]
    assert hears_nobody == [label for label in labels if "Anna" not in label]


def as_people_see_it(screen: Screen) -> tuple[object, ...]:
    """Return a screen without its callback data, which may contain different versions of a table."""
    return screen.text, screen.photo, [[(button.label, button.style) for button in row] for row in screen.rows]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_hand_of_one_who_waits_looks_the_same_as_long_as_what_it_depends_on_is(game: str) -> None:
    alike = 0
    before: dict[int, tuple[object, Screen]] = {}
    for played in played_deals(game, seed=3, most=20):
        for seat in range(len(played.table(None).seats)):
            model = structs.replace(played.view_model(seat), place="Amici")
            content, screen = content_while_waiting(model, translations_in("it")), hand_screen(model, "it")
            if content is not None and seat in before and before[seat][0] == content:
                assert as_people_see_it(before[seat][1]) == as_people_see_it(screen)
                alike += 1
            before[seat] = (content, screen)
    assert alike > 9


def test_alone_the_hand_shows_the_table_and_whose_turn_it_is() -> None:
    text = read(hand_screen(view_model(alone=True, table=table(deal=view(turn=0), moves=[])), "it"))
    assert "È il turno di Anna" in text
    assert "Tallone" in text


def test_the_hand_names_the_group_it_belongs_to() -> None:
    assert "Amici" in read(hand_screen(view_model(place="Amici"), "it"))


def test_whoever_is_away_can_come_back_and_play_nothing_before() -> None:
    seats = (table().seats[0], Seat(1, "Bruno", "person", None, away=True), table().seats[2])
    labels = [button.label for button in keys(hand_screen(view_model(table=table(seats=seats)), "it"))]
    assert labels[0] == "Sono tornato"
    assert "2♦" not in labels


def test_the_hand_shows_that_the_match_is_over() -> None:
    screen = hand_screen(view_model(alone=True, table=over(3, 2, 1, ranking=((0,), (1,), (2,)))), "it")
    assert "La partita è finita" in read(screen)
    assert screen.rows == ()


def test_leaving_is_asked_twice() -> None:
    screen = leave_screen(view_model(), "it")
    assert key(screen, "Sì, me ne vado").data == callback_data.LeaveTable(REF, sure=True)
    assert key(screen, "No, resto").data == callback_data.LeaveTable(REF, sure=None)
    assert "Amici" in read(left_screen("Amici", "left", "it"))


def test_who_left_a_table_of_their_own_reads_of_no_place() -> None:
    assert read(left_screen("", "left", "it")) == "Hai lasciato il tavolo. /gioca ne apre uno nuovo."


def test_the_alert_shows_the_hand_and_the_task_within_telegrams_limit() -> None:
    assert hand_alert(view_model(), "it") == "La tua mano: A♥ 2♦ K♠\nSupera 7♥: puoi con 2♦."
    crowded = structs.replace(view(), hand=tuple("A234567JQK"[n % 10] + "hdcs"[n // 10] for n in range(40)), turn=0)
    assert len(hand_alert(view_model(table=table(deal=crowded)), "it")) <= ALERT_LIMIT


def test_the_alert_shows_that_no_cards_are_dealt() -> None:
    assert hand_alert(view_model(table=table(deal=None, status="open")), "en") == "No cards are dealt now."


def test_the_photo_of_a_hand_shows_the_cards_of_its_buttons() -> None:
    assert hand_screen(view_model(), "it", photo=True).photo == (("Ah", "2d", "Ks"),)
    assert hand_screen(view_model(), "it").photo == ()


def test_a_hand_whose_text_is_too_long_for_a_caption_has_no_photo() -> None:
    screen = hand_screen(view_model(place="𝕏" * 600), "it", photo=True)
    assert screen.photo == ()
    assert screen.rows


def test_a_hand_without_cards_keeps_a_photo_of_a_card_face_down() -> None:
    assert hand_screen(view_model(table=over(1, 2, 3, ranking=((2,), (1,), (0,)))), "it", photo=True).photo == FACE_DOWN
    assert left_screen("Amici", "left", "it", photo=True).photo == FACE_DOWN
