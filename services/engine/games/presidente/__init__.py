"""Presidente: get rid of your cards by beating combinations with higher ones; four of a kind turn the order round."""

from services.engine.games.game import Game
from services.engine.games.presidente.flow import play
from services.engine.games.presidente.legal import moves
from services.engine.games.presidente.records import read, record
from services.engine.games.presidente.refusals import check
from services.engine.games.presidente.score import match_over, result
from services.engine.games.presidente.state import PLAYERS, Deal, deal, seats
from services.engine.games.presidente.views import imagine, view
from shared.games import presidente as wire

PRESIDENTE = Game(
    name=wire.NAME,
    rules=1,
    options=wire.Options,
    deal_type=Deal,
    move_type=wire.Move,
    record_type=wire.Deal,
    view_type=wire.View,
    event_type=wire.Event,
    deck="french_52_joker",
    players=PLAYERS,
    suggested=range(3, 6),
    fewest_wins=False,
    refusals=(
        "finish_ban",
        "incomplete",
        "joker_as",
        "must_beat",
        "must_lead",
        "not_a_combination",
        "not_in_hand",
        "tax_count",
        "unbeatable",
        "wrong_kind",
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
