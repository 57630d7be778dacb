"""The stateless calls of the API without a server: JSON in, JSON out, decoded with the same types."""

from typing import Any

import msgspec

from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from locanda.messages import JsonObject


async def ask(name: str, call: str, body: JsonObject) -> JsonObject:
    """Answer a stateless call for a game."""
    game = GAMES[name]
    answer = _dealt(game, body) if call == "deals" else _response_to(game, call, body)
    decoded: JsonObject = msgspec.json.decode(msgspec.json.encode(answer))
    return decoded


def _dealt(game: AnyGame, body: JsonObject) -> JsonObject:
    options = msgspec.convert(body["options"], game.options)
    deal = game.deal(options, body["seats"], body["dealer"], bytes.fromhex(body["seed"]), shuffle, None)
    return {"deal": game.to_wire(deal)}


def _response_to(game: AnyGame, call: str, body: JsonObject) -> JsonObject:
    deal = game.from_wire(msgspec.convert(body["deal"], game.wire_type))
    if call == "moves":
        return {"turn": deal.turn, "moves": game.moves(deal)}
    if call == "view":
        return {"view": game.view(deal, body["seat"])}
    return _moved(game, call, deal, msgspec.convert(body["move"], game.move_type))


def _moved(game: AnyGame, call: str, deal: Any, move: Any) -> JsonObject:
    if call == "check":
        refusal = game.check(deal, move)
        return {"legal": False, "code": refusal.code, "facts": refusal.facts} if refusal else {"legal": True}
    following, events = game.play(deal, move, shuffle)
    return {"deal": game.to_wire(following), "events": events, "result": game.result(following)}
