"""Whatever deal somebody posts, it is refused with a reason or can be played on to its end."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec

from services.engine.fairness import shuffle
from services.engine.games.game import AnyGame, MalformedDealError
from tests.engine.games.positions import JsonObject
from tests.engine.games.subjects import Start, deals, law

MOVES = 30
"""So many moves are played on from a posted deal."""


@law
def test_a_posted_deal_is_refused_or_can_be_played_on(start: Start) -> None:
    rng = Random(start.seed)
    for deal in islice(deals(start), 0, None, 10):
        posted = msgspec.json.decode(msgspec.json.encode(start.game.record(deal)))
        for _ in range(rng.randint(1, 3)):
            _spoil(posted, rng)
        found = _read(start.game, posted)
        if found is not None:
            _play_on(start, found, rng)


def _spoil(posted: JsonObject, rng: Random) -> None:
    """Change one thing: a card lies elsewhere, is gone or twice, a number is another, a mark is set or unset."""
    holder, key = rng.choice([place for place in _places(posted) if place[1] not in ("game", "seed")])
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
            other, place = rng.choice([found for found in _places(posted) if isinstance(found[0][found[1]], str)])
            holder[key], other[place] = other[place], value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of a JSON document, as what holds it and where."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def _read(game: AnyGame, posted: JsonObject) -> Any:
    """The deal, or nothing where it is refused."""
    try:
        return game.read(msgspec.json.decode(msgspec.json.encode(posted), type=game.record_type))
    except (msgspec.ValidationError, MalformedDealError):
        return None


def _play_on(start: Start, deal: Any, rng: Random) -> None:
    game = start.game
    for _ in range(MOVES):
        for viewer in (None, *range(len(deal.hands))):
            game.imagine(game.view(deal, viewer), rng)
        moves = game.moves(deal)
        assert (deal.turn is None) == (moves == [])
        if not moves:
            assert game.result(deal) is not None
            return
        for move in start.subject.moves(deal):
            game.check(deal, move)
        move = rng.choice(moves)
        assert game.check(deal, move) is None
        deal, _ = game.play(deal, move, shuffle)
