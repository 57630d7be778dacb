"""Presidente: get rid of your cards by beating combinations with higher ones; four of a kind turn the order round."""

from locanda.games import presidente as wire_types
from services.engine.games.base import Game, all_deals_played
from services.engine.games.presidente import moves, play, state, view, wire

GAME = Game(
    name=wire_types.NAME,
    rules=1,
    options=wire_types.Options,
    deal_type=state.DealState,
    move_type=wire_types.Move,
    wire_type=wire_types.Deal,
    view_type=wire_types.View,
    event_type=wire_types.Event,
    deck="french_52_joker",
    players=state.PLAYERS,
    suggested=range(3, 6),
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
