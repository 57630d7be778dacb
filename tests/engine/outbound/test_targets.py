"""Requests are counted by whom they go to, however many names, subdomains or ports a server has."""

import pytest

from services.engine.outbound.targets import target_of


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
