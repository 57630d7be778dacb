"""A deal survives the wire and the store."""

from typing import Any

import msgspec

from tests.engine.games.subjects import Start, deals, law, moments


@law
def test_a_deal_survives_json(start: Start) -> None:
    game = start.game
    for deal in deals(start):
        posted = msgspec.json.encode(game.record(deal))
        assert game.read(msgspec.json.decode(posted, type=game.record_type)) == deal


@law
def test_a_deal_survives_the_store(start: Start) -> None:
    game = start.game
    for deal in deals(start):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(deal), type=game.deal_type) == deal


@law
def test_moves_events_and_views_survive_json(start: Start) -> None:
    game = start.game
    for moment in moments(start):
        assert _returns(moment.move, game.move_type)
        assert all(_returns(event, game.event_type) for event in moment.events)
        assert all(_returns(game.view(moment.deal, viewer), game.view_type) for viewer in start.viewers)


def _returns(value: Any, kind: Any) -> bool:
    return bool(msgspec.json.decode(msgspec.json.encode(value), type=kind) == value)
