"""Gatto Rosso Gatto Grigio: beat the top card with a higher one of its suit, or with any card of the next suit."""

from locanda.games import gatto_rosso as wire_types
from services.engine.games.base import Game, all_deals_played
from services.engine.games.gatto_rosso import moves, play, state, view, wire

GAME = Game(
    name=wire_types.NAME,
    rules=1,
    options=wire_types.Options,
    deal_type=state.DealState,
    move_type=wire_types.Move,
    wire_type=wire_types.Deal,
    view_type=wire_types.View,
    event_type=wire_types.Event,
    deck="italian_40",
    players=state.PLAYERS,
    suggested=range(2, 7),
    fewest_wins=wire_types.FEWEST_WINS,
    seats=state.seats,
    deal=state.deal,
    moves=moves.moves,
    check=moves.check,
    play=play.play,
    view=view.view,
    determinize=view.determinize,
    score=play.score,
    match_over=all_deals_played,
    to_wire=wire.to_wire,
    from_wire=wire.from_wire,
)
