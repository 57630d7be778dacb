"""Ramino with the Cuccù deck: lay runs of numerals and sets of figures, and be the first without a card."""

from locanda.games import ramino as wire_types
from services.engine.games.base import Game
from services.engine.games.ramino import check, deal, moves, play, score, state, view, wire

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
    players=deal.PLAYERS,
    suggested=deal.PLAYERS,
    fewest_wins=wire_types.FEWEST_WINS,
    seats=deal.seats,
    deal=deal.deal,
    moves=moves.moves,
    check=check.check,
    play=play.play,
    view=view.view,
    determinize=view.determinize,
    score=score.score,
    match_over=score.match_over,
    to_wire=wire.to_wire,
    from_wire=wire.from_wire,
    eagerness=moves.eagerness,
)
