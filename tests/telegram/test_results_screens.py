"""The screens at the end of a deal and of a match, and the leaderboard."""

import pytest

from locanda.games.base import Result
from locanda.translations import Language
from services.telegram import callback_data
from services.telegram.records import ShuffleOutcome, Standing
from services.telegram.screens.results import deal_over_screen, leaderboard_screen, match_over_screen
from tests.telegram.samples import COMMITMENT, GAME, REF, SEED, key, match, over, read, table, view_model


def test_the_end_of_a_match_ranks_names_the_winner_and_proves_the_shuffle() -> None:
    screen = match_over_screen(view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,)))), "it")
    text = read(screen)
    assert "Vince Anna!" in text
    assert "🥇 Anna · 21 carte prese\n🥈 Bruno · 12 carte prese\n🥉 Ugo 🤖 · 7 carte prese" in text
    assert COMMITMENT in text
    assert SEED in text
    assert "locanda-verify" in text
    assert key(screen, "Rivincita").data == callback_data.PlayAgain(REF, 1)


def test_those_who_tie_share_a_place() -> None:
    text = read(match_over_screen(view_model(table=over(15, 15, 10, ranking=((0, 1), (2,)))), "it"))
    assert "Pareggio tra Anna e Bruno." in text
    assert "🥇 Anna · 15 carte prese\n🥇 Bruno · 15 carte prese\n🥉 Ugo 🤖" in text


def test_a_rematch_that_has_begun_is_not_offered_again() -> None:
    finished = over(1, 2, 3, ranking=((2,), (1,), (0,)))
    assert match_over_screen(view_model(table=finished), "it", rematch=False).rows == ()


def test_the_end_of_a_deal_shows_its_ranking_and_later_the_match_so_far() -> None:
    result = Result(((1,), (0,), (2,)), (10, 20, 5))
    drawn = view_model(table=table(options={"deals": 3}, match=match(deal=3, points=(30, 29, 8))))
    text = read(deal_over_screen(drawn, 2, result, "it"))
    assert "La smazzata 2 di 3 è finita." in text
    assert "🥇 Bruno · 20 carte prese" in text
    assert "Nella partita, finora:\nAnna 30\nBruno 29\nUgo 🤖 8" in text
    assert "finora" not in read(deal_over_screen(drawn, 1, result, "it"))


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_bot_s_own_check_is_one_line_of_the_proof(language: Language) -> None:
    model = view_model(table=over(21, 12, 7, ranking=((0,), (1,), (2,))))
    outcomes: tuple[ShuffleOutcome | None, ...] = (None, "agreed", "different", "unchecked")
    texts = [read(match_over_screen(model, language, outcome=outcome)) for outcome in outcomes]
    assert len(set(texts)) == 4
    assert [len(text.splitlines()) - len(texts[0].splitlines()) for text in texts] == [0, 1, 1, 1]
    assert ("NON concorda" if language == "it" else "NOT agreed") in texts[2]


def test_the_seed_stays_hidden_while_the_match_lasts() -> None:
    assert SEED not in deal_over_screen(view_model(), 1, Result(((0,),), (1, 2, 3)), "it").text


def test_the_leaderboard_ranks_by_wins_then_by_fewer_matches() -> None:
    standings = [Standing(1, "Anna", 1, 5), Standing(2, "Bruno", 3, 4), Standing(3, "Carla", 1, 1)]
    text = read(leaderboard_screen(GAME, standings, [GAME], "it"))
    assert "🥇 Bruno · 3 vittorie · 4 partite\n🥈 Carla · 1 vittoria · 1 partita\n🥉 Anna" in text


def test_an_empty_leaderboard_has_a_text() -> None:
    assert "nessuno ha ancora finito" in read(leaderboard_screen(GAME, [], [GAME], "it"))
