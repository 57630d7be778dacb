"""Launch data of the Mini App: valid data is accepted, everything else refused."""

from urllib.parse import parse_qsl, urlencode

import pytest

from services.telegram.mini_app.requests import LONGEST_AGE, InitDataError, signature, verified
from tests.emulator import Emulator, Person
from tests.telegram.mini_app.launches import launch_data

TOKEN = "123456:an-invented-token"
NOW = 1_800_000_000.0


@pytest.fixture
def ada(telegram: Emulator) -> Person:
    return telegram.person("Ada", language="it")


@pytest.mark.slow
def test_the_hash_is_that_of_an_independent_implementation() -> None:
    from aiogram.utils.web_app import check_webapp_signature  # noqa: PLC0415 (it takes seconds)

    fields = {"auth_date": "1800000000", "user": '{"id":1,"first_name":"Ada & Co = 1"}', "signature": "abc"}
    assert check_webapp_signature(TOKEN, urlencode({**fields, "hash": signature(fields, TOKEN)}))


async def test_signed_launch_data_tell_the_person_and_the_table(ada: Person) -> None:
    launch = verified(launch_data(ada, TOKEN, at=NOW, start="abcd_-12"), TOKEN, NOW)
    assert (launch.user.id, launch.user.first_name, launch.start_param) == (ada.id, "Ada", "abcd_-12")


async def test_a_button_in_a_private_chat_names_no_table(ada: Person) -> None:
    assert verified(launch_data(ada, TOKEN, at=NOW), TOKEN, NOW).start_param is None


@pytest.mark.parametrize(
    "changed",
    [
        {"user": '{"id": 1, "first_name": "Eva"}'},
        {"start_param": "another1"},
        {"signature": "other"},
        {"auth_date": "1800000001"},
        {"added": "1"},
        {"hash": "0" * 64},
        {"hash": "\udcff"},
    ],
)
async def test_nothing_can_be_changed(ada: Person, changed: dict[str, str]) -> None:
    fields = dict(parse_qsl(launch_data(ada, TOKEN, at=NOW, start="abcd_-12")))
    forged = urlencode({**fields, **changed}, errors="surrogatepass")
    with pytest.raises(InitDataError, match="bad_init_data"):
        verified(forged, TOKEN, NOW)


async def test_launch_data_of_another_bot_are_refused(ada: Person) -> None:
    with pytest.raises(InitDataError, match="bad_init_data"):
        verified(launch_data(ada, "654321:another-token", at=NOW), TOKEN, NOW)


@pytest.mark.parametrize("text", ["", "hash", "hash=", "user=1&hash=", "a=%zz&hash=1", "x" * 9000])
def test_what_is_no_launch_data_is_refused(text: str) -> None:
    with pytest.raises(InitDataError, match="bad_init_data"):
        verified(text, TOKEN, NOW)


async def test_launch_data_are_good_for_a_day(ada: Person) -> None:
    text = launch_data(ada, TOKEN, at=NOW)
    assert verified(text, TOKEN, NOW + LONGEST_AGE).user.id == ada.id
    for late in (NOW + LONGEST_AGE + 1, NOW - 3600):
        with pytest.raises(InitDataError, match="expired_init_data"):
            verified(text, TOKEN, late)
