"""Gatto Rosso Gatto Grigio: beat the top card with a higher one of its suit, or with any card of the next suit."""

from services.engine.games.game import Game
from services.engine.games.gatto_rosso.flow import play
from services.engine.games.gatto_rosso.legal import check, moves
from services.engine.games.gatto_rosso.records import read, record
from services.engine.games.gatto_rosso.score import match_over, result
from services.engine.games.gatto_rosso.state import Deal, deal, seats
from services.engine.games.gatto_rosso.views import imagine, view
from shared.games import gatto_rosso as wire

GATTO_ROSSO = Game(
    name=wire.NAME,
    rules=1,
    options=wire.Options,
    deal_type=Deal,
    move_type=wire.Move,
    record_type=wire.Deal,
    view_type=wire.View,
    event_type=wire.Event,
    deck="italian_40",
    players=range(2, 11),
    suggested=range(2, 7),
    fewest_wins=False,
    refusals=("must_beat", "must_lead", "must_play", "not_in_hand"),
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
