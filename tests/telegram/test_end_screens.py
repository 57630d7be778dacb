from services.telegram import buttons
from services.telegram.screens.end import deal_over_screen, match_over_screen
from shared.games.base import Result
from tests.telegram.scenes import COMMITMENT, REF, SEED, key, match, over, read, scene, table


def test_the_end_of_a_match_ranks_names_the_winner_and_proves_the_shuffle() -> None:
    screen = match_over_screen(scene(table=over(21, 12, 7, ranking=((0,), (1,), (2,)))), "it")
    text = read(screen)
    assert "Vince Anna!" in text
    assert "🥇 Anna · 21 carte prese\n🥈 Bruno · 12 carte prese\n🥉 Ugo 🤖 · 7 carte prese" in text
    assert COMMITMENT in text
    assert SEED in text
    assert "verify.py" in text
    assert key(screen, "Rivincita").tap == buttons.Rematch(REF, 1)


def test_those_who_tie_share_a_place() -> None:
    text = read(match_over_screen(scene(table=over(15, 15, 10, ranking=((0, 1), (2,)))), "it"))
    assert "Pareggio tra Anna e Bruno." in text
    assert "🥇 Anna · 15 carte prese\n🥇 Bruno · 15 carte prese\n🥉 Ugo 🤖" in text


def test_a_rematch_that_has_begun_is_not_offered_again() -> None:
    finished = over(1, 2, 3, ranking=((2,), (1,), (0,)))
    assert match_over_screen(scene(table=finished), "it", rematch=False).rows == ()


def test_the_end_of_a_deal_shows_its_ranking_and_later_the_match_so_far() -> None:
    result = Result(((1,), (0,), (2,)), (10, 20, 5))
    drawn = scene(table=table(options={"deals": 3}, match=match(deal=3, points=(30, 29, 8))))
    text = read(deal_over_screen(drawn, 2, result, "it"))
    assert "La smazzata 2 di 3 è finita." in text
    assert "🥇 Bruno · 20 carte prese" in text
    assert "Nella partita, finora:\nAnna 30\nBruno 29\nUgo 🤖 8" in text
    assert "finora" not in read(deal_over_screen(drawn, 1, result, "it"))


def test_the_seed_stays_hidden_while_the_match_lasts() -> None:
    assert SEED not in deal_over_screen(scene(), 1, Result(((0,),), (1, 2, 3)), "it").text
