"""Callback data: packing, unpacking, and a handler for each type."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.inspect import (
    BoolType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    type_info,
)

from services.telegram import callback_data
from services.telegram.callback_data import TYPES, CallbackData, pack, unpack
from services.telegram.handlers import updates  # noqa: F401  (all handlers register themselves)
from services.telegram.handlers.callbacks import CALLBACK_HANDLERS


def values_of(kind: Type) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a field of this type."""
    match kind:
        case IntType(ge=least, le=most):
            return st.integers(least, most)
        case StrType(pattern=str(pattern)):
            return st.from_regex(pattern.removesuffix("$") + r"\Z", fullmatch=True)
        case LiteralType(values=values):
            return st.sampled_from(values)
        case BoolType():
            return st.booleans()
        case NoneType():
            return st.none()
        case UnionType(types=types):
            return st.one_of(*map(values_of, types))
    raise NotImplementedError(kind)


@st.composite
def callback_data_of_any_type(draw: st.DrawFn) -> CallbackData:
    kind = draw(st.sampled_from(TYPES))
    fields = cast("StructType", type_info(kind)).fields
    made: CallbackData = kind(**{field.name: draw(values_of(field.type)) for field in fields})
    return made


@given(callback_data_of_any_type())
def test_every_button_comes_back_as_it_went_within_telegrams_64_bytes(data: CallbackData) -> None:
    packed = pack(data)
    assert 1 <= len(packed.encode()) <= 64
    assert unpack(packed) == data


@given(st.text(max_size=64))
def test_data_that_is_no_button_of_ours_is_not_taken_for_one(packed: str) -> None:
    data = unpack(packed)
    assert data is None or pack(data) == packed or unpack(pack(data)) == data


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "1",
        "1[]",
        '1["z","Ab3-Ef_8"]',
        '0["s","Ab3-Ef_8"]',
        '1["s","too-long-for-a-ref"]',
        '1["s","Ab3-Ef_8",17]',
        '1["m","Ab3-Ef_8",-1,"7h"]',
        '1["?"]',
        "1{}",
        "2",
        "2[]",
        "2{}",
        '2["s","Ab3-Ef_8"]',
        '2["sit","too-long-for-a-ref"]',
        '2["sit","Ab3-Ef_8",17]',
        '2["m","Ab3-Ef_8",-1,"7h"]',
        '2["rules"]',
        '2["g"]',
        '2["g","Ab3-Ef_8","ramino",1,"hard",4]',
        '2["g","Ab3-Ef_8","ramino",1,"hard","quick"]',
    ],
)
def test_data_of_an_unknown_format_or_type_is_refused(packed: str) -> None:
    assert unpack(packed) is None


def test_a_button_never_holds_what_telegram_would_refuse() -> None:
    with pytest.raises(ValueError, match="64 bytes"):
        pack(callback_data.ShowLeaderboard("x" * 80))


def test_every_type_of_callback_data_has_a_handler() -> None:
    assert set(CALLBACK_HANDLERS) == set(TYPES)
