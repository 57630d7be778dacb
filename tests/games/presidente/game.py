"""Presidente's `Game` object with exact types for type checkers, which entries of `GAMES` do not have."""

from locanda.games import choosing
from locanda.games.game import Game
from locanda.games.players import GamePlayers
from locanda.games.presidente.types import DealState, Event, Move, Options, View
from locanda.games.rules import GAMES

GAME: Game[Options, DealState, Move, View] = GAMES["presidente"]
PLAYERS: GamePlayers[View, Event, Move, DealState] = choosing.PLAYERS["presidente"]
