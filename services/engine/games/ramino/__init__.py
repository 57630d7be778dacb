"""Ramino with the Cuccù deck: lay runs of numerals and sets of figures, and be the first without a card."""

from services.engine.games.game import Game
from services.engine.games.ramino.flow import play
from services.engine.games.ramino.legal import check, moves
from services.engine.games.ramino.records import read, record
from services.engine.games.ramino.score import match_over, result
from services.engine.games.ramino.state import SEATS, Deal, deal, seats
from services.engine.games.ramino.views import imagine, view
from shared.games import ramino as wire

RAMINO = Game(
    name=wire.NAME,
    rules=1,
    options=wire.Options,
    deal_type=Deal,
    move_type=wire.Move,
    record_type=wire.Deal,
    view_type=wire.View,
    event_type=wire.Event,
    deck="cuccu_40",
    players=SEATS,
    suggested=SEATS,
    fewest_wins=True,
    refusals=(
        "incomplete",
        "no_such_meld",
        "not_a_combination",
        "not_adjacent",
        "not_in_hand",
        "nothing_to_draw",
        "repeated_figure",
        "taken_card",
        "wrong_length",
        "wrong_phase",
    ),
    seats=seats,
    deal=deal,
    moves=moves,
    check=check,
    play=play,
    view=view,
    imagine=imagine,
    result=result,
    match_over=match_over,
    record=record,
    read=read,
)
