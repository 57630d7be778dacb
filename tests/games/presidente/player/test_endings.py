"""Presidente: endings in which every card is known."""

from random import Random

from hypothesis import given

from locanda.games.presidente.player.endings import choices, ending_of, winning
from locanda.games.presidente.player.knowledge import knowledge_of
from tests.games.moments import moments
from tests.games.presidente.situations import choice, position
from tests.games.subjects import AnyStart, starts


def test_an_ending_in_which_every_card_is_known_is_never_given_away() -> None:
    """The fours beat the threes too, but then the sixes take the trick and go out; only the eights win."""
    pair = {"table": {"cards": ["3c", "3s"]}, "last": 1}
    situation = position("2d 2c 4h 4s 8h 8c 8s", "6d 6s", options={"leftovers": "shown"}, **pair)
    assert {code[0] for code in choice(situation, "hard").cards} == {"8"}


@given(start=starts("presidente"))
def test_a_solved_ending_is_won_against_every_answer(start: AnyStart) -> None:
    """After every answer of the other player, the seat still has a winning choice, until its last card."""
    for moment in moments(start):
        ending = None if moment.deal.dues else ending_of(knowledge_of(moment.situation.view))
        if ending is not None and sum(map(int.bit_count, ending.hands)) <= 10 and winning(ending, choices(ending)):
            break
    else:
        return
    rng, seat, before = Random(start.seed), ending.turn, len(ending.out)
    while len(ending.out) == before:
        left = winning(ending, choices(ending)) if ending.turn == seat else choices(ending)
        assert left
        ending.play(rng.choice(left))
    assert ending.out[before] == seat
