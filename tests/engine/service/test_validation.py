"""Errors about an invalid part of a request name the allowed values or the expected form."""

import msgspec
import pytest

from locanda import messages
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from services.engine.service.validation import ValidationError, read_move, validation_error

RAMINO, PRESIDENTE = GAMES["ramino"], GAMES["presidente"]


@pytest.mark.parametrize(
    ("type_", "body", "field", "detail"),
    [
        (messages.SitDown, {"name": "A", "kind": "robot"}, "kind", "Invalid enum value 'robot': there are computer, p"),
        (RAMINO.move_type, {"type": "fly"}, "type", "Invalid value 'fly': there are draw, meld, attach, discard"),
        (
            RAMINO.move_type,
            {"typ": "draw", "from": "stock"},
            "type",
            "Object missing required field `type`: there are draw, meld, attach, discard",
        ),
        (RAMINO.move_type, {"type": "draw"}, "from", "Object missing required field `from`: there are discards, stock"),
        (messages.OpenTable, {"game": "ramino"}, "name", "Object missing required field `name`"),
        (RAMINO.options, {"stock_end": "x"}, "stock_end", "Invalid enum value 'x': there are block, shuffle, turn_o"),
        (messages.SitDown, {"name": " A"}, "name", "Expected: One line that begins with a visible character"),
        (RAMINO.move_type, {"type": "meld", "cards": ["7h"]}, "cards[0]", "Expected: The numeral as printed, as in"),
        (PRESIDENTE.move_type, {"type": "play", "cards": ["1x"]}, "cards[0]", "Expected: Rank and suit, as in `7h`"),
        (messages.SitDown, {"name": 7}, "name", "Expected `str`, got `int`"),
        (
            messages.SitDown,
            {"name": "A", "hat": 1},
            "hat",
            "Object contains unknown field `hat`; the fields are `name`, `kind`, `level`, `client_seed`",
        ),
        (
            messages.PlayMove,
            {"type": "pass"},
            "type",
            "Object contains unknown field `type`; the fields are `move`; required: `move`",
        ),
        (
            RAMINO.move_type,
            {"type": "meld", "crds": []},
            "crds",
            "Object contains unknown field `crds`; the fields are `type`, `cards`; required: `cards`",
        ),
        (
            messages.PlayoutsRequest,
            {"playouts": [{"start": {"seats": 2, "sets": 1}}]},
            "playouts[0].start.sets",
            "Object contains unknown field `sets`; the fields are `seats`, `options`, `dealer`, `seed`; required: `s",
        ),
        (
            messages.Subscribe,
            {"browser": {"endpont": ""}},
            "browser.endpont",
            "Object contains unknown field `endpont`; the fields are `endpoint`, `p256dh`, `auth`; required: `endpoint",
        ),
    ],
)
def test_an_error_names_the_part_and_what_it_may_be(type_: object, body: object, field: str, detail: str) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(body, type_)
    message = validation_error(error.value, type_, value=body)
    assert message.field == field
    assert message.detail.startswith(detail)
    assert "regex" not in message.detail


@pytest.mark.parametrize(
    ("game", "type_", "card", "end"),
    [
        ("gatto_rosso", "play", "XV", "as in `7h`; `XV` is a card of `ramino`"),
        ("gatto_rosso", "play", "*", "as in `7h`; `*` is a card of `diavoletto`, `presidente`"),
        ("gatto_rosso", "play", "9x", "as in `7h`"),
        ("ramino", "discard", "7h", "; `7h` is a card of `gatto_rosso`, `diavoletto`, `presidente`"),
        ("ramino", "discard", "8h", "; `8h` is a card of `diavoletto`, `presidente`"),
    ],
)
def test_a_card_that_the_game_does_not_have_is_said_to_be_of_those_that_have_it(
    game: str, type_: str, card: str, end: str
) -> None:
    with pytest.raises(ValidationError) as error:
        read_move(GAMES[game], msgspec.Raw(msgspec.json.encode({"type": type_, "card": card})))
    assert error.value.field == "move.card"
    assert error.value.detail.endswith(end)


@pytest.mark.parametrize("other", [b"9" * 5000, b'"\xff"'], ids=["a number too large", "text that is no UTF-8"])
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_move_of_no_game_that_cannot_be_read_as_a_whole_is_refused(game: AnyGame, other: bytes) -> None:
    for move in (other, b'{"type":"fly","card":' + other + b"}", b'{"type":7,"card":' + other + b"}"):
        with pytest.raises(ValidationError) as error:
            read_move(game, msgspec.Raw(move))
        assert error.value.field.startswith("move")


def test_a_misspelt_field_of_a_move_is_told_the_fields_of_that_move() -> None:
    with pytest.raises(ValidationError) as error:
        read_move(PRESIDENTE, msgspec.Raw(b'{"type": "play", "crds": ["7h"]}'))
    assert error.value.field == "move.crds"
    assert "the fields are `type`, `cards`" in error.value.detail
