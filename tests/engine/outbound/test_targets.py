"""Requests are counted by target, even if a server has many names, subdomains or ports."""

from ipaddress import IPv4Network

import pytest

from services.engine.outbound.targets import refusal_of, target_of


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://fcm.googleapis.com/fcm/send/x", "fcm.googleapis.com"),
        ("https://made.up.FCM.googleapis.com:9999/", "fcm.googleapis.com"),
        ("https://storage.googleapis.com/", "googleapis.com"),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", "push.services.mozilla.com"),
        ("https://hooks.example.org/a", "example.org"),
        ("https://a.b.c.example.org.:8443/b", "example.org"),
        ("https://anna@hooks.example.org/", "example.org"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
        ("https://[2001:DB8::0:1]/", "2001:db8::1"),
        ("http://hooks/", "hooks"),
        ("https://[broken/", ""),
    ],
)
def test_all_names_of_a_server_are_one_target(url: str, target: str) -> None:
    assert target_of(url) == target


LISTED = [IPv4Network("10.0.0.0/8")]


@pytest.mark.parametrize(
    ("url", "listed", "refused"),
    [
        ("https://hooks.example/", [], False),
        ("http://hooks.example/", [], True),
        # allowed here, because only a lookup can tell whether the address is listed
        ("http://hooks.example/", LISTED, False),
        ("http://10.1.2.3:9000/", LISTED, False),
        ("http://10.1.2.3:9000/", [], True),
        ("http://93.184.215.14/", LISTED, True),
        ("http://[2606:2800::1]/", LISTED, True),
        ("https://93.184.215.14/", LISTED, False),
        ("https://192.168.0.1/", LISTED, True),
        ("https://10.1.2.3/", LISTED, False),
        ("https://127.0.0.1/", [], True),
    ],
)
def test_an_address_to_which_nothing_is_ever_sent_is_told_from_its_text(
    url: str, listed: list[IPv4Network], refused: bool
) -> None:
    assert (refusal_of(url, listed) is not None) == refused
