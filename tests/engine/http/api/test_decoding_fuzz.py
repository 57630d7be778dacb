"""No deal and no request body causes an internal error."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from locanda.cards import CODES
from tests.engine.http.engine_server import running_engine

CARDS = st.sampled_from([code for code in CODES if code[0] in "A234567JQK"])
SEATS = st.none() | st.integers(0, 4)


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """Deals of the right form. Most of them are possible in play."""
    cards = draw(st.lists(CARDS, min_size=2, max_size=20, unique=True))
    players = draw(st.integers(2, 4))
    piles: list[list[str]] = [[] for _ in range(players + 2)]
    for card in cards:
        piles[draw(st.integers(0, players + 1))].append(card)
    return {
        "game": "gatto_rosso",
        "options": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "cats": st.booleans(),
                    "pass_lock": st.booleans(),
                    "voluntary_pass": st.booleans(),
                    "last_trick": st.sampled_from(["closer", "play_out", "nobody"]),
                },
            )
        ),
        "hands": piles[:players],
        "stock": piles[players],
        "table": piles[players + 1],
        "turn": draw(SEATS),
        "dealer": draw(st.integers(0, 3)),
        "last": draw(SEATS),
        "passes": draw(st.integers(0, 5)),
        "sitting_out": draw(st.lists(st.integers(0, 4), max_size=4)),
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
FIELDS = ["deal", "move", "seat", "game", "name", "options", "seats", "dealer", "seed", "kind", "listed"]
BODIES = st.binary() | st.dictionaries(st.sampled_from(FIELDS), JSON).map(msgspec.json.encode)
PATHS = ["deals", "moves", "check", "play", "view"]


@given(deal=deals(), card=CARDS, seat=SEATS)
async def test_every_position_is_answered(deal: dict[str, Any], card: str, seat: int | None) -> None:
    async with running_engine() as engine:
        for move in ({"type": "play", "card": card}, {"type": "pass"}):
            for call in ("check", "play"):
                answer = await engine.post(f"/v1/games/gatto_rosso/{call}", {"deal": deal, "move": move})
                assert answer.status in (200, 400, 409, 422), answer.body
        answer = await engine.post("/v1/games/gatto_rosso/moves", {"deal": deal})
        assert answer.status in (200, 400, 422)
        answer = await engine.post("/v1/games/gatto_rosso/view", {"deal": deal, "seat": seat})
        assert answer.status in (200, 400, 422)


@given(body=BODIES)
async def test_every_body_is_answered(body: bytes) -> None:
    async with running_engine() as engine:
        for path in [*(f"/v1/games/gatto_rosso/{call}" for call in PATHS), "/v1/tables"]:
            answer = await engine.post(path, body)
            assert answer.status in (200, 201, 400, 422), (path, answer.body)
