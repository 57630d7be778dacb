"""Callback data: packing, unpacking, and a handler for each type."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locanda.games.base import PresetName
from locanda.games.registry import GAME_NAMES
from services.telegram import callback_data
from services.telegram.callback_data import TYPES, CallbackData, pack, unpack
from services.telegram.handlers import updates  # noqa: F401  (all handlers register themselves)
from services.telegram.handlers.callbacks import CALLBACK_HANDLERS

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "ref": st.from_regex("[A-Za-z0-9_-]{8}", fullmatch=True),
    "game": st.from_regex("[a-z_]{1,24}", fullmatch=True),
    "version": st.integers(0, 999_999_999),
    "match": st.integers(0, 1_000_000),
    "value": st.integers(0, 1_000_000),
    "preset": st.sampled_from(get_args(PresetName)),
    "seconds": st.integers(0, 1_000_000),
    "computers": st.integers(0, 9),
    "page": st.integers(0, 999),
    "step": st.sampled_from([1, -1]),
    "sure": st.booleans(),
    "code": st.text(
        st.sampled_from("".join(map(chr, range(32, 127))).replace('"', "").replace("\\", "")), min_size=1, max_size=36
    ),
    "level": st.sampled_from(["easy", "medium", "hard"]),
    "allowed": st.booleans(),
    "place": st.integers(0, 63),
    "seat": st.integers(0, 63),
    "up": st.booleans(),
    "what": st.sampled_from(["all", "boards", "nothing"]),
    "by": st.sampled_from(["wins", "rating"]),
}


def _fields(kind: type[CallbackData]) -> dict[str, st.SearchStrategy[Any]]:
    special: dict[object, dict[str, st.SearchStrategy[Any]]] = {
        callback_data.ChooseGame: {"game": st.sampled_from(GAME_NAMES), "preset": st.none() | FIELDS["preset"]},
        callback_data.SetOption: {"name": st.from_regex("[a-z_]{1,24}", fullmatch=True)},
        callback_data.ChangeSetting: {
            "name": st.sampled_from(["language", "seconds", "hosts", "nudges", "photos", "reminders"])
        },
        callback_data.LeaveTable: {"sure": st.sampled_from([True, False, None])},
        callback_data.CloseTable: {"sure": st.sampled_from([True, False, None])},
        callback_data.ShowRules: {"ref": st.none() | FIELDS["ref"]},
    }
    return FIELDS | special.get(kind, {})


@st.composite
def callback_data_of_any_type(draw: st.DrawFn) -> CallbackData:
    kind = draw(st.sampled_from(TYPES))
    fields = _fields(kind)
    made: CallbackData = kind(**{field.name: draw(fields[field.name]) for field in msgspec.structs.fields(kind)})
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
    ],
)
def test_data_of_an_unknown_format_or_type_is_refused(packed: str) -> None:
    assert unpack(packed) is None


def test_a_button_never_holds_what_telegram_would_refuse() -> None:
    with pytest.raises(ValueError, match="64 bytes"):
        pack(callback_data.ShowLeaderboard("x" * 80))


def test_every_type_of_callback_data_has_a_handler() -> None:
    assert set(CALLBACK_HANDLERS) == set(TYPES)
