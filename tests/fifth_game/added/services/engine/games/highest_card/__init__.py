"""Highest Card, a game made up for the tests: two players play a card each, the higher one takes both."""

from services.engine.games.highest_card import check, deal, moves, play, score, state, view, wire

from locanda.games import highest_card as wire_types
from services.engine.games.base import Game

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
)
