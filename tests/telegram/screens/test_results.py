"""The screens at the end of a deal and of a match, and the leaderboard."""

from typing import Any

import pytest
from msgspec import structs

from locanda.games.base import Result
from locanda.messages import JsonObject
from locanda.translations import Language
from services.telegram import callback_data
from services.telegram.play.ratings import Rating, RatingChange
from services.telegram.records import Podium, ShuffleOutcome, Standing
from services.telegram.screens.hand import hand_screen
from services.telegram.screens.leaderboard import leaderboard_screen
from services.telegram.screens.results import deal_over_screen, match_over_screen, proof_screen
from services.telegram.screens.screen import fits_caption
from services.telegram.screens.table import TableViewModel
from tests.telegram.samples import COMMITMENT, GAME, REF, SEED, key, match, over, past_deal, read, table, view_model


def test_the_end_of_a_match_ranks_names_the_winner_and_offers_what_comes_next() -> None:
    screen = match_over_screen(view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,)))), "it")
    text = read(screen)
    assert "Vince Anna!" in text
    assert "🥇 Anna · 21 carte prese\n🥈 Bruno · 12 carte prese\n🥉 Ugo 🤖 · 7 carte prese" in text
    assert SEED not in text
    assert key(screen, "Ci sto").data == callback_data.PlayAgain(REF, 1)
    assert key(screen, "🔏 La prova").data == callback_data.ShowProof(REF, 1)


def test_the_proof_has_all_that_it_takes_to_check_the_shuffle() -> None:
    text = read(proof_screen(view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,)))), "agreed", "it"))
    assert COMMITMENT in text
    assert SEED in text
    assert "locanda-verify" in text
    assert "✅ Mazzo controllato, nessun trucco." in text


def test_partners_win_together_and_share_a_place() -> None:
    finished = over(2, 1, 2, ranking=((0, 2), (1,)))
    match = structs.replace(finished.match, result=Result(((0, 2), (1,)), (2, 1, 2), teams=((0, 2), (1,))))
    text = read(match_over_screen(view_model(table=structs.replace(finished, match=match)), "it"))
    assert "Vincono Anna e Ugo 🤖!" in text
    assert text.count("🥇") == 2
    assert text.count("🥈") == 1


def ended(game: str, reason: str, **changes: Any) -> TableViewModel:
    """Return the view model of a match that Anna has won."""
    finished = over(2, 1, 0, ranking=((0,), (1,), (2,)))
    result = Result(((0,), (1,), (2,)), (2, 1, 0), reason)
    match = structs.replace(finished.match, **{"result": result, **changes})
    won = structs.replace(finished, game=game, match=match)
    return view_model(table=won)


@pytest.mark.parametrize(
    ("game", "reason", "expected"),
    [
        ("ramino", "ramino", "Ramino di Anna!"),
        ("ramino", "blocked", "Nessuno poteva più chiudere."),
        ("diavoletto", "emptied", "Anna ha giocato l'ultima carta del mazzetto."),
        ("presidente", "first_out", "Anna ha finito le carte prima di tutti."),
    ],
)
def test_the_end_of_a_match_tells_how_it_ended(game: str, reason: str, expected: str) -> None:
    assert expected in read(match_over_screen(ended(game, reason), "it"))


def test_the_end_names_who_played_the_last_card() -> None:
    model = ended("gatto_rosso", "closed")
    text = read(match_over_screen(model, "it"))
    assert "Anna cala l'ultima carta e chiude." in text, "the deal that is over says who closed it"
    played = structs.replace(model.table, events=[{"type": "played", "seat": 1, "card": "2h"}], deal=None)
    assert "Bruno cala l'ultima carta" in read(match_over_screen(structs.replace(model, table=played), "it"))
    forgotten = structs.replace(model.table, deal=None)
    assert "ultima carta" not in read(match_over_screen(structs.replace(model, table=forgotten), "it"))


@pytest.mark.parametrize(
    ("points", "ranking", "expected"),
    [
        ((4, 53, 12), ((0,), (2,), (1,)), "Bruno arriva a 51 punti: vince Anna, che ne ha meno."),
        ((4, 53, 51), ((0,), (2,), (1,)), "Bruno e Ugo 🤖 arrivano a 51 punti: vince Anna, che ne ha meno."),
        ((4, 53, 4), ((0, 2), (1,)), "Bruno arriva a 51 punti."),
    ],
)
def test_the_end_of_ramino_names_who_reached_the_target(
    points: tuple[int, ...], ranking: tuple[tuple[int, ...], ...], expected: str
) -> None:
    model = ended("ramino", "closed", result=Result(ranking, points, "closed"))
    table = structs.replace(model.table, options={"target": 51})
    assert f"chiude. {expected}\n" in read(match_over_screen(structs.replace(model, table=table), "it"))


def test_the_places_of_presidente_have_titles() -> None:
    text = read(match_over_screen(ended("presidente", "all_placed"), "it"))
    assert "🥇 Anna, Presidente · 2 vittorie\n🥈 Bruno, Ministro · 1 vittoria\n🥉 Ugo 🤖, Usciere · 0 vittorie" in text


def test_who_share_a_place_that_nobody_has_earned_have_neither_title_nor_medal() -> None:
    tied = Result(((0,), (1, 2)), (1, 0, 0), "first_out")
    model = ended("presidente", "first_out")
    match_over = structs.replace(model.table.match, result=tied)
    text = read(match_over_screen(structs.replace(model, table=structs.replace(model.table, match=match_over)), "it"))
    assert "🥇 Anna, Presidente · 1 vittoria\n2. Bruno · 0 vittorie\n2. Ugo 🤖 · 0 vittorie" in text


def test_the_end_of_several_deals_shows_the_points_of_the_last_one() -> None:
    model = ended("gatto_rosso", "closed", deal=3, past_deals=[past_deal(3, (10, 20, 5))])
    text = read(match_over_screen(model, "it"))
    assert "Nell'ultima delle 3 smazzate:\nBruno 20 carte prese\nAnna 10 carte prese" in text


def test_the_hand_ends_with_the_result_a_rematch_and_the_way_back_to_the_group() -> None:
    model = structs.replace(ended("presidente", "first_out"), place="Amici", link="https://t.me/c/42/7")
    screen = hand_screen(model, "it")
    assert "Vince Anna!" in read(screen)
    assert key(screen, "Ci sto").data == callback_data.PlayAgain(REF, 1)
    assert key(screen, "Torna al gruppo").url == "https://t.me/c/42/7"


def test_those_who_tie_share_a_place() -> None:
    text = read(match_over_screen(view_model(table=over(15, 15, 10, ranking=((0, 1), (2,)))), "it"))
    assert "Pareggio tra Anna e Bruno." in text
    assert "🥇 Anna · 15 carte prese\n🥇 Bruno · 15 carte prese\n🥉 Ugo 🤖" in text


def test_the_picture_of_the_end_shows_places_names_and_points_as_the_text_does() -> None:
    finished = view_model(table=over(15, 15, 10, ranking=((0, 1), (2,))))
    assert match_over_screen(finished, "it").photo == ()
    photo = match_over_screen(finished, "it", picture=True).photo
    assert isinstance(photo, Podium)
    assert [(place.place, place.name, place.points) for place in photo.places] == [
        (1, "Anna", "15 carte prese"),
        (1, "Bruno", "15 carte prese"),
        (3, "Ugo 🤖", "10 carte prese"),
    ]


@pytest.mark.parametrize(
    ("events", "cards"),
    [
        ([{"type": "played", "seat": 0, "cards": ["7h", "7s"]}, {"type": "went_out", "seat": 0}], ("7h", "7s")),
        ([{"type": "melded", "seat": 0, "cards": ["V", "VI", "VII"]}], ("V", "VI", "VII")),
        (
            [{"seat": 1, "card": "Kc"}, {"seat": 0, "cards": ["2c", "3c", "4c", "5c", "6c", "7c"]}],
            ("3c", "4c", "5c", "6c", "7c"),
        ),
        ([{"type": "discarded", "seat": 2, "card": "XIII"}], ("XIII",)),
        ([{"type": "played", "seat": 0, "card": "a card of no deck that can be drawn"}], ("back",)),
        ([], ("back",)),
    ],
)
def test_the_picture_of_the_end_shows_the_cards_that_ended_the_match(
    events: list[JsonObject], cards: tuple[str, ...]
) -> None:
    finished = structs.replace(over(21, 12, 7, ranking=((0,), (1,), (2,))), events=events)
    photo = match_over_screen(view_model(table=finished), "it", picture=True).photo
    assert isinstance(photo, Podium)
    assert photo.cards == cards


@pytest.mark.parametrize("outcome", [None, "agreed", "different", "unchecked"])
def test_a_result_has_its_picture_with_every_outcome_of_the_check_or_with_none(outcome: ShuffleOutcome | None) -> None:
    finished = over(21, 12, 7, ranking=((0,), (1,), (2,)))
    for place in ("Amici", "𝕏" * 50, "𝕏" * 100, "𝕏" * 150, "𝕏" * 500):
        model = view_model(table=finished, place=place)
        screen = match_over_screen(model, "it", outcome=outcome, picture=True)
        assert bool(screen.photo) == bool(match_over_screen(model, "it", picture=True).photo)
        assert not screen.photo or fits_caption(screen.text)


def test_a_rematch_that_has_begun_is_not_offered_again() -> None:
    finished = over(1, 2, 3, ranking=((2,), (1,), (0,)))
    screen = match_over_screen(view_model(table=finished), "it", rematch=False)
    assert screen.rows == ()
    assert SEED in screen.text


def test_the_end_of_a_deal_shows_its_ranking_and_later_the_match_so_far() -> None:
    drawn = view_model(table=table(options={"deals": 3}, match=match(deal=3, points=(30, 29, 8))))
    text = read(deal_over_screen(drawn, past_deal(2, (30, 29, 8)), "it"))
    assert "La smazzata 2 di 3 è finita." in text
    assert "🥇 Bruno · 20 carte prese" in text
    assert "Nella partita, finora:\nAnna 30\nBruno 29\nUgo 🤖 8" in text
    assert "finora" not in read(deal_over_screen(drawn, past_deal(1, (10, 20, 5)), "it"))


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_bot_s_own_check_is_one_line_of_the_result(language: Language) -> None:
    model = view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,))))
    outcomes: tuple[ShuffleOutcome | None, ...] = (None, "agreed", "different", "unchecked")
    texts = [read(match_over_screen(model, language, outcome=outcome)) for outcome in outcomes]
    assert len(set(texts)) == 4
    assert [len(text.splitlines()) - len(texts[0].splitlines()) for text in texts] == [0, 2, 2, 2]
    assert ("La mescolata NON torna" if language == "it" else "The shuffle is NOT right") in texts[2]


def test_the_seed_stays_hidden_while_the_match_lasts() -> None:
    assert SEED not in deal_over_screen(view_model(), past_deal(1, (10, 20, 5)), "it").text


def test_among_equal_wins_the_higher_rating_comes_first() -> None:
    standings = [Standing(1, "Anna", 2, 4, Rating(980.0, 80.0, 4)), Standing(2, "Zoe", 2, 4, Rating(1040.0, 80.0, 4))]
    text = read(leaderboard_screen(GAME, standings, [GAME], "it"))
    assert text.index("Zoe") < text.index("Anna")


def test_the_leaderboard_ranks_by_wins_then_by_fewer_matches() -> None:
    standings = [Standing(1, "Anna", 1, 5), Standing(2, "Bruno", 3, 4), Standing(3, "Carla", 1, 1)]
    text = read(leaderboard_screen(GAME, standings, [GAME], "it"))
    assert "🥇 Bruno · 3 vittorie · 4 partite\n🥈 Carla · 1 vittoria · 1 partita\n🥉 Anna" in text


def test_the_leaderboard_can_be_ordered_by_rating_and_marks_those_that_are_provisional() -> None:
    standings = [
        Standing(1, "Anna", 9, 9),
        Standing(2, "Bruno", 3, 4, Rating(1100.0, 140.0, 4, provisional=True)),
        Standing(3, "Carla", 1, 6, Rating(1060.0, 80.0, 6)),
    ]
    button = key(leaderboard_screen(GAME, standings, [GAME], "it"), "Prima il punteggio più alto")
    assert button.data == callback_data.ShowLeaderboard("gatto_rosso", "rating")
    screen = leaderboard_screen(GAME, standings, [GAME], "it", "rating")
    assert "🥇 Carla · ⭐ 1060 ± 157 · 1 vittoria" in read(screen)
    assert "🥈 Bruno · ⭐ 1100 ± 274? · 3 vittorie" in read(screen)
    assert "🥉 Anna · 9 vittorie" in read(screen)
    assert key(screen, "Prima chi vince di più").data == callback_data.ShowLeaderboard("gatto_rosso")


def test_an_empty_leaderboard_has_a_text() -> None:
    assert "nessuno ha ancora finito" in read(leaderboard_screen(GAME, [], [GAME], "it"))


@pytest.mark.parametrize(
    ("gain", "provisional", "line"),
    [
        (18, False, "⭐ Il tuo punteggio in classifica: 1000 ± 98 (+18)"),
        (-12, True, "⭐ Il tuo punteggio in classifica: 1000 ± 98 (−12), ancora incerto"),
        (0, False, "⭐ Il tuo punteggio in classifica: 1000 ± 98 (±0)"),
    ],
)
def test_the_end_of_a_match_tells_each_player_what_it_changed_of_their_rating(
    gain: int, provisional: bool, line: str
) -> None:
    change = RatingChange(Rating(deviation=50.0, provisional=provisional), gain)
    model = view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,))), rating=change)
    assert read(hand_screen(model, "it")).splitlines()[-1] == line
    assert "⭐" not in read(match_over_screen(model, "it"))
