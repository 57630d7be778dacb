from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.telegram import buttons
from services.telegram.buttons import AnyTap, pack, unpack

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "ref": st.from_regex("[A-Za-z0-9_-]{8}", fullmatch=True),
    "game": st.from_regex("[a-z_]{1,24}", fullmatch=True),
    "version": st.integers(0, 1_000_000),
    "match": st.integers(0, 1_000_000),
    "value": st.integers(0, 1_000_000),
    "seconds": st.integers(0, 1_000_000),
    "computers": st.integers(0, 9),
    "page": st.integers(0, 999),
    "step": st.sampled_from([1, -1]),
    "sure": st.booleans(),
    "code": st.text(
        st.sampled_from("".join(map(chr, range(32, 127))).replace('"', "").replace("\\", "")), min_size=1, max_size=36
    ),
    "place": st.integers(0, 63),
    "up": st.booleans(),
    "what": st.sampled_from(["all", "boards", "nothing"]),
}


def _fields(kind: type[AnyTap]) -> dict[str, st.SearchStrategy[Any]]:
    special: dict[object, dict[str, st.SearchStrategy[Any]]] = {
        buttons.SetOption: {"name": st.from_regex("[a-z_]{1,24}", fullmatch=True)},
        buttons.SetHouse: {"name": st.sampled_from(["language", "seconds", "hosts", "nudges"])},
        buttons.Leave: {"sure": st.sampled_from([True, False, None])},
        buttons.Rules: {"ref": st.none() | FIELDS["ref"]},
    }
    return FIELDS | special.get(kind, {})


@st.composite
def taps(draw: st.DrawFn) -> AnyTap:
    kind = draw(st.sampled_from(get_args(AnyTap)))
    fields = _fields(kind)
    made: AnyTap = kind(**{field.name: draw(fields[field.name]) for field in msgspec.structs.fields(kind)})
    return made


@given(taps())
def test_every_button_comes_back_as_it_went_within_telegrams_64_bytes(tap: AnyTap) -> None:
    packed = pack(tap)
    assert 1 <= len(packed.encode()) <= 64
    assert unpack(packed) == tap


@given(st.text(max_size=64))
def test_data_that_is_no_button_of_ours_is_not_taken_for_one(data: str) -> None:
    tap = unpack(data)
    assert tap is None or pack(tap) == data or unpack(pack(tap)) == tap


@pytest.mark.parametrize(
    "data",
    [
        "",
        "1",
        '0["s","Ab3-Ef_8"]',
        '1["s","too-long-for-a-ref"]',
        '1["s","Ab3-Ef_8",17]',
        '1["m","Ab3-Ef_8",-1,"7h"]',
        '1["?"]',
        "1{}",
    ],
)
def test_a_button_of_another_release_is_known_as_unknown(data: str) -> None:
    assert unpack(data) is None


def test_a_button_never_holds_what_telegram_would_refuse() -> None:
    with pytest.raises(ValueError, match="64 bytes"):
        pack(buttons.Board("x" * 80))
