from ipaddress import ip_network

import pytest

from services.engine.outbound.addresses import is_admitted

REFUSED = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "5f00::1",
    "4000::1",
]
INTERNET = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2606:4700::1111",
    "2a00:1450::8",
]


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_host_of_the_internet_is_refused(address: str) -> None:
    assert not is_admitted(address, (), internet=True)


@pytest.mark.parametrize("address", INTERNET)
def test_a_host_of_the_internet_is_admitted_by_https_alone(address: str) -> None:
    assert is_admitted(address, (), internet=True)
    assert not is_admitted(address, (), internet=False)


def test_a_listed_network_is_admitted_in_whatever_form_and_nothing_beside_it() -> None:
    listed = (ip_network("10.0.0.0/30"), ip_network("fd00::/126"))
    for address in ("10.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "fd00::1"):
        assert is_admitted(address, listed, internet=False)
    for address in ("10.0.0.4", "::ffff:10.0.0.4", "fd00::4", "::1", "127.0.0.1"):
        assert not is_admitted(address, listed, internet=True)
