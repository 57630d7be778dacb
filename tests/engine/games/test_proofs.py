"""The stand-alone verifier deals as the engine does."""

import msgspec

from shared import verify
from tests.engine.games.subjects import Start, law


@law
def test_a_stranger_deals_the_same_cards_from_the_seed(start: Start) -> None:
    shown = msgspec.json.decode(msgspec.json.encode(start.game.record(start.deal())))
    dealt = verify.DEALS[start.name](start.seed, shown)
    assert {"hands"} < set(dealt)
    assert {part: shown[part] for part in dealt} == dealt
    assert sum(map(len, shown["hands"])) > 0
