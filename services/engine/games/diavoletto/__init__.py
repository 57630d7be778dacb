"""Diavoletto: two race to empty their mazzetto on common builds that climb from the Ace to the King."""

from services.engine.games.diavoletto.flow import play
from services.engine.games.diavoletto.legal import moves
from services.engine.games.diavoletto.records import read, record
from services.engine.games.diavoletto.refusals import check
from services.engine.games.diavoletto.score import match_over, result
from services.engine.games.diavoletto.start import deal
from services.engine.games.diavoletto.state import Deal, seats
from services.engine.games.diavoletto.views import imagine, view
from services.engine.games.game import Game
from shared.games import diavoletto as wire

DIAVOLETTO = Game(
    name=wire.NAME,
    rules=1,
    options=wire.Options,
    deal_type=Deal,
    move_type=wire.Move,
    record_type=wire.Deal,
    view_type=wire.View,
    event_type=wire.Event,
    deck="french_104_jokers",
    players=range(2, 3),
    suggested=range(2, 3),
    fewest_wins=False,
    refusals=(
        "ace_first",
        "incomplete",
        "joker_opens",
        "joker_stays",
        "must_discard",
        "no_such_build",
        "no_such_column",
        "not_descending",
        "not_in_hand",
        "not_on_top",
        "too_many_builds",
        "wrong_rank",
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
