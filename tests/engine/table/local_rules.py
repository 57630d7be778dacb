"""The rules of the games in this process, for the verifier."""

import json
from typing import Any

import msgspec

from locanda.games.game import MalformedDealError
from locanda.games.rules import GAMES
from locanda.verify import RefusedMoveError
from services.engine.table.fairness import shuffle


class LocalRules:
    """Plays moves like an engine that is passed to the verifier by `--engine`."""

    def version(self, game: str) -> int | None:
        return GAMES[game].rules if game in GAMES else None

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:
        rules, codec = GAMES[game], msgspec.json
        try:
            state = rules.from_wire(codec.decode(json.dumps(deal), type=rules.wire_type))
            made = codec.decode(json.dumps(move), type=rules.move_type)
        except (msgspec.MsgspecError, MalformedDealError) as error:
            raise RefusedMoveError(str(error)) from None
        refusal = rules.check(state, made)
        if refusal:
            raise RefusedMoveError(refusal.code)
        after, _ = rules.play(state, made, shuffle)
        played: tuple[Any, Any] = tuple(json.loads(codec.encode((rules.to_wire(after), rules.result(after)))))
        return played
