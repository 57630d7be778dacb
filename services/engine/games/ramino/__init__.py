"""Ramino with the Cuccù deck: lay runs of numerals and sets of figures, and be the first without a card."""

from locanda.games import ramino as wire_types
from services.engine.games.base import Game
from services.engine.games.ramino import moves, play, state, view, wire

GAME = Game(
    name=wire_types.NAME,
    rules=1,
    options=wire_types.Options,
    deal_type=state.DealState,
    move_type=wire_types.Move,
    wire_type=wire_types.Deal,
    view_type=wire_types.View,
    event_type=wire_types.Event,
    deck="cuccu_40",
    players=state.PLAYERS,
    suggested=state.PLAYERS,
    fewest_wins=wire_types.FEWEST_WINS,
    seats=state.seats,
    deal=state.deal,
    moves=moves.moves,
    check=moves.check,
    play=play.play,
    view=view.view,
    determinize=view.determinize,
    score=play.score,
    match_over=play.match_over,
    to_wire=wire.to_wire,
    from_wire=wire.from_wire,
    eagerness=moves.eagerness,
)
