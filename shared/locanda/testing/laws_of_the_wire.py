"""Laws of the wire: encoded and stored values decode to the same values; a submitted deal is refused or playable."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec

from locanda import verify
from locanda.games.game import AnyGame, MalformedDealError
from locanda.games.registry import folder
from locanda.games.shuffling import shuffle
from locanda.messages import JsonObject
from locanda.testing.starts import AnyStart, deals, law, played_moves


@law
def test_a_deal_survives_json(start: AnyStart) -> None:
    game = start.game
    for deal in deals(start):
        encoded = msgspec.json.encode(game.to_wire(deal))
        assert game.from_wire(msgspec.json.decode(encoded, type=game.wire_type)) == deal


@law
def test_a_deal_survives_the_store(start: AnyStart) -> None:
    game = start.game
    for deal in deals(start):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(deal), type=game.deal_type) == deal


@law
def test_moves_events_and_views_survive_json(start: AnyStart) -> None:
    game = start.game
    for played in played_moves(start):
        assert _returns(played.move, game.move_type)
        assert all(_returns(event, game.event_type) for event in played.events)
        assert all(_returns(game.view(played.deal, viewer), game.view_type) for viewer in start.viewers)


def _returns(value: Any, kind: Any) -> bool:
    return bool(msgspec.json.decode(msgspec.json.encode(value), type=kind) == value)


MOVES = 30
"""Most moves to play from a submitted deal."""
CHECKED = 5
"""Number of moves between two checks of all conceivable moves and of redealt hidden cards; the end is checked too."""


@law
def test_a_posted_deal_is_refused_or_can_be_played_on(start: AnyStart) -> None:
    rng = Random(start.seed)
    for deal in islice(deals(start), 0, None, 10):
        wire_deal = msgspec.json.decode(msgspec.json.encode(start.game.to_wire(deal)))
        for _ in range(rng.randint(1, 3)):
            _spoil(wire_deal, rng)
        read_deal = _from_wire(start.game, wire_deal)
        if read_deal is not None:
            _play_on(start, read_deal, rng)


def _spoil(wire_deal: JsonObject, rng: Random) -> None:
    """Change one value of a deal at random: move, remove or duplicate a card, change a number, or toggle a flag."""
    holder, key = rng.choice([place for place in _places(wire_deal) if place[1] not in ("game", "seed")])
    value = holder[key]
    match value:
        case bool():
            holder[key] = not value
        case int():
            holder[key] = rng.choice([None, 0, value + 1, max(0, value - 1)])
        case None:
            holder[key] = rng.choice([0, 1, 2])
        case list():
            holder[key] = rng.choice([value[1:], [*value, *value[:1]], value[::-1]])
        case str():
            other, place = rng.choice([spot for spot in _places(wire_deal) if isinstance(spot[0][spot[1]], str)])
            holder[key], other[place] = other[place], value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of each value in a JSON document."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def _from_wire(game: AnyGame, wire_deal: JsonObject) -> Any:
    """Decode a deal; return None if the game refuses it."""
    try:
        return game.from_wire(msgspec.json.decode(msgspec.json.encode(wire_deal), type=game.wire_type))
    except (msgspec.ValidationError, MalformedDealError):
        return None


def _play_on(start: AnyStart, deal: Any, rng: Random) -> None:
    game = start.game
    for count in range(MOVES):
        moves = game.moves(deal)
        if count % CHECKED == 0 or not moves:
            _examine(start, deal, rng)
        assert (deal.turn is None) == (moves == [])
        if not moves:
            assert game.result(deal) is not None
            return
        move = rng.choice(moves)
        assert game.check(deal, move) is None
        deal, _ = game.play(deal, move, shuffle)


def _examine(start: AnyStart, deal: Any, rng: Random) -> None:
    for viewer in (None, *range(len(deal.hands))):
        start.game.determinize(start.game.view(deal, viewer), rng)
    for move in start.subject.moves(deal):
        start.game.check(deal, move)


@law
def test_a_stranger_deals_the_same_cards_from_the_seed(start: AnyStart) -> None:
    shown = msgspec.json.decode(msgspec.json.encode(start.game.to_wire(start.deal())))
    dealing = msgspec.json.decode((folder(start.name) / "dealing.json").read_bytes())
    dealt = verify.dealt(dealing, start.seed, shown)
    assert {"hands"} < set(dealt)
    assert {part: shown[part] for part in dealt} == dealt
    assert sum(map(len, shown["hands"])) > 0
